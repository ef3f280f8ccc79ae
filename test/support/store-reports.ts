import { describe, expect, test } from "bun:test";
import type { Report } from "../../src/core/moderation/report.ts";
import { publish } from "./confirmed.ts";
import { makeAction, makeEmail, makeReport } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, HOUR, MINUTE } from "./time.ts";

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
        const fresh = makeReport(about.alertId, about);
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

      await store.moderate(makeAction("dismiss", other.id));
      expect(await counts()).toEqual([{ reason: "scam", count: 1 }]);
      expect(await store.openReports(9, { alertId: other.id })).toEqual([]);
    });
  });
}

/** Store contract: emails to the moderators about reports. */
export function describeReportEmails(): void {
  describe("emails about reports", () => {
    const report = (alertId: string, about: Partial<Report> = {}) =>
      store.addReport(makeReport(alertId, about), []);
    const dismiss = (alertId: string) => store.moderate(makeAction("dismiss", alertId));
    const batch = (max = 9) => ({
      emails: [makeEmail(), makeEmail()],
      hits: [{ key: "soon", max, windowMs: HOUR }],
      alternativeHits: [{ key: "later", max: 1, windowMs: 2 * HOUR }],
    });
    const waiting = async () => (await store.outboxState()).waiting;

    test("count the open reports by reason, and each report once", async () => {
      const [alert, other] = [
        await publish(store, { point: { lat: 1, lng: 2 } }),
        await publish(store),
      ];
      expect(await store.reportNews()).toBeNull();
      await report(alert.id);
      await report(other.id, { reason: "other", createdAt: DAWN + 1 });
      await report(other.id, { text: "look", createdAt: DAWN + 2 });

      const news = await store.reportNews();
      expect(news).toEqual({
        reasons: [
          { reason: "scam", count: 2 },
          { reason: "other", count: 1 },
        ],
        alerts: 2,
        open: 3,
        oldest: { createdAt: DAWN, point: { lat: 1, lng: 2 } },
        read: { upTo: DAWN + 2, count: 3 },
      });
      const before = await waiting();
      await store.addReportEmails(news!.read, batch(), DAWN + MINUTE);
      await store.addReportEmails(news!.read, batch(), DAWN + MINUTE);

      expect((await waiting()) - before).toBe(2);
      expect(await store.reportNews()).toBeNull();
      await report(alert.id, { reason: "offensive", createdAt: DAWN + HOUR });
      expect(await store.reportNews()).toMatchObject({ alerts: 1, open: 4, read: { count: 1 } });
    });

    test("leave out reports that were handled, and wait if one was handled or added since they were read", async () => {
      const [alert, other] = [await publish(store), await publish(store)];
      await report(alert.id);
      await report(other.id);
      const news = await store.reportNews();
      await dismiss(alert.id);
      const before = await waiting();
      await store.addReportEmails(news!.read, batch(), DAWN);
      expect(await waiting()).toBe(before);

      const later = await store.reportNews();
      expect(later).toMatchObject({ alerts: 1, open: 1, read: { count: 1 } });
      await report(alert.id);
      await store.addReportEmails(later!.read, batch(), DAWN);
      expect(await waiting()).toBe(before);
    });

    test("wait while their limits are full, both the usual and the other", async () => {
      const alert = await publish(store);
      const before = await waiting();
      const send = async (at: number) => {
        await report(alert.id, { text: String(at), createdAt: at });
        const news = await store.reportNews();
        await store.addReportEmails(news!.read, batch(1), at);
        return (await waiting()) - before;
      };

      expect(await send(DAWN)).toBe(2);
      expect(await send(DAWN + MINUTE)).toBe(2);
      expect(await send(DAWN + HOUR)).toBe(4);
      expect(await send(DAWN + HOUR + MINUTE)).toBe(4);
      expect(await store.reportNews()).toMatchObject({ read: { count: 1 } });
    });
  });
}
