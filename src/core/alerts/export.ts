import type { Ports } from "../ports.ts";
import { type Alert, type PublicAlert, toPublicAlert } from "./alert.ts";
import { mondayOf, type Outcome, type OutcomeTable, outcomeTable } from "../outcomes/outcome.ts";
import { returnPeriods } from "../outcomes/return-periods.ts";

const ALERTS_PER_PAGE = 500;
const OUTCOMES_PER_PAGE = 5_000;

/** Public views of active, resolved and expired alerts in the order of publication, in pages. */
export async function* exportedAlerts({
  store,
  links,
}: Pick<Ports, "store" | "links">): AsyncGenerator<readonly PublicAlert[]> {
  for await (const page of alertPages(store))
    yield page.flatMap((alert) => toPublicAlert(alert, links) ?? []);
}

/** Alerts of any status in the order of publication, in pages. */
export async function* alertPages(store: Ports["store"]): AsyncGenerator<readonly Alert[]> {
  for (let after: number | null = null; ;) {
    const page = await store.alertsAfter(after, ALERTS_PER_PAGE);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.publishedAt;
  }
}

/** Outcomes by week. The current week is left out: two exports within it would differ by single animals. */
export async function exportedOutcomes(store: Ports["store"], now: number): Promise<OutcomeTable> {
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
export async function exportedSteps(store: Ports["store"], now: number) {
  const periods = returnPeriods(await store.returnSteps(mondayOf(now)));
  return periods.toSorted(({ to, ...a }, { to: otherTo, ...b }) =>
    [to, a.species, a.by].join() < [otherTo, b.species, b.by].join() ? -1 : 1,
  );
}
