import type { ConfirmEmail } from "../../src/core/pending/pending.ts";
import type { Email } from "../../src/core/email.ts";
import { createOutboxWorker, type OutboxWorkerParts } from "../../src/mail/outbox-worker.ts";
import { memoryTransport } from "./memory-transport.ts";
import { DAY } from "./time.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";

/** Start time of the worker's clock. */
export const START = Date.UTC(2026, 10, 21, 7, 30);
/** Answers of the test transport. */
export const SENT: Delivery = { kind: "sent" };
export const LATER: Delivery = { kind: "later", why: "451 not now" };

/** Outbox worker with an outbox of its own, a transport that answers as told and a clock that is pushed. */
export function createOutboxWorld(
  options: {
    emails?: readonly string[];
    answer?: (mail: { id: string }) => Delivery | Promise<Delivery>;
    compose?: OutboxWorkerParts["compose"];
    /** Of an email's reader. */
    domain?: (id: string) => string;
  } = {},
) {
  let now = START;
  const logged: string[] = [];
  const waiters = new Map<string, () => void>();
  const rows = new Map<string, OutboxRow>();
  const asked: string[] = [];
  const { answer = () => SENT, domain = (id) => `${id}.example.org` } = options;
  const transport = memoryTransport({
    answer(mail) {
      asked.push(mail.id);
      return answer(mail);
    },
  });
  const store: OutboxWorkerParts["store"] = {
    async leaseEmails(at, leaseMs, limit, domainsToLeave = []) {
      const due = [...rows.values()].filter(
        (row) =>
          row.state === "waiting" &&
          row.dueAt <= at &&
          !domainsToLeave.some((domain) => row.email.to.endsWith(`@${domain}`)),
      );
      const taken = due.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, limit);
      for (const row of taken) row.dueAt = at + leaseMs;
      return taken.map(({ email, dueAt }) => ({ ...email, leasedUntil: dueAt }));
    },
    async closeEmails(closed) {
      for (const { id, outcome } of closed) {
        rows.get(id)!.state = outcome;
        waiters.get(id)?.();
      }
    },
    async postponeEmail({ id }, dueAt) {
      rows.get(id)!.dueAt = dueAt;
    },
    suppression: async () => null,
    recordBounce: async () => "ignored",
  };
  const worker = () =>
    createOutboxWorker({
      isSteady: async () => true,
      store,
      transport,
      compose: options.compose ?? composed,
      clock: () => now,
      log: (text, error) => logged.push(`${text} ${error instanceof Error ? error.message : ""}`),
      onOutcome: () => {},
      mailboxHash: (mailbox) => mailbox,
      returnPath: () => null,
    });
  const post = (id: string) =>
    rows.set(id, { email: email(id, domain(id), now), dueAt: now, state: "waiting" });
  for (const id of options.emails ?? []) post(id);
  return {
    store,
    transport,
    worker: worker(),
    another: worker,
    post,
    now: () => now,
    wait(ms: number) {
      now += ms;
    },
    closed: (id: string) => new Promise<void>((resolve) => waiters.set(id, resolve)),
    sent: () => transport.kept.map(({ mail }) => mail.id),
    /** Emails the transport was given, in order. */
    asked: () => asked,
    /** Resolves when all that can go on without an answer or the clock went on. */
    quiet: () => new Promise<void>((resolve) => setImmediate(resolve)),
    states: () => Object.fromEntries([...rows].map(([id, { state }]) => [id, state])),
    dueAt: (id: string) => rows.get(id)?.dueAt,
    logged: () => logged,
  };
}

type OutboxRow = { email: Email; dueAt: number; state: string };

function email(id: string, domain: string, createdAt: number): Email<ConfirmEmail> {
  return {
    id,
    to: `reader@${domain}`,
    language: "de",
    content: {
      kind: "confirm",
      action: "zone",
      shortCode: null,
      sealedToken: "t",
      expiresAt: createdAt,
      timeZone: "UTC",
    },
    createdAt,
    giveUpAt: createdAt + 3 * DAY,
  };
}

/** The words of an email that is about nothing. */
export function composed({ id }: Email) {
  return {
    subject: `About ${id}`,
    text: "Hello\n",
    html: "<p>Hello</p>\n",
    link: "https://pets.example.org/",
    unsubscribeUrl: null,
  };
}
