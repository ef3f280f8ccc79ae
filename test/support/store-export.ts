import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/core/outcomes/outcome.ts";
import { makeBulk } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN } from "./time.ts";

/** Store contract: reading all alerts and outcomes, page by page. */
export function describeExport(): void {
  describe("an export from the store", () => {
    test("returns every alert once, of any status, in the order of publication", async () => {
      const bulk = [makeBulk(), makeBulk(), makeBulk()];
      await store.addAlerts(bulk, DAWN);
      const ids = bulk.map(({ draft }) => draft.id);
      await store.removeAlert(ids[1]!, DAWN + 1);

      const first = await store.alertsAfter(null, 2);
      const second = await store.alertsAfter(first.at(-1)!.publishedAt, 2);

      expect([first, second].map((page) => page.map(({ id }) => id))).toEqual([
        ids.slice(0, 2),
        ids.slice(2),
      ]);
      expect(first[1]?.status).toBe("removed");
      expect(await store.alertsAfter(second[0]!.publishedAt, 2)).toEqual([]);
    });

    test("returns every outcome once, in the order they were reported", async () => {
      const bulk = [1, 2, 3].map((days) => ({ ...makeBulk(), days }));
      await store.addAlerts(bulk, DAWN);
      const told = bulk.map(({ draft, days }): [string, Outcome] => [
        draft.id,
        { week: "2026-04-27", type: "lost", species: "cat", days, how: null, distance: "farther" },
      ]);
      for (const [id, outcome] of told) {
        const seen = (await store.alert({ by: "id", id }))!;
        const change = { status: "resolved", expiresAt: seen.expiresAt, endedAt: DAWN } as const;
        await store.changeStatus(seen, change, DAWN);
        expect(await store.addOutcome(id, outcome)).toBe(true);
      }

      const first = await store.outcomesAfter(0, 2);
      const second = await store.outcomesAfter(first.at(-1)!.number, 2);

      expect([...first, ...second].map(({ outcome }) => outcome)).toEqual(
        told.map(([, outcome]) => outcome),
      );
      expect([first.length, second.length]).toEqual([2, 1]);
      expect(await store.outcomesAfter(second[0]!.number, 2)).toEqual([]);
    });
  });
}
