import { describe, expect, test } from "bun:test";
import type { Report } from "../../src/core/moderation/report.ts";
import { publish } from "./confirmed.ts";
import { makeEmail, makeId } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, HOUR, MINUTE } from "./time.ts";

/** Store contract: emails to the moderators about reports. */
export function describeReportEmails(): void {
  describe("emails about reports", () => {
    async function report(alertId: string, about: Partial<Report> = {}): Promise<void> {
      const reason = "scam" as const;
      const fresh = { id: makeId("report"), alertId, conversationId: null, reason, text: null };
      await store.addReport({ ...fresh, createdAt: DAWN, ...about }, []);
    }
    const dismiss = (alertId: string) =>
      store.moderate({
        id: makeId("action"),
        at: DAWN,
        who: "mod@example.org",
        act: "dismiss",
        alertId,
        mailbox: null,
      });
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
