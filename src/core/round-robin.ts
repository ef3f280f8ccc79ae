/** Items in turn by group: those without one (null), the first item of each group, the second of each, and so on. */
export function roundRobin<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string | null,
): readonly Item[] {
  const rounds = new Map<string, number>();
  const ranked = items.map((item) => {
    const group = groupOf(item);
    if (group === null) return { item, round: 0 };
    const round = (rounds.get(group) ?? 0) + 1;
    rounds.set(group, round);
    return { item, round };
  });
  return ranked.toSorted((a, b) => a.round - b.round).map(({ item }) => item);
}
