import type { AlertType, Species } from "../../values/animal.ts";
import { DAY_MS } from "../duration.ts";
import { isoDate } from "../input.ts";
import type { PlanStepId } from "../plan/steps.ts";
import { z } from "zod";

/** Ways in which an animal came home. */
export const RETURN_WAYS = [
  "came_back",
  "searched",
  "told_by_neighbour",
  "poster",
  "this_site",
  "shelter_or_vet",
  "other",
] as const;
/** Distances between the places of loss and return. */
export const RETURN_DISTANCES = [
  "under_100_m",
  "under_500_m",
  "under_2_km",
  "under_10_km",
  "farther",
] as const;
export type ReturnWay = (typeof RETURN_WAYS)[number];
export type ReturnDistance = (typeof RETURN_DISTANCES)[number];

/** Owner's answers about a return; both are optional. */
export const outcomeInput = z.object({
  how: z.enum(RETURN_WAYS).optional(),
  distance: z.enum(RETURN_DISTANCES).optional(),
});
export type OutcomeInput = z.infer<typeof outcomeInput>;

/** Outcome of one alert, without any reference to it. */
export type Outcome = {
  /** Monday of the week in which it was recorded, YYYY-MM-DD. */
  readonly week: string;
  readonly type: AlertType;
  readonly species: Species;
  /** Days from the event to the end of the alert. */
  readonly days: number;
  readonly how: ReturnWay | null;
  readonly distance: ReturnDistance | null;
};

const WEEK_DAYS = 7;

/** Monday of a time's week in UTC, YYYY-MM-DD. */
export function mondayOf(time: number): string {
  const daysSinceMonday = (new Date(time).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return isoDate(time - daysSinceMonday * DAY_MS);
}

/** Value of a column that is unknown, or was merged so that single animals cannot be identified. */
export const MERGED = "other/unknown";
/** Fewest animals in a number that is shown or exported: fewer could point to one of them. */
export const CELL_MIN = 5;

type OutcomeCell = {
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  readonly type: AlertType | typeof MERGED;
  readonly species: Species | typeof MERGED;
  readonly how: ReturnWay | typeof MERGED;
  readonly distance: ReturnDistance | typeof MERGED;
  readonly count: number;
  /** Median of days from the event to the end of the alert. */
  readonly medianDays: number;
};

/** Cells, and the count of animals in none of them. */
export type OutcomeTable = { readonly cells: readonly OutcomeCell[]; readonly leftOut: number };

type Group = Omit<OutcomeCell, "count" | "medianDays">;

/** Steps of generalisation, each merging more cells. */
const GENERALIZATIONS: readonly ((group: Group) => Group)[] = [
  (group) => group,
  (group) => ({ ...group, distance: MERGED }),
  (group) => ({ ...group, distance: MERGED, how: MERGED }),
  (group) => ({ week: group.week, type: MERGED, species: MERGED, how: MERGED, distance: MERGED }),
];

/**
 * Counts of outcomes, sorted by week and columns. A cell of fewer than `CELL_MIN` animals could identify one of them, so
 * its animals are merged with others of the same week by dropping columns; those still too few are left out.
 */
export function outcomeTable(outcomes: readonly Outcome[]): OutcomeTable {
  const cellsByGroup = new Map<string, readonly Outcome[]>();
  let rest = [...outcomes];
  for (const generalize of GENERALIZATIONS) {
    const groups = Map.groupBy(rest, (outcome) => JSON.stringify(generalize(groupOf(outcome))));
    rest = [];
    for (const [group, members] of groups) {
      const all = [...(cellsByGroup.get(group) ?? []), ...members];
      if (all.length >= CELL_MIN) cellsByGroup.set(group, all);
      else rest.push(...members);
    }
  }
  const cells = [...cellsByGroup].map(([group, members]) => ({
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

/** Number of animals of a species that came home in one week, by the way they did or by a step that was done. */
export type ReturnCount<By extends string> = {
  /** Monday of the week, YYYY-MM-DD. */
  readonly week: string;
  readonly species: Species;
  readonly by: By;
  readonly animals: number;
};

/** Answers of owners to how animals came home, without a reference to an alert. */
export interface OutcomeStore {
  /**
   * Stores how an animal came home, once per alert, without a reference to the alert, and counts the steps of its plan that
   * were done. Returns false if stored before.
   */
  addOutcome(alertId: string, outcome: Outcome): Promise<boolean>;
  hasOutcome(alertId: string): Promise<boolean>;
  /** Outcomes in the order they were stored, after this number; 0: from the first. */
  outcomesAfter(
    number: number,
    limit: number,
  ): Promise<{ readonly number: number; readonly outcome: Outcome }[]>;

  /** Numbers of lost animals by the way they came home, for each week before this one (YYYY-MM-DD, a Monday). */
  returnWays(beforeWeek: string): Promise<ReturnCount<ReturnWay>[]>;
  /** Numbers of animals that came home by the steps that were done, for each week before this one. */
  returnSteps(beforeWeek: string): Promise<ReturnCount<PlanStepId>[]>;
}
