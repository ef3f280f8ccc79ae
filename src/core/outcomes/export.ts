import { mondayOf, type Outcome, type OutcomeTable, outcomeTable } from "./outcome.ts";
import type { OutcomeStore } from "./outcome-store.ts";
import { returnPeriods } from "./return-periods.ts";

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
