import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { createPause, PAUSE_MAX_MS, PAUSE_MIN_MS } from "../core/pause.ts";
import type { ClosedEmail, Email, EmailOutcome, LeasedEmail } from "../core/email.ts";
import type { Store } from "../core/service/store.ts";
import { isSuppressed } from "../core/people/suppression.ts";
import type { ComposedEmail } from "./emails/compose.ts";
import type { Mail } from "./mime-message.ts";
import { SMTP_CONNECTIONS, type Transport } from "./smtp.ts";
import type { Clock } from "../core/instance.ts";
import type { Delivery } from "./smtp-outcome.ts";

/** Worker that sends the emails of the outbox. */
export type OutboxWorker = {
  /**
   * Sends due emails, at most `most`, a new one in each slot as it becomes free. Resolves when the emails it started are
   * done; need not be awaited, never throws, and calls may overlap.
   */
  tick(now: number, most?: number): Promise<void>;
  /** Starts no more emails; resolves when those in progress are done. Close the transport to abort them. */
  stop(): Promise<void>;
  /** Time before which no email is sent; null when not paused. */
  readonly pausedUntil: number | null;
};

export type OutboxWorkerParts = {
  readonly store: Pick<
    Store,
    "leaseEmails" | "closeEmails" | "postponeEmail" | "suppression" | "recordBounce"
  >;
  readonly transport: Transport;
  readonly compose: (email: Email) => ComposedEmail;
  /** Hash of a mailbox, its key on the suppression list. */
  readonly mailboxHash: (mailbox: string) => string;
  /** Envelope sender of an email; null for the sender's own address. */
  readonly returnPath: (emailId: string) => string | null;
  readonly clock: Clock;
  /** False after a jump of the clock: emails are not given up then. */
  readonly isSteady: (now: number) => Promise<boolean>;
  /** For the operator. The text contains no mailbox, no link and no text written by the public. */
  readonly log: (text: string, error?: unknown) => void;
  /** Called with the outcome of each attempt, or when an email is given up. */
  readonly onOutcome: (outcome: Delivery["kind"] | "given_up" | "suppressed") => void;
  /** Emails to one domain under way at once: mailboxes that hang only delay mail to their own domain. */
  readonly slotsPerDomain?: number;
};

/** Emails sent at once, while the mail server responds normally. */
export const SEND_SLOTS = 4;
/** An email that takes longer frees its slot and continues in the background, as long as there are connections. */
export const SLOW_MS = 10_000;
/** Default of `slotsPerDomain`. */
export const SEND_SLOTS_PER_DOMAIN = 3;
/** Time after which an email whose worker died is taken by another. */
export const EMAIL_LEASE_MS = 10 * MINUTE_MS;
/** Emails taken before a slot is free, while all are sent quickly: the outbox is then read and written for many at once. */
const AHEAD_MAX = 50;
/** Once an email takes longer, none are taken ahead. Those that were are put back after as long, so that they can be withdrawn. */
const AHEAD_MS = 1_000;
/** Emails sent per tick. */
const EMAILS_PER_TICK = 500;
/** Delay of an email that could not be composed because of a bug, until the program is fixed. */
const COMPOSE_RETRY_MS = HOUR_MS;

