import { DAY_MS } from "../duration.ts";
import { isoDate } from "../input.ts";
import type { ReturnCount } from "./outcome-store.ts";
import { CELL_MIN } from "./outcome.ts";
import type { Species } from "../../values/animal.ts";

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
