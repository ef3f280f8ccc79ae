import { type PublicAlert, publicFace } from "./alert.ts";
import type { Links } from "./links.ts";
import { type OutcomeCell, outcomeTable } from "./outcome-table.ts";
import { mondayOf, type Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";

const ALERTS_AT_ONCE = 500;
const OUTCOMES_AT_ONCE = 5_000;

export type Exporting = ReturnType<typeof createExporting>;

/** What anybody may have of everything that is kept: public faces and nameless counts. */
export function createExporting({
  store,
  links,
}: {
  readonly store: Pick<Store, "alertsAfter" | "outcomesAfter">;
  readonly links: Links;
}) {
  return {
    /** Active, resolved and expired alerts in the order they went live, some at a time. */
    async *alerts(): AsyncGenerator<readonly PublicAlert[]> {
      let after: number | null = null;
      for (;;) {
        const page = await store.alertsAfter(after, ALERTS_AT_ONCE);
        if (page.length === 0) return;
        yield page.flatMap((alert) => publicFace(alert, links) ?? []);
        after = page.at(-1)?.publishedAt ?? null;
      }
    },

    /**
     * How animals came home, week by week; see `outcomeTable`. Without the week that is not over: who asked twice in it
     * would see single animals join.
     */
    async outcomes(
      now: number,
    ): Promise<{ readonly cells: readonly OutcomeCell[]; readonly leftOut: number }> {
      const told: Outcome[] = [];
      let after = 0;
      for (;;) {
        const page = await store.outcomesAfter(after, OUTCOMES_AT_ONCE);
        if (page.length === 0) return outcomeTable(told.filter(({ week }) => week < mondayOf(now)));
        told.push(...page.map(({ outcome }) => outcome));
        after = page.at(-1)?.number ?? after;
      }
    },
  };
}
