import type { Species } from "../../values/animal.ts";
import { DAY_MS } from "../duration.ts";
import { isoDate } from "../input.ts";
import {
  CELL_MIN,
  mondayOf,
  type Outcome,
  type OutcomeStore,
  outcomeTable,
  type OutcomeTable,
  type ReturnCount,
} from "./outcome.ts";

/** Animals of a species that came home in one way, or after one step, in weeks in a row: at least `CELL_MIN`. */
export type ReturnPeriod<By extends string> = {
  /** Mondays of the first and the last week, YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly species: Species;
  readonly by: By;
  readonly animals: number;
};

/**
 * Weekly counts as periods, oldest first. A period is as short as it can be with enough animals; those left at the end wait
 * for later weeks. A period never changes, and every number shown is a sum of whole periods: so no difference of two
 * numbers, or of one number on two days, is a count of fewer animals.
 */
export function returnPeriods<By extends string>(
  counts: readonly ReturnCount<By>[],
): ReturnPeriod<By>[] {
  const sorted = counts.toSorted((a, b) => (a.week < b.week ? -1 : 1));
  const byGroup = Map.groupBy(sorted, ({ species, by }) => `${species} ${by}`);
  const firstWeek = sorted[0]?.week ?? "";
  return [...byGroup.values()].flatMap((weeks) => periodsOf(weeks, firstWeek));
}

/** Periods of one species and way or step. */
function periodsOf<By extends string>(
  weeks: readonly ReturnCount<By>[],
  firstWeek: string,
): ReturnPeriod<By>[] {
  const periods: ReturnPeriod<By>[] = [];
  let from = firstWeek;
  let animals = 0;
  for (const { week, species, by, animals: added } of weeks) {
    animals += added;
    if (animals < CELL_MIN) continue;
    periods.push({ from, to: week, species, by, animals });
    from = isoDate(Date.parse(week) + 7 * DAY_MS);
    animals = 0;
  }
  return periods;
}

const OUTCOMES_PER_PAGE = 5_000;

/** Outcomes by week. The current week is left out: two exports within it would differ by single animals. */
export async function exportedOutcomes(store: OutcomeStore, now: number): Promise<OutcomeTable> {
  const outcomes: Outcome[] = [];
  for (let after = 0; ;) {
    const page = await store.outcomesAfter(after, OUTCOMES_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) break;
    outcomes.push(...page.map(({ outcome }) => outcome));
    after = last.number;
  }
  return outcomeTable(outcomes.filter(({ week }) => week < mondayOf(now)));
}

/** Periods of animals that came home after their owners had done a step of the plan, without the current week. */
export async function exportedSteps(store: OutcomeStore, now: number) {
  const periods = returnPeriods(await store.returnSteps(mondayOf(now)));
  return periods.toSorted(({ to, ...a }, { to: otherTo, ...b }) =>
    [to, a.species, a.by].join() < [otherTo, b.species, b.by].join() ? -1 : 1,
  );
}
