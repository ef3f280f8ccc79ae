import type { AlertType, Species } from "./alert.ts";
import type { Outcome, ReturnDistance, ReturnWay } from "./outcome.ts";

/** What stands where animals were put together so that none can be told, or nothing was told of them. */
export const MERGED = "other/unknown";
/** Animals in a cell at least. */
export const CELL_MIN = 3;

/** Animals that came home alike. */
export type OutcomeCell = {
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  readonly type: AlertType | typeof MERGED;
  readonly species: Species | typeof MERGED;
  readonly how: ReturnWay | typeof MERGED;
  readonly distance: ReturnDistance | typeof MERGED;
  readonly count: number;
  /** From the event to the end of the alert; of an even number the mean of the middle two. */
  readonly medianDays: number;
};

type Group = Omit<OutcomeCell, "count" | "medianDays">;

/** Each step puts more animals together. */
const BLURS: readonly ((group: Group) => Group)[] = [
  (group) => group,
  (group) => ({ ...group, distance: MERGED }),
  (group) => ({ ...group, distance: MERGED, how: MERGED }),
  (group) => ({ week: group.week, type: MERGED, species: MERGED, how: MERGED, distance: MERGED }),
];

/**
 * How animals came home, counted. A cell of fewer than `CELL_MIN` animals could lead to one of them: its animals are
 * put together with others of their week by less and less of what was told, and what is too few even then is left out.
 * By week, then in the order of the words.
 */
export function outcomeTable(told: readonly Outcome[]): {
  readonly cells: readonly OutcomeCell[];
  readonly leftOut: number;
} {
  const enough = new Map<string, readonly Outcome[]>();
  let rest = [...told];
  for (const blur of BLURS) {
    const groups = Map.groupBy(rest, (outcome) => JSON.stringify(blur(groupOf(outcome))));
    rest = [];
    for (const [group, members] of groups) {
      const all = [...(enough.get(group) ?? []), ...members];
      if (all.length >= CELL_MIN) enough.set(group, all);
      else rest.push(...members);
    }
  }
  const cells = [...enough].map(([group, members]) => ({
    ...(JSON.parse(group) as Group),
    count: members.length,
    medianDays: median(members.map((outcome) => outcome.days)),
  }));
  return { cells: cells.toSorted(byGroup), leftOut: rest.length };
}

function groupOf({ week, type, species, how, distance }: Outcome): Group {
  return { week, type, species, how: how ?? MERGED, distance: distance ?? MERGED };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle]!;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

function byGroup(a: OutcomeCell, b: OutcomeCell): number {
  const key = ({ week, type, species, how, distance }: OutcomeCell) =>
    [week, type, species, how, distance].join();
  return key(a) < key(b) ? -1 : 1;
}
