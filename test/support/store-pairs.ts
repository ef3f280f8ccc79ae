import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import { type MatchEmail, NEW_PAIRS_MAX } from "../../src/core/matches/pair-store.ts";
import { loadAlert, publish } from "./confirmed.ts";
import { LATEST, likelyPair, makeAction, makeDraft, makeEmail } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import { emailAlert } from "../../src/core/alerts/email-alert.ts";
import type { EmailContent } from "../../src/mail/emails/compose.ts";

/** Store contract: pairs of alerts that may be about the same animal. */
export function describePairs(): void {
  describe("pairs", () => {
    const COMPARISON = { key: "comparison", max: 9, windowMs: DAY };
    const waiting = async (now: number) =>
      (await store.alertsToCompare(now, 10, LATEST)).map(({ id }) => id);

    test("alerts that changed after a revision are not compared as of it", async () => {
      const early = await publish(store);
      const revision = (await store.position()).revision;
      const late = await publish(store);

      const idsUpTo = async (upTo: number) =>
        (await store.alertsToCompare(DAWN, 10, upTo)).map(({ id }) => id);
      expect(await idsUpTo(revision)).toEqual([early.id]);
      expect(await idsUpTo((await store.position()).revision)).toEqual([early.id, late.id]);
    });

    test("an alert is compared again some time after an edit", async () => {
      const alert = await publish(store);
      expect(await waiting(DAWN)).toEqual([alert.id]);

      await store.addPairs(alert, [], COMPARISON, DAWN);
      expect(await waiting(DAWN)).toEqual([]);

      await store.editAlert(alert, { ...alert, description: "shy" }, DAWN + 1);
      expect(await waiting(DAWN + DAY)).toEqual([]);

      const edited = await loadAlert(store, alert.id);
      await store.editAlert(edited, { ...edited, color: "white" }, DAWN + 2, [HOUR, 3 * HOUR]);
      expect(await waiting(DAWN + HOUR)).toEqual([]);
      expect(await waiting(DAWN + 2 + HOUR)).toEqual([alert.id]);

      const again = await loadAlert(store, alert.id);
      await store.editAlert(again, { ...again, color: "red" }, DAWN + HOUR, [HOUR, 3 * HOUR]);
      expect(await waiting(DAWN + 3 * HOUR)).toEqual([]);
      expect(await waiting(DAWN + 4 * HOUR)).toEqual([alert.id]);
    });

    test("an alert that was edited while it was compared still waits", async () => {
      const alert = await publish(store);

      await store.editAlert(alert, { ...alert, color: "white" }, DAWN, [0]);
      await store.addPairs(alert, [], COMPARISON, DAWN + HOUR);

      expect(await waiting(DAWN + HOUR)).toEqual([alert.id]);
    });

    test("an alert that was compared too often waits until the oldest comparison is a day old", async () => {
      const alert = await publish(store);
      const once = { ...COMPARISON, max: 1 };
      await store.addPairs(alert, [], once, DAWN);
      await store.changeStatus(
        alert,
        { status: "active", expiresAt: DAWN + 9 * DAY, endedAt: null },
        DAWN,
      );
      const renewed = await loadAlert(store, alert.id);

      await store.addPairs(renewed, [], once, DAWN + HOUR);

      expect(await waiting(DAWN + HOUR)).toEqual([]);
      expect(await waiting(DAWN + DAY)).toEqual([alert.id]);
    });

    test("more new pairs than a comparison adds are added by the next ones, a day later each", async () => {
      const lost = await publish(store);
      const pairs = [];
      for (let nth = 0; nth <= NEW_PAIRS_MAX; nth++)
        pairs.push(likelyPair(lost.id, (await publish(store, { type: "found" })).id, 60));
      const known = async () => (await store.matchNotices(DAWN + 9 * DAY, 500)).length / 2;

      await store.addPairs(lost, pairs, COMPARISON, DAWN);
      expect(await known()).toBe(NEW_PAIRS_MAX);
      const isDue = async (now: number) =>
        (await store.alertsToCompare(now, 100, LATEST)).some(({ id }) => id === lost.id);
      expect([await isDue(DAWN + DAY - 1), await isDue(DAWN + DAY)]).toEqual([false, true]);

      await store.addPairs(lost, pairs, COMPARISON, DAWN + DAY);
      expect(await known()).toBe(NEW_PAIRS_MAX + 1);
      expect(await isDue(DAWN + 9 * DAY)).toBe(false);
    });

    describe("notices to owners", () => {
      /** A lost alert and found ones, added as likely pairs. */
      async function likely(...scores: readonly number[]) {
        const lost = await publish(store, { type: "lost", ownerEmail: "o@example.org" });
        const found: Alert[] = [];
        for (const nth of scores.keys())
          found.push(await publish(store, { type: "found", ownerEmail: `f${nth}@example.net` }));
        const pairs = found.map(({ id }, nth) => likelyPair(lost.id, id, scores[nth]!));
        await store.addPairs(lost, pairs, COMPARISON, DAWN);
        return { lost, found };
      }
      const email = (to: string): MatchEmail => ({
        email: makeEmail({ to, content: MATCH }),
        links: [],
      });
      const told = async (now: number) =>
        (await store.leaseEmails(now, 1, 100)).flatMap(({ content, to }) =>
          content.kind === "match" ? [to] : [],
        );
      const cap = (key: string, max: number) => ({ key, max, windowMs: DAY });
      const scoresDue = async (now: number) =>
        (await store.matchNotices(now, 100)).map(({ score }) => score);

      test("come by descending score, each once, and none for muted alerts", async () => {
        const { lost, found } = await likely(50, 90, 70);
        expect(await scoresDue(DAWN)).toEqual([90, 90, 70, 70, 50, 50]);

        await store.muteMatches(found[0]!.id);
        await store.endPair(lost.id, found[1]!.id, DAWN);
        expect(await scoresDue(DAWN)).toEqual([70, 70, 50]);

        await store.addPairs(
          lost,
          found.map(({ id }) => likelyPair(lost.id, id, 80)),
          COMPARISON,
          DAWN,
        );
        expect(await scoresDue(DAWN)).toEqual([80, 80, 80]);
      });

      test("beyond the cap of an alert wait, and beyond the cap of a mailbox go into a digest", async () => {
        const { lost, found } = await likely(50, 90);
        const perAlert = cap("alert", 1);
        const perMailbox = cap("mailbox", 1);
        const toOwner = { perAlert: null, perMailbox, digestAt: DAWN + HOUR };
        const toFinder = { perAlert, perMailbox: cap("finder", 9), digestAt: DAWN };
        const [worse, better] = found.map(({ id }) => id);

        for (const id of [better!, worse!]) {
          const key = { alertId: lost.id, otherId: id };
          await store.queueMatchEmail(key, email("o@example.org"), toOwner, DAWN);
          const back = { alertId: id, otherId: lost.id };
          const to = id === better ? "f1@example.net" : "f0@example.net";
          await store.queueMatchEmail(back, email(to), toFinder, DAWN);
        }

        expect((await told(DAWN)).toSorted()).toEqual(["f1@example.net", "o@example.org"]);
        expect(await scoresDue(DAWN + DAY - 1)).toEqual([]);
        expect(await scoresDue(DAWN + DAY)).toEqual([50]);
        expect(await store.dueMatchDigests(DAWN, 9)).toEqual([]);
        expect(await store.dueMatchDigests(DAWN + HOUR, 9)).toEqual(["o@example.org"]);
        const { notices, total } = await store.matchDigest("o@example.org", 9);
        expect([notices.map(({ score }) => score), total]).toEqual([[50], 1]);
      });

      test("that a digest left out go into the next one, and so do all of a withdrawn digest", async () => {
        const { lost, found } = await likely(50, 60, 70);
        const full = { perAlert: null, perMailbox: cap("mailbox", 0), digestAt: DAWN };
        for (const { id } of found) {
          const key = { alertId: lost.id, otherId: id };
          await store.queueMatchEmail(key, email("o@example.org"), full, DAWN);
        }
        const keys = found.slice(1).map(({ id }) => ({ alertId: lost.id, otherId: id }));
        const digest = { ...email("o@example.org"), notices: keys, nextAt: DAWN + DAY };

        await store.queueMatchDigest("o@example.org", digest, cap("digest", 1), DAWN);
        expect(await store.dueMatchDigests(DAWN + DAY - 1, 9)).toEqual([]);
        expect((await store.matchDigest("o@example.org", 9)).total).toBe(1);

        await store.removeAlert(found[2]!.id, DAWN);
        expect(await told(DAWN)).toEqual([]);
        expect((await store.matchDigest("o@example.org", 9)).total).toBe(2);
      });

      test("that were dropped come back if the pair is likely again", async () => {
        const { lost, found } = await likely(50);
        const other = found[0]!;
        for (const [one, two] of [
          [lost, other],
          [other, lost],
        ] as const)
          await store.dropMatch({ alertId: one.id, otherId: two.id });
        expect(await scoresDue(DAWN)).toEqual([]);

        const pair = likelyPair(lost.id, other.id, 60);
        await store.addPairs(other, [pair], { ...COMPARISON, key: "other" }, DAWN);
        expect(await scoresDue(DAWN)).toEqual([60, 60]);
      });

      test("of an ended pair do not come back, though one of them was sent", async () => {
        const { lost, found } = await likely(50);
        const [other] = found.map(({ id }) => id);
        const caps = { perAlert: null, perMailbox: cap("mailbox", 1), digestAt: DAWN };
        const toOwner = { alertId: lost.id, otherId: other! };
        await store.queueMatchEmail(toOwner, email("o@example.org"), caps, DAWN);
        await store.endPair(lost.id, other!, DAWN);

        await store.addPairs(lost, [likelyPair(lost.id, other!, 60)], COMPARISON, DAWN);

        expect(await scoresDue(DAWN)).toEqual([]);
      });

      test("end with their alerts, and those of one owner are muted together", async () => {
        const { lost, found } = await likely(50, 60);
        await store.removeAlert(found[0]!.id, DAWN);
        expect(await scoresDue(DAWN)).toEqual([60, 60]);

        await publish(store, { ownerEmail: "O@example.org" });
        await store.muteMatchesOfOwner(lost.ownerEmail ?? "");
        expect((await store.matchNotices(DAWN, 9)).map(({ mine }) => mine.id)).toEqual([
          found[1]!.id,
        ]);
      });
    });

    test("an alert that is edited often is shown to moderators until one handles it", async () => {
      const alert = await publish(store);
      const rates = [cap3(DAY), cap3(7 * DAY)];
      for (let nth = 1; nth <= 3; nth++) {
        const seen = await loadAlert(store, alert.id);
        await store.editAlert(seen, { ...seen, color: `grey ${nth}` }, DAWN + nth * DAY, [HOUR]);
      }

      expect(await store.oftenEdited(rates, DAWN + 2 * DAY, 9)).toEqual([]);
      const [odd] = await store.oftenEdited(rates, DAWN + 3 * DAY, 9);
      expect([odd?.alert.id, odd?.counts]).toEqual([alert.id, [1, 3]]);

      await store.moderate(makeAction("dismiss", alert.id, { at: DAWN + 4 * DAY }));
      expect(await store.oftenEdited(rates, DAWN + 4 * DAY, 9)).toEqual([]);
    });
  });
}

const ALERT_IN_EMAIL = emailAlert(makeDraft());
const MATCH: EmailContent = {
  kind: "match",
  alert: ALERT_IN_EMAIL,
  other: ALERT_IN_EMAIL,
  score: 50,
  reasons: [],
  sealedToken: "sealed",
  sealedUnsubscribe: "sealed",
};
const cap3 = (windowMs: number) => ({ max: 3, windowMs });