export function createOutboxWorker(parts: OutboxWorkerParts): OutboxWorker {
  const { store, transport, compose, mailboxHash, returnPath, clock, isSteady, log, onOutcome } =
    parts;
  const { slotsPerDomain = SEND_SLOTS_PER_DOMAIN } = parts;
  const pause = createPause();
  const inProgress = new Set<Sending>();
  /** Emails taken before a slot was free, with the time at which they were, and how many may be. */
  const ahead: { readonly email: LeasedEmail; readonly at: number }[] = [];
  let aheadMax = 0;
  /** Serialises taking emails, so that each sees the free slots left by those before it. */
  let taking: Promise<unknown> = Promise.resolve();
  /** Results that the store failed to record; recorded later, so that the email is not sent again. */
  const unrecorded = new Map<string, SendResult>();
  /** Ends of emails, written together: those that come while others are being written are the next. */
  const closing = createBatches<ClosedEmail>((closed) => store.closeEmails(closed, clock()));
  let stopping = false;

  async function tick(now: number, most: number): Promise<void> {
    const budget = { emails: most };
    const started: Promise<void>[] = [];
    for (;;) {
      const taken = await take(now, SEND_SLOTS, budget);
      if (taken.length === 0) break;
      started.push(...taken.map((sending) => deliverFrom(sending, budget)));
    }
    await Promise.all(started);
    await giveBack();
  }

  async function deliverFrom(first: Sending, budget: { emails: number }): Promise<void> {
    let sending: Sending | undefined = first;
    const recording: Promise<void>[] = [];
    while (sending !== undefined) {
      const { email } = sending;
      try {
        const result = unrecorded.get(email.id) ?? (await trySending(email));
        const recorded = record(email, result);
        // The next email need not wait until this one is recorded, except after a failure.
        if (result.kind === "sent") recording.push(recorded);
        else await recorded;
      } finally {
        inProgress.delete(sending);
      }
      const isQuick = clock() - sending.since < AHEAD_MS;
      aheadMax = isQuick ? Math.min(aheadMax + 1, AHEAD_MAX) : 0;
      if (recording.length >= AHEAD_MAX) await Promise.all(recording.splice(0));
      [sending] = await take(clock(), 1, budget);
    }
    await Promise.all(recording);
  }

  function take(now: number, most: number, budget: { emails: number }): Promise<Sending[]> {
    const taken = taking.then(() => takeNow(now, most, budget));
    taking = taken;
    return taken;
  }

  async function takeNow(
    now: number,
    most: number,
    budget: { emails: number },
  ): Promise<Sending[]> {
    const limit = Math.min(most, freeSlots(inProgress, now), budget.emails);
    const isOld = ahead.some(({ at }) => Math.abs(now - at) >= AHEAD_MS);
    if (stopping || pause.holds(now) || isOld) await giveBack();
    if (stopping || limit <= 0 || pause.holds(now)) return [];
    const emails = await next(now, limit, budget.emails);
    const taken = emails.flatMap((email) => {
      const domain = domainOf(email);
      if (isFull(domain)) return [];
      const sending = { email, domain, since: now };
      inProgress.add(sending);
      return [sending];
    });
    budget.emails -= taken.length;
    const left = emails.filter((one) => !taken.some(({ email }) => email === one));
    for (const email of left)
      await record(email, unrecorded.get(email.id) ?? { kind: "postponed", dueAt: now });
    return taken;
  }

  /** Emails taken ahead, or else from the outbox. */
  async function next(now: number, limit: number, budget: number): Promise<LeasedEmail[]> {
    if (ahead.length === 0) {
      const isSlow = [...inProgress].some(({ since }) => now - since >= AHEAD_MS);
      const more = isSlow ? 0 : Math.min(aheadMax, budget - limit);
      for (const email of await lease(now, limit + more)) ahead.push({ email, at: now });
    }
    return ahead.splice(0, limit).map(({ email }) => email);
  }

  /** Makes emails that were taken ahead due again. */
  async function giveBack(): Promise<void> {
    const now = clock();
    aheadMax = ahead.length > 0 ? 0 : aheadMax;
    for (const { email } of ahead.splice(0))
      await record(email, unrecorded.get(email.id) ?? { kind: "postponed", dueAt: now });
  }

  function isFull(domain: string): boolean {
    return [...inProgress].filter((other) => other.domain === domain).length >= slotsPerDomain;
  }

  async function lease(now: number, limit: number): Promise<LeasedEmail[]> {
    const full = [...inProgress].map(({ domain }) => domain).filter(isFull);
    try {
      return await store.leaseEmails(now, EMAIL_LEASE_MS, limit, [...new Set(full)]);
    } catch (error) {
      log("Emails could not be read from the outbox.", error);
      return [];
    }
  }

  async function trySending(email: Email): Promise<SendResult> {
    const now = clock();
    if (now >= email.giveUpAt && (await isSteady(now))) {
      onOutcome("given_up");
      return { kind: "given_up" };
    }
    if (await isOnSuppressionList(email)) {
      onOutcome("suppressed");
      return { kind: "suppressed" };
    }
    let composed: ComposedEmail;
    try {
      composed = compose(email);
    } catch (error) {
      log(`Email ${email.id} could not be composed.`, error);
      return { kind: "postponed", dueAt: now + COMPOSE_RETRY_MS };
    }
    const { id, to, language, createdAt } = email;
    const mail = { ...composed, id, to, language, createdAt, sentAt: now };
    const delivery = await send({ ...mail, returnPath: returnPath(id) });
    return resultOf(email, delivery);
  }

  /** If the list cannot be read, the email is sent: an unwanted email does less harm than a missing one. */
  async function isOnSuppressionList({ id, to, content }: Email): Promise<boolean> {
    try {
      const suppression = await store.suppression(mailboxHash(to));
      return suppression !== null && isSuppressed(content.kind, suppression);
    } catch (error) {
      log(`The suppression list could not be read for email ${id}.`, error);
      return false;
    }
  }

  async function send(mail: Mail): Promise<Delivery> {
    try {
      return await transport.send(mail);
    } catch (error) {
      log(`Email ${mail.id} caused an error in the transport.`, error);
      return { kind: "deferred", why: "internal error" };
    }
  }

  function resultOf(email: Email, delivery: Delivery): SendResult {
    const now = clock();
    onOutcome(delivery.kind);
    const why = "why" in delivery ? withoutMailbox(delivery.why, email.to) : "";
    switch (delivery.kind) {
      case "sent":
        pause.end();
        return { kind: "sent" };
      case "refused":
        pause.end();
        log(`Email ${email.id} was refused: ${why}`);
        return { kind: "refused", deadMailbox: delivery.deadMailbox ?? false };
      case "deferred":
        log(`Email ${email.id} was deferred: ${why}`);
        return { kind: "postponed", dueAt: now + waitOf(email, now) };
      case "later": {
        if (stopping) return { kind: "postponed", dueAt: now };
        const until = pause.begin(now);
        log(`Sending is paused until ${new Date(until).toISOString()}: ${why}`);
        return { kind: "postponed", dueAt: Math.max(until, now + waitOf(email, now)) };
      }
    }
  }

  async function record(email: LeasedEmail, result: SendResult): Promise<void> {
    try {
      if (result.kind === "postponed") await store.postponeEmail(email, result.dueAt);
      else await close(email, result);
      unrecorded.delete(email.id);
    } catch (error) {
      if (result.kind !== "postponed") unrecorded.set(email.id, result);
      log(`The result of email ${email.id} could not be recorded: ${result.kind}.`, error);
    }
  }

  async function close({ id, to }: Email, result: ClosedSendResult): Promise<void> {
    const isKnown = result.kind === "sent" || result.kind === "refused";
    await closing.add({
      id,
      outcome: result.kind,
      mailboxHash: isKnown ? mailboxHash(to) : null,
    });
    if (result.deadMailbox) await recordRefusal(id);
  }

  /** Counts a refusal as a bounce. Errors are only logged, since the next refusal counts again. */
  async function recordRefusal(id: string): Promise<void> {
    try {
      await store.recordBounce(id, clock());
    } catch (error) {
      log(`The refusal of email ${id} could not be counted.`, error);
    }
  }

  const ticking = new Set<Promise<void>>();
  return {
    tick: (now, most = EMAILS_PER_TICK) => during(ticking, tick(now, most)),
    async stop() {
      stopping = true;
      await Promise.all(ticking);
    },
    get pausedUntil() {
      return pause.until;
    },
  };
}

