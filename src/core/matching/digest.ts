/** Likely pair waiting for its reader's digest. */
type WaitingPair = {
  readonly score: number;
  /** Address of the other alert's owner. */
  readonly otherEmail: string | null;
};

/**
 * Pairs that a digest shows, best first: equal chips (score 100), then the best pair of each mail domain that the other
 * alerts were published from, the second best of each, and so on. Someone who publishes a hundred lookalikes of the
 * reader's alert has addresses at a few domains at most, and cannot push a genuine pair out. `waiting` must be sorted,
 * best first.
 */
export function pairsForDigest<Pair extends WaitingPair>(
  waiting: readonly Pair[],
  limit: number,
): readonly Pair[] {
  const chosen = new Set(
    roundRobin(waiting, ({ score, otherEmail }) =>
      score === 100 ? null : mailDomain(otherEmail),
    ).slice(0, limit),
  );
  return waiting.filter((pair) => chosen.has(pair));
}

/** Round robin: items without a group (null), the first item of each group, the second of each, and so on. */
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

/** Last two labels of an address's domain; one registrant can have any number of subdomains. */
export function mailDomain(email: string | null): string {
  const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase() ?? "";
  return domain.split(".").slice(-2).join(".");
}
