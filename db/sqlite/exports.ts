import { asc, gt } from "drizzle-orm";
import { toAlert } from "./alerts.ts";
import { alert, outcome } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<SyncStore, "alertsAfter" | "outcomesAfter">;

export function exportVerbs({ db, read }: StoreTools): Verbs {
  return {
    alertsAfter(publishedAt, limit) {
      const rows = read(() =>
        db
          .select()
          .from(alert)
          .where(publishedAt === null ? undefined : gt(alert.publishedAt, publishedAt))
          .orderBy(asc(alert.publishedAt))
          .limit(limit)
          .all(),
      );
      return rows.map(toAlert);
    },

    outcomesAfter(number, limit) {
      const rows = read(() =>
        db
          .select()
          .from(outcome)
          .where(gt(outcome.id, number))
          .orderBy(asc(outcome.id))
          .limit(limit)
          .all(),
      );
      return rows.map(({ id, ...told }) => ({ number: id, outcome: told }));
    },
  };
}
