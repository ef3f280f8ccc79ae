import { describe, expect, test } from "bun:test";
import { newState } from "../../src/core/tables/table-state.ts";
import { addRequest, publish, resolve } from "./confirmed.ts";
import { makeBulk, makeEmail, makePending, makeRequest } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: scheduled jobs for expiry, reminders and deletion. */
export function describeJobs(): void {
  describe("scheduled jobs", () => {
    test("alerts expire at their time, and not before", async () => {
      const soon = await publish(store, { expiresAt: DAWN + DAY });
      const later = await publish(store, { expiresAt: DAWN + 2 * DAY });

      expect(await store.expireAlerts(DAWN + DAY, 10)).toBe(1);

      expect(await store.alert({ by: "id", id: soon.id })).toMatchObject({
        status: "expired",
        endedAt: DAWN + DAY,
      });
      expect((await store.alert({ by: "id", id: later.id }))?.status).toBe("active");
    });

    test("a reminder is sent once for each distance, and a near one replaces a far one", async () => {
      const alert = await publish(store, { expiresAt: DAWN + DAY });
      const remind = (withinMs: number) => store.addReminder(alert, withinMs, makeEmail(), []);

      expect(await store.dueReminders(DAWN, 7 * DAY, 10)).toHaveLength(1);
      const before = (await store.outboxState()).waiting;
      await remind(DAY);
      await remind(DAY);

      expect((await store.outboxState()).waiting - before).toBe(1);
      expect(await store.dueReminders(DAWN, DAY, 10)).toEqual([]);
      expect(await store.dueReminders(DAWN, 7 * DAY, 10)).toEqual([]);
    });

    test("muted, imported and ownerless alerts get no reminder", async () => {
      const muted = await publish(store, { expiresAt: DAWN + DAY });
      await store.muteReminders(muted.id);
      await publish(store, { expiresAt: DAWN + DAY, ownerEmail: null });
      await store.addAlerts([makeBulk({ expiresAt: DAWN + DAY })], DAWN);

      expect(await store.dueReminders(DAWN, DAY, 10)).toEqual([]);
    });

    test("personal data of an ended alert is erased, and its public view stays", async () => {
      const alert = await publish(store, { chipHash: "chip" });
      await resolve(store, alert);

      expect(await store.eraseEnded(DAWN, DAWN, 10)).toBe(0);
      expect(await store.eraseEnded(DAWN + 1, DAWN + 1, 10)).toBe(1);
      expect(await store.eraseEnded(DAWN + 1, DAWN + 1, 10)).toBe(0);

      const left = await store.alert({ by: "id", id: alert.id });
      expect(left).toMatchObject({
        status: "resolved",
        name: "Mimi",
        ownerEmail: null,
        chipHash: null,
      });
      expect(await store.linkTo("manage", alert.id)).toBeNull();
    });

    test("sweeping deletes old requests and closed emails, and nothing younger", async () => {
      const old = makeRequest();
      const young = makeRequest({
        pending: makePending({ createdAt: DAWN + DAY, expiresAt: DAWN + 3 * DAY }),
      });
      await store.addPending(old, DAWN);
      await store.addPending(young, DAWN + DAY);

      await store.sweep(
        { now: DAWN + DAY, before: DAWN + 1, hitsBefore: DAWN, auditLogBefore: DAWN },
        10,
      );

      expect(await store.pendingByToken(old.pending.tokenHash)).toBeNull();
      expect(await store.pendingByToken(young.pending.tokenHash)).not.toBeNull();
      expect(await store.isShortCodeTaken(old.pending.names?.shortCode ?? "")).toBe(true);
    });

    test("a node keeps the lead, and can take it again after it gave it up", async () => {
      expect(await store.takeLead("one", 60_000)).toBe(true);
      expect(await store.takeLead("one", 60_000)).toBe(true);
      await store.endLead("one");
      expect(await store.takeLead("one", 60_000)).toBe(true);
    });

    test("the clock of the database is right, if it has one of its own", async () => {
      const before = Date.now();
      const time = await store.databaseTime();

      const here = time ?? before;
      expect(here).toBeGreaterThanOrEqual(before - 1);
      expect(here).toBeLessThanOrEqual(Date.now() + 1);
    });

    test("the heartbeat is the last one recorded", async () => {
      expect(await store.heartbeat()).toBeNull();
      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN - DAY });
      expect(await store.heartbeat()).toEqual({ at: DAWN, steadySince: DAWN - DAY });
    });
  });
}

