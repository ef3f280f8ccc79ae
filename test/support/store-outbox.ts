import { describe, expect, test } from "bun:test";
import { makeRequest, makeEmail, makePending } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, MINUTE } from "./time.ts";

/** Store contract: emails in the outbox. */
export function describeOutbox(): void {
  describe("the outbox", () => {
    test("does not lease an email twice until the lease is over", async () => {
      const ask = makeRequest();
      await store.addPending(ask, DAWN);

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
      const ask = makeRequest();
      await store.addPending(ask, DAWN);
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
      const ask = makeRequest();
      await store.addPending(ask, DAWN);
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
