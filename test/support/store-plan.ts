import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { makeBulk, makeEmail, makeLink } from "./make.ts";
import { DAWN, DAY } from "./time.ts";

/** Store contract: steps of plans, the emails about them, and what is counted at the end. */
export function describePlans(name: string, open: () => Promise<Store>): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const resolve = async (alert: Awaited<ReturnType<typeof publish>>) => {
      const change = { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN } as const;
      expect(await store.changeStatus(alert, change, DAWN)).toBe(true);
    };
    const waiting = async () => (await store.outboxState()).waiting;
    const due = (alert: { readonly publishedAt: number }, day = 1) => ({
      day,
      after: alert.publishedAt - DAY,
      upTo: alert.publishedAt,
      now: DAWN,
    });

    describe("plans", () => {
      test("a step is done once, and can be undone, while the alert is active", async () => {
        const alert = await publish(store);
        const mark = (doneAt: number | null) =>
          store.markPlanStep(alert.id, "search_house", doneAt);

        expect(await mark(DAWN)).toBe(true);
        expect(await mark(DAWN + DAY)).toBe(true);
        expect(await store.markPlanStep(alert.id, "report_chip", DAWN)).toBe(true);
        expect((await store.donePlanSteps(alert.id)).toSorted()).toEqual([
          "report_chip",
          "search_house",
        ]);
        expect(await mark(null)).toBe(true);
        expect(await store.donePlanSteps(alert.id)).toEqual(["report_chip"]);

        await resolve(alert);
        expect(await mark(DAWN)).toBe(false);
        expect(await store.markPlanStep("unknown", "report_chip", DAWN)).toBe(false);
      });

      test("an email is due once for each day, with the steps that are done, and none of an earlier day", async () => {
        const alert = await publish(store);
        await store.markPlanStep(alert.id, "search_house", DAWN);
        const before = await waiting();

        const [first] = await store.duePlanEmails(due(alert), 10);
        expect(first).toMatchObject({ alert: { id: alert.id }, done: ["search_house"] });
        await store.addPlanEmail(alert, 1, makeEmail(), []);
        await store.addPlanEmail(alert, 1, makeEmail(), []);

        expect((await waiting()) - before).toBe(1);
        expect(await store.duePlanEmails(due(alert), 10)).toEqual([]);
        expect(await store.duePlanEmails(due(alert, 3), 10)).toHaveLength(1);
        await store.addPlanEmail(alert, 3, null, []);
        expect((await waiting()) - before).toBe(1);
        expect(await store.duePlanEmails(due(alert, 3), 10)).toEqual([]);
        expect(await store.duePlanEmails(due(alert), 10)).toEqual([]);
      });

      test("no email is due outside of its time, or about an alert that is over, muted, imported or nobody's", async () => {
        const alert = await publish(store);
        const isDue = async (at = due(alert)) => (await store.duePlanEmails(at, 10)).length;
        expect(await isDue({ ...due(alert), after: alert.publishedAt })).toBe(0);
        expect(await isDue({ ...due(alert), upTo: alert.publishedAt - 1 })).toBe(0);
        expect(await isDue({ ...due(alert), now: alert.expiresAt })).toBe(0);
        expect(await isDue()).toBe(1);

        await store.mutePlanEmails(alert.id, DAWN);
        expect(await isDue()).toBe(0);
        const before = await waiting();
        await store.addPlanEmail(alert, 1, makeEmail(), []);
        expect(await waiting()).toBe(before);

        const ended = await publish(store);
        await resolve(ended);
        const nobodys = await publish(store, { ownerEmail: null });
        await store.addAlerts([makeBulk()], DAWN);
        expect(await isDue({ ...due(nobodys), after: alert.publishedAt, upTo: DAWN + DAY })).toBe(
          0,
        );
      });

      test("an email that waits is withdrawn when the alert ends or its owner stops such emails", async () => {
        const email = (alert: Awaited<ReturnType<typeof publish>>) =>
          store.addPlanEmail(
            alert,
            1,
            makeEmail({
              to: alert.ownerEmail ?? "",
              content: {
                kind: "plan",
                alert: {
                  slug: alert.slug,
                  shortCode: alert.shortCode,
                  type: alert.type,
                  species: alert.species,
                  name: alert.name,
                  color: alert.color,
                  city: alert.city,
                  eventDate: alert.eventDate,
                },
                day: 1,
                steps: ["search_house"],
                sealedToken: "t",
                sealedUnsubscribe: "u",
              },
            }),
            [makeLink({ purpose: "unsubscribe", subject: `plan:${alert.id}` })],
          );
        const one = await publish(store);
        const other = await publish(store);
        const before = await waiting();
        await email(one);
        await email(other);
        expect((await waiting()) - before).toBe(2);

        await resolve(one);
        expect((await waiting()) - before).toBe(1);
        await store.mutePlanEmails(other.id, DAWN);
        expect((await waiting()) - before).toBe(0);
      });

      test("the steps that were done are counted with the outcome, once, and then erased with the alert", async () => {
        const home = async () => {
          const alert = await publish(store);
          await store.markPlanStep(alert.id, "search_house", DAWN);
          await store.markPlanStep(alert.id, "report_chip", DAWN);
          await resolve(alert);
          const outcome = {
            week: "2026-11-16",
            type: "lost",
            species: alert.species,
            days: 2,
            how: "searched",
            distance: null,
          } as const;
          expect(await store.addOutcome(alert.id, outcome)).toBe(true);
          expect(await store.addOutcome(alert.id, outcome)).toBe(false);
          return alert;
        };
        const first = await home();
        await home();

        const steps = (await store.returnSteps("2026-11-23")).toSorted((a, b) =>
          a.by < b.by ? -1 : 1,
        );
        const counted = { week: "2026-11-16", species: first.species, animals: 2 };
        expect(steps).toEqual([
          { ...counted, by: "report_chip" },
          { ...counted, by: "search_house" },
        ]);
        expect(await store.returnWays("2026-11-23")).toEqual([{ ...counted, by: "searched" }]);
        expect(await store.returnSteps("2026-11-16")).toEqual([]);
        expect(await store.returnWays("2026-11-16")).toEqual([]);

        expect(await store.donePlanSteps(first.id)).toHaveLength(2);
        await store.eraseEnded(DAWN + 1, DAWN + 1, 10);
        expect(await store.donePlanSteps(first.id)).toEqual([]);
        expect(await store.returnSteps("2026-11-23")).toHaveLength(2);
      });
    });
  });
}