/** Store contract: emails in the outbox. */
export function describeOutbox(): void {
  describe("the outbox", () => {
    test("does not lease an email twice until the lease is over", async () => {
      const ask = await addRequest(store);

      const lease = (at: number) => store.leaseEmails(at, 10 * MINUTE, 10);
      expect(await lease(DAWN)).toEqual([{ ...ask.email, leasedUntil: DAWN + 10 * MINUTE }]);
      expect(await lease(DAWN + 9 * MINUTE)).toEqual([]);
      expect(await lease(DAWN + 10 * MINUTE)).toEqual([
        { ...ask.email, leasedUntil: DAWN + 20 * MINUTE },
      ]);
    });

    test("does not lease emails to domains that are to be skipped", async () => {
      const to = ["a@left.example", "b@example.org", "c@left.example.org"];
      const emails = to.map((one) => makeEmail({ to: one }));
      for (const email of emails)
        await store.addPending(
          makeRequest({ email, pending: makePending({ networkHash: email.id }) }),
          DAWN,
        );

      const first = await store.leaseEmails(DAWN, MINUTE, 10, ["left.example", "no.example"]);
      const rest = await store.leaseEmails(DAWN, MINUTE, 10);

      expect(first.map((one) => one.to)).toEqual(["b@example.org", "c@left.example.org"]);
      expect(rest.map((one) => one.to)).toEqual(["a@left.example"]);
    });

    test("does not lease a closed email again, and wipes its content", async () => {
      const ask = await addRequest(store);
      const [leased] = await store.leaseEmails(DAWN, MINUTE, 1);
      await store.closeEmails([{ id: ask.email.id, outcome: "sent", mailboxHash: null }], DAWN);
      await store.postponeEmail(leased!, DAWN);

      expect(await store.leaseEmails(DAWN + DAY, MINUTE, 10)).toEqual([]);
      expect(await store.outboxState()).toEqual({ waiting: 0, oldestAt: null, dueSince: null });
    });

    test("returns the number of waiting emails, the age of the oldest, and when the first is due", async () => {
      await store.addPending(makeRequest({ email: makeEmail({ createdAt: DAWN }) }), DAWN);
      const later = DAWN + MINUTE;
      await store.addPending(makeRequest({ email: makeEmail({ createdAt: later }) }), later);
      const due = { waiting: 2, oldestAt: DAWN, dueSince: DAWN };
      expect(await store.outboxState()).toEqual(due);

      const [first] = await store.leaseEmails(DAWN, 10 * MINUTE, 1);
      expect(await store.outboxState()).toEqual({ ...due, dueSince: later });
      await store.postponeEmail(first!, later - 1);
      expect(await store.outboxState()).toEqual({ ...due, dueSince: later - 1 });

      await store.closeEmails([{ id: first?.id ?? "", outcome: "sent", mailboxHash: null }], later);
      expect(await store.outboxState()).toEqual({ waiting: 1, oldestAt: later, dueSince: later });
    });

    test("leases a postponed email at its new time", async () => {
      await addRequest(store);
      const [leased] = await store.leaseEmails(DAWN, 10 * MINUTE, 10);
      await store.postponeEmail(leased!, DAWN + MINUTE);

      expect(await store.leaseEmails(DAWN + MINUTE - 1, MINUTE, 10)).toEqual([]);
      expect(await store.leaseEmails(DAWN + MINUTE, MINUTE, 10)).toHaveLength(1);
    });

    test("leaves an email to the worker that took it after the lease of another", async () => {
      await store.addPending(makeRequest(), DAWN);
      const [first] = await store.leaseEmails(DAWN, 10 * MINUTE, 10);
      const [second] = await store.leaseEmails(DAWN + 10 * MINUTE, 10 * MINUTE, 10);
      await store.postponeEmail(first!, DAWN + 11 * MINUTE);

      expect(await store.leaseEmails(DAWN + 11 * MINUTE, 10 * MINUTE, 10)).toEqual([]);
      await store.postponeEmail(second!, DAWN + 12 * MINUTE);
      expect(await store.leaseEmails(DAWN + 12 * MINUTE, 10 * MINUTE, 10)).toHaveLength(1);
    });
  });
}

/** Store contract: tables that are read again and again. */
export function describeTables(): void {
  describe("tables", () => {
    const fresh = newState("kennel", DAWN);
    const take = (now: number) => store.takeTable(fresh, now, now + 10 * MINUTE);

    test("are taken by one reader at a time, until it saves or its time is over", async () => {
      expect(await take(DAWN)).toEqual(fresh);
      expect(await take(DAWN + MINUTE)).toBeNull();

      const read = { ...fresh, goodAt: DAWN, failures: 3 };
      expect(await store.saveTable(read, DAWN + 10 * MINUTE, [], DAWN)).toBe(true);
      expect(await take(DAWN + MINUTE)).toEqual(read);
      expect(await take(DAWN + 11 * MINUTE)).toEqual(read);
    });

    test("are free again after the clock was set back", async () => {
      await take(DAWN + DAY);

      expect(await take(DAWN)).toEqual(fresh);
    });

    test("are not saved by a reader whose time is over, once another has taken them", async () => {
      await take(DAWN);
      await take(DAWN + HOUR);

      const late = { ...fresh, failures: 7 };
      expect(await store.saveTable(late, DAWN + 10 * MINUTE, [], DAWN)).toBe(false);
      expect(await store.tableStates(10)).toEqual([fresh]);
    });

    test("are listed by name, as far as the limit", async () => {
      for (const one of ["c", "a", "b"])
        await store.saveTable({ ...fresh, name: one }, null, [], DAWN);

      expect((await store.tableStates(2)).map((state) => state.name)).toEqual(["a", "b"]);
    });

    test("queue the notices whose limits have room", async () => {
      const notice = (key: string) => ({
        emails: [makeEmail()],
        hits: [{ key, max: 1, windowMs: DAY }],
      });
      const waiting = async () => (await store.outboxState()).waiting;

      await store.saveTable(fresh, null, [notice("a"), notice("b")], DAWN);
      expect(await waiting()).toBe(2);
      await store.saveTable(fresh, null, [notice("a")], DAWN + HOUR);
      expect(await waiting()).toBe(2);
      await store.saveTable(fresh, null, [notice("a")], DAWN + DAY + HOUR);
      expect(await waiting()).toBe(3);
    });
  });
}
