import { type PublicAlert, toPublicAlert } from "./alert.ts";
import type { Links } from "../urls.ts";
import { type OutcomeCell, outcomeTable } from "./outcome-table.ts";
import { mondayOf, type Outcome } from "./outcome.ts";
import type { Store } from "../store.ts";

const ALERTS_AT_ONCE = 500;
const OUTCOMES_AT_ONCE = 5_000;

export type AlertExport = ReturnType<typeof createExport>;

/** Open data: public views of all alerts, and anonymous counts of outcomes. */
export function createExport({
  store,
  links,
}: {
  readonly store: Pick<Store, "alertsAfter" | "outcomesAfter">;
  readonly links: Links;
}) {
  return {
    /** Active, resolved and expired alerts in the order of publication, in pages. */
    async *alerts(): AsyncGenerator<readonly PublicAlert[]> {
      let after: number | null = null;
      for (;;) {
        const page = await store.alertsAfter(after, ALERTS_AT_ONCE);
        if (page.length === 0) return;
        yield page.flatMap((alert) => toPublicAlert(alert, links) ?? []);
        after = page.at(-1)?.publishedAt ?? null;
      }
    },

    /**
     * Outcomes by week; see `outcomeTable`. The current week is left out: two exports within it would differ by single
     * animals.
     */
    async outcomes(
      now: number,
    ): Promise<{ readonly cells: readonly OutcomeCell[]; readonly leftOut: number }> {
      const outcomes: Outcome[] = [];
      let after = 0;
      for (;;) {
        const page = await store.outcomesAfter(after, OUTCOMES_AT_ONCE);
        if (page.length === 0)
          return outcomeTable(outcomes.filter(({ week }) => week < mondayOf(now)));
        outcomes.push(...page.map(({ outcome }) => outcome));
        after = page.at(-1)?.number ?? after;
      }
    },
  };
}
