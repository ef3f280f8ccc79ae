import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import { type Email } from "../../src/core/email.ts";
import { publish, resolve } from "./confirmed.ts";
import { makeAction, makeBulk, makeEmail, makeId, makeLink, makeOutcome } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import { emailAlert } from "../../src/core/alerts/email-alert.ts";

function planEmailOf(alert: Alert): Email {
  return makeEmail({
    to: alert.ownerEmail ?? "",
    content: {
      kind: "plan",
      alert: emailAlert(alert),
      day: 1,
      steps: ["search_house"],
      sealedToken: "t",
      sealedUnsubscribe: "u",
    },
  });
}

/** Store contract: steps of plans, the emails about them, and what is counted at the end. */
export function describePlans(): void {
  const end = async (alert: Alert) => expect(await resolve(store, alert)).toBe(true);
  const waiting = async () => (await store.outboxState()).waiting;
  const dayOf = (alert: { readonly publishedAt: number }, day = 1) => ({
    day,
    after: alert.publishedAt - DAY,
    upTo: alert.publishedAt,
  });
  /** Alerts that are due, once it is certain that their mailboxes are exactly those that are due. */
  const due = async (day: ReturnType<typeof dayOf>, now = DAWN) => {
    const mailboxes = await store.mailboxesDuePlanEmails([day], now, 10);
    const found = [];
    for (const mailbox of mailboxes) {
      const alerts = await store.duePlanEmails(mailbox, [day], now, 10);
      expect(alerts.length).toBeGreaterThan(0);
      found.push(...alerts);
    }
    return found;
  };

  describe("plans", () => {
    test("a step is done once, and can be undone, while the alert is active", async () => {
      const alert = await publish(store);
      const mark = (isDone: boolean) => store.markPlanStep(alert.id, "search_house", isDone, DAWN);

      expect(await mark(true)).toBe(true);
      expect(await mark(true)).toBe(true);
      expect(await store.markPlanStep(alert.id, "report_chip", true, DAWN)).toBe(true);
      expect((await store.donePlanSteps(alert.id)).toSorted()).toEqual([
        "report_chip",
        "search_house",
      ]);
      expect(await mark(false)).toBe(true);
      expect(await store.donePlanSteps(alert.id)).toEqual(["report_chip"]);

      await end(alert);
      expect(await mark(true)).toBe(false);
      expect(await store.markPlanStep("unknown", "report_chip", true, DAWN)).toBe(false);
    });

    test("an email is due once for each day, with the steps that are done, and none of an earlier day", async () => {
      const alert = await publish(store);
      await store.markPlanStep(alert.id, "search_house", true, DAWN);
      const before = await waiting();

      const [first] = await due(dayOf(alert));
      expect(first).toMatchObject({ alert: { id: alert.id }, day: 1, done: ["search_house"] });
      await store.addPlanEmail([{ alert, day: 1 }], makeEmail(), []);
      await store.addPlanEmail([{ alert, day: 1 }], makeEmail(), []);

      expect((await waiting()) - before).toBe(1);
      expect(await due(dayOf(alert))).toEqual([]);
      expect(await due(dayOf(alert, 3))).toHaveLength(1);
      await store.addPlanEmail([{ alert, day: 3 }], null, []);
      expect((await waiting()) - before).toBe(1);
      expect(await due(dayOf(alert, 3))).toEqual([]);
      expect(await due(dayOf(alert))).toEqual([]);
    });

    test("no email is due outside of its time, or about an alert that is over, muted, imported or nobody's", async () => {
      const alert = await publish(store);
      const day = dayOf(alert);
      expect(await due({ ...day, after: alert.publishedAt })).toEqual([]);
      expect(await due({ ...day, upTo: alert.publishedAt - 1 })).toEqual([]);
      expect(await due(day, alert.expiresAt)).toEqual([]);
      expect(await due(day)).toHaveLength(1);

      await store.mutePlanEmails(alert.id, DAWN);
      expect(await due(day)).toEqual([]);
      const before = await waiting();
      await store.addPlanEmail([{ alert, day: 1 }], makeEmail(), []);
      expect(await waiting()).toBe(before);

      const ended = await publish(store);
      await end(ended);
      await publish(store, { ownerEmail: null });
      await store.addAlerts([makeBulk()], DAWN);
      expect(await due({ day: 1, after: alert.publishedAt, upTo: DAWN + DAY })).toEqual([]);
    });

    test("the alerts of one mailbox are found together, and none of another spelling", async () => {
      const ownerEmail = "Anna@example.org";
      const one = await publish(store, { ownerEmail });
      const two = await publish(store, { ownerEmail });
      for (const other of ["anna@example.org", "hanna@example.org"])
        await publish(store, { ownerEmail: other });
      const days = [{ day: 1, after: one.publishedAt - 1, upTo: DAWN + DAY }];

      expect((await store.mailboxesDuePlanEmails(days, DAWN, 10)).toSorted()).toEqual([
        "Anna@example.org",
        "anna@example.org",
        "hanna@example.org",
      ]);
      expect(await store.mailboxesDuePlanEmails(days, DAWN, 1)).toEqual([ownerEmail]);
      const found = await store.duePlanEmails(ownerEmail, days, DAWN, 10);
      expect(found.map(({ alert, day }) => [alert.id, day])).toEqual([
        [one.id, 1],
        [two.id, 1],
      ]);
      expect(await store.duePlanEmails(ownerEmail, days, DAWN, 1)).toHaveLength(1);
    });

    describe("an email about several alerts", () => {
      const ownerEmail = "anna@example.org";
      const queued = async () => {
        const alerts = [
          await publish(store, { ownerEmail }),
          await publish(store, { ownerEmail }),
          await publish(store, { ownerEmail }),
        ] as const;
        const about = alerts.map((alert) => ({ alert, day: 1 }));
        const plans = alerts.map((alert) => ({
          alertId: alert.id,
          alert: emailAlert(alert),
          day: 1,
          steps: ["search_house"] as const,
          sealedToken: "t",
        }));
        const content = { kind: "plan-digest", plans, sealedUnsubscribe: "u" } as const;
        const before = await waiting();
        const add = () =>
          store.addPlanEmail(about, makeEmail({ to: ownerEmail, content }), [
            makeLink({ purpose: "unsubscribe", subject: `all-plans:${makeId("owner")}` }),
          ]);
        await add();
        expect((await waiting()) - before).toBe(1);
        const days = [{ day: 1, after: alerts[0].publishedAt - 1, upTo: DAWN + DAY }];
        const dueIds = async () =>
          (await store.duePlanEmails(ownerEmail, days, DAWN, 10)).map(({ alert }) => alert.id);
        expect(await dueIds()).toEqual([]);
        return { alerts, about, add, dueIds, added: async () => (await waiting()) - before };
      };

      test("is added only if all are as they were seen and none is in the ledger", async () => {
        const fresh = await publish(store, { ownerEmail });
        const ended = await publish(store, { ownerEmail });
        await end(ended);
        const stranger = await publish(store, { ownerEmail: "ben@example.org" });
        const { alerts, about, add, added } = await queued();

        await add();
        await store.addPlanEmail([...about, { alert: fresh, day: 1 }], makeEmail(), []);
        const next = about.map((one) => ({ ...one, day: 3 }));
        await store.addPlanEmail([...next, { alert: ended, day: 3 }], makeEmail(), []);
        await store.addPlanEmail([...next, { alert: stranger, day: 3 }], makeEmail(), []);

        expect(await added()).toBe(1);
        const dueLater = (await due(dayOf(alerts[0], 3))).map(({ alert }) => alert.id);
        expect(dueLater).toContain(alerts[0].id);
      });

      test.each(["all-plans", "all-matches"])(
        "has a link (%s) that stays until the last alert of exactly its owner is erased",
        async (kind) => {
          const { alerts } = await queued();
          const subject = `${kind}:${ownerEmail}`;
          const link = makeLink({ purpose: "unsubscribe", subject });
          const other = await publish(store, { ownerEmail: ownerEmail.toUpperCase() });
          await store.addPlanEmail([{ alert: other, day: 1 }], makeEmail(), [link]);

          await store.removeAlert(alerts[0].id, DAWN);
          await end(alerts[1]);
          await store.eraseEnded(DAWN + 1, DAWN + DAY, 10);
          expect(await store.linkTo("unsubscribe", subject)).toEqual(link);
          await store.removeAlert(alerts[2].id, DAWN);
          expect(await store.linkTo("unsubscribe", subject)).toBeNull();
        },
      );

      test("is withdrawn when one of them ends, and the others are due again", async () => {
        const { alerts, dueIds, added } = await queued();
        await end(alerts[1]);

        expect(await added()).toBe(0);
        expect(await dueIds()).toEqual([alerts[0].id, alerts[2].id]);
      });

      test("is withdrawn when a moderator hides one of them, and all are due again once it is shown", async () => {
        const { alerts, dueIds, added } = await queued();
        const act = (act: "hide" | "restore") => store.moderate(makeAction(act, alerts[1].id));
        await act("hide");
        expect(await added()).toBe(0);
        expect(await dueIds()).toEqual([alerts[0].id, alerts[2].id]);
        await act("restore");
        expect(await dueIds()).toEqual(alerts.map(({ id }) => id));
      });

      test("is withdrawn when a step of one of them is marked, and all are due again", async () => {
        const { alerts, dueIds, added } = await queued();
        await store.markPlanStep(alerts[1].id, "search_house", true, DAWN);
        expect(await added()).toBe(0);
        expect(await dueIds()).toEqual(alerts.map(({ id }) => id));
      });

      test("is withdrawn when one of them expires", async () => {
        const { alerts, added } = await queued();
        await store.expireAlerts(Math.min(...alerts.map(({ expiresAt }) => expiresAt)), 10);
        expect(await added()).toBe(0);
      });

      test("is withdrawn when its owner stops those about one of them, or removes it", async () => {
        const { alerts, dueIds, added } = await queued();
        await store.mutePlanEmails(alerts[0].id, DAWN);
        expect(await added()).toBe(0);
        expect(await dueIds()).toEqual([alerts[1].id, alerts[2].id]);

        await store.removeAlert(alerts[1].id, DAWN);
        expect(await dueIds()).toEqual([alerts[2].id]);
      });

      test("is withdrawn when its owner stops all", async () => {
        const stranger = await publish(store, { ownerEmail: "ben@example.org" });
        const { dueIds, added } = await queued();
        await store.mutePlanEmailsOfOwner(ownerEmail, DAWN);

        expect(await added()).toBe(0);
        expect(await dueIds()).toEqual([]);
        expect(await due(dayOf(stranger))).toHaveLength(1);
      });
    });

    test("an email that is withdrawn again and again while it leaves is added only up to its limit", async () => {
      const alert = await publish(store);
      const hits = [{ key: makeId("plan"), max: 3, windowMs: DAY }];
      let leaving = 0;
      for (let nth = 0; nth < 6; nth++) {
        await store.addPlanEmail([{ alert, day: 1 }], planEmailOf(alert), [], hits);
        const leased = await store.leaseEmails(DAWN + DAY, HOUR, 10);
        leaving += leased.filter(({ content }) => content.kind === "plan").length;
        await store.markPlanStep(alert.id, "search_house", nth % 2 === 0, DAWN);
      }

      expect(leaving).toBe(3);
      expect(await due(dayOf(alert))).toEqual([]);
    });

    test("an email that waits is withdrawn when the alert ends or its owner stops such emails", async () => {
      const email = (alert: Alert) =>
        store.addPlanEmail([{ alert, day: 1 }], planEmailOf(alert), [
          makeLink({ purpose: "unsubscribe", subject: `plan:${alert.id}` }),
        ]);
      const one = await publish(store);
      const other = await publish(store);
      const before = await waiting();
      await email(one);
      await email(other);
      expect((await waiting()) - before).toBe(2);

      await end(one);
      expect((await waiting()) - before).toBe(1);
      await store.mutePlanEmails(other.id, DAWN);
      expect((await waiting()) - before).toBe(0);
    });

    test("the steps that were done are counted with the outcome, once, and then erased with the alert", async () => {
      const home = async () => {
        const alert = await publish(store);
        await store.markPlanStep(alert.id, "search_house", true, DAWN);
        await store.markPlanStep(alert.id, "report_chip", true, DAWN);
        await end(alert);
        const { species } = alert;
        const outcome = makeOutcome({ week: "2026-11-16", species, days: 2, how: "searched" });
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
}
