import { describe, expect, test } from "bun:test";
import type { Report } from "../../src/core/moderation/report.ts";
import { publish } from "./confirmed.ts";
import { makeId } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN } from "./time.ts";

/** Store contract: alerts and reports as moderators look through them. */
export function describeModerationLists(): void {
  describe("moderators' lists", () => {
    test("have alerts of any status, newest first, page by page", async () => {
      const alerts = [await publish(store), await publish(store), await publish(store)];
      const [first, second, third] = alerts.map(({ id }) => id);
      await store.removeAlert(second!, DAWN);
      const page = async (before: number | null, limit: number) =>
        (await store.alertsBefore(before, limit)).map(({ id }) => id);

      expect(await page(null, 10)).toEqual([third!, second!, first!]);
      expect(await page(null, 1)).toEqual([third!]);
      expect(await page(alerts[2]!.publishedAt, 1)).toEqual([second!]);
      expect(await page(alerts[0]!.publishedAt, 10)).toEqual([]);
    });

    test("have the open reports of one reason or about one alert, and the number of each reason", async () => {
      const [alert, other] = [await publish(store), await publish(store)];
      const report = async (about: Pick<Report, "alertId" | "reason">): Promise<Report> => {
        const id = makeId("report");
        const fresh = { id, conversationId: null, text: null, createdAt: DAWN, ...about };
        await store.addReport(fresh, []);
        return fresh;
      };
      const scam = await report({ alertId: alert.id, reason: "scam" });
      const untrue = await report({ alertId: other.id, reason: "not_true" });
      await report({ alertId: other.id, reason: "scam" });
      const counts = () => store.openReportCounts();

      expect(await store.openReports(9, { reason: "not_true" })).toEqual([untrue]);
      expect(await store.openReports(9, { reason: "scam", alertId: alert.id })).toEqual([scam]);
      expect(await store.openReports(9, { alertId: other.id })).toHaveLength(2);
      expect(await counts()).toEqual([
        { reason: "scam", count: 2 },
        { reason: "not_true", count: 1 },
      ]);

      const action = { id: makeId("action"), at: DAWN, who: "mod@example.org", mailbox: null };
      await store.moderate({ ...action, act: "dismiss", alertId: other.id });
      expect(await counts()).toEqual([{ reason: "scam", count: 1 }]);
      expect(await store.openReports(9, { alertId: other.id })).toEqual([]);
    });
  });
}