/** Collects items while others are being written, and writes them together. */
function createBatches<Item>(write: (items: readonly Item[]) => Promise<void>) {
  let items: Item[] = [];
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return {
    /** Resolves when the item is written. */
    add(item: Item): Promise<void> {
      items.push(item);
      next ??= writing.then(() => {
        const batch = items;
        items = [];
        next = null;
        const written = write(batch);
        writing = written.catch(() => {});
        return written;
      });
      return next;
    },
  };
}

/** Email in progress. */
type Sending = { readonly email: LeasedEmail; readonly domain: string; readonly since: number };

function freeSlots(inProgress: ReadonlySet<Sending>, now: number): number {
  const quick = [...inProgress].filter(({ since }) => now - since < SLOW_MS).length;
  return Math.min(SEND_SLOTS - quick, SMTP_CONNECTIONS - inProgress.size);
}

function domainOf({ to }: Email): string {
  return to.slice(to.lastIndexOf("@") + 1);
}

/** Removes the recipient, which servers repeat in their replies, also without its domain. */
function withoutMailbox(why: string, to: string): string {
  const at = to.lastIndexOf("@");
  return [to, to.slice(0, at), to.slice(at + 1)].reduce(
    (text, part) =>
      text.replace(new RegExp(`(?<![\\w.-])${RegExp.escape(part)}(?![\\w-])`, "gi"), "[reader]"),
    why,
  );
}

/** Keeps work in a set until it is done. */
function during(set: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  const held = work.finally(() => set.delete(held));
  set.add(held);
  return held;
}

type ClosedSendResult = { readonly kind: EmailOutcome; readonly deadMailbox?: boolean };
type SendResult = ClosedSendResult | { readonly kind: "postponed"; readonly dueAt: number };

/**
 * Delay of an email that failed: a minute at first, then about twice its age, at most an hour. Longer than the transport's
 * own pause, so that an email that keeps failing is not always the first to be tried.
 */
function waitOf(email: Email, now: number): number {
  const age = Math.max(0, now - email.createdAt);
  return Math.min(PAUSE_MIN_MS + 2 * age, PAUSE_MAX_MS);
}
