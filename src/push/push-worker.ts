import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { openedSubscription, type PushSubscription } from "../core/push/device.ts";
import { isPushEndpoint } from "../core/push/push-services.ts";
import { isToOwner, type LeasedPush } from "../core/push/push.ts";
import type { Store } from "../core/service/store.ts";
import type { Links } from "../core/urls.ts";
import { encryptMessage, newMessageKeys, SALT_BYTES } from "./encryption.ts";
import { composeNotification, declarative } from "./notification.ts";
import { createPushPauses, type Destination } from "./pauses.ts";
import type { PushOutcome, SendPush } from "./push-service.ts";
import { createVapid } from "./vapid.ts";
import type { Clock, Random, Secrets } from "../core/instance.ts";

/** Worker that hands due pushes to the push services, beside the one that sends emails. */
export type PushWorker = {
  /** Public key that browsers need to subscribe, as base64url. */
  readonly publicKey: string;
  /** Sends due pushes. Resolves when those it started are done; never throws, and calls may overlap. */
  tick(now: number): Promise<void>;
  /** Starts no more pushes; resolves when those in progress are done. */
  stop(): Promise<void>;
};

export type PushWorkerParts = {
  readonly store: Pick<Store, "leasePushes" | "closePush" | "postponePush" | "eraseDevice">;
  readonly send: SendPush;
  readonly secrets: Pick<Secrets, "keyedHash" | "unseal">;
  readonly random: Pick<Random, "bytes">;
  readonly links: Links;
  /** Push services besides those of the browsers. */
  readonly services: readonly string[];
  readonly clock: Clock;
  /** For the operator. The text contains no address of a device. */
  readonly log: (text: string, error?: unknown) => void;
  /** Called with the outcome of each attempt, or when a push is given up because it came too late. */
  readonly onOutcome: (outcome: PushOutcome["kind"] | "given_up") => void;
};

/** Pushes sent at once, and to one push service: one that hangs leaves room for the others. */
const SEND_SLOTS = 8;
const SEND_SLOTS_PER_HOST = 4;
const PUSHES_PER_TICK = 500;
/** Time after which a push whose worker died is taken by another. */
const LEASE_MS = 10 * MINUTE_MS;
/** Delay of a push that could not be composed because of a bug, until the program is fixed. */
const COMPOSE_RETRY_MS = HOUR_MS;
/** Bytes to which every text is padded. Push services take 4,096 bytes of the encrypted message. */
const TEXT_BYTES = 2_048;
/** Length of a topic that every push service takes (RFC 8030, 5.4). */
const TOPIC_LENGTH = 32;

export function createPushWorker(parts: PushWorkerParts): PushWorker {
  const { store, send, secrets, random, links, services, clock, log, onOutcome } = parts;
  const vapid = createVapid(secrets, links.home, clock);
  const pauses = createPushPauses();
  const busy = new Map<string, number>();
  let inProgress = 0;
  let stopping = false;
  /** Pushes that were delivered, although the store failed to record it, so that they are not sent again. */
  const unrecorded = new Set<string>();

  async function tick(now: number): Promise<void> {
    const free = SEND_SLOTS - inProgress;
    if (free === 0) return;
    // One query where nothing waits.
    const [first] = await lease(now);
    if (first === undefined) return;
    let left = PUSHES_PER_TICK - 1;
    const work = async (next: LeasedPush | undefined) => {
      for (let push = next; push !== undefined; [push] = await lease(now)) {
        await deliver(push);
        if (stopping || left <= 0) return;
        left -= 1;
      }
    };
    const others = Array.from({ length: free - 1 }, async () => work((await lease(now))[0]));
    await Promise.all([work(first), ...others]);
  }

  async function lease(now: number): Promise<LeasedPush[]> {
    try {
      return await store.leasePushes(now, LEASE_MS, 1);
    } catch (error) {
      log("Pushes could not be read from the queue.", error);
      return [];
    }
  }

  async function deliver(push: LeasedPush): Promise<void> {
    inProgress += 1;
    try {
      await settle(push, await attempt(push));
    } catch (error) {
      log(`The result of push ${push.id} could not be recorded.`, error);
    } finally {
      inProgress -= 1;
    }
  }

  async function attempt(push: LeasedPush): Promise<Result> {
    const now = clock();
    if (unrecorded.has(push.id)) return { kind: "sent" };
    if (now >= push.giveUpAt) {
      onOutcome("given_up");
      return { kind: "given_up" };
    }
    const subscription = openSubscription(push);
    if (subscription === null) return { kind: "gone" };
    const { host, origin } = new URL(subscription.endpoint);
    const destination = { host, deviceId: push.deviceId, isReached: push.isReached };
    const pausedUntil = pauses.until(destination, now);
    if (pausedUntil !== null) return { kind: "postponed", dueAt: pausedUntil };
    const others = busy.get(host) ?? 0;
    if (others >= SEND_SLOTS_PER_HOST) return { kind: "postponed", dueAt: now + 1 };
    busy.set(host, others + 1);
    try {
      const body = await encrypted(push, subscription);
      const outcome = await send({
        endpoint: subscription.endpoint,
        body,
        authorization: await vapid.authorization(origin),
        ttlSeconds: Math.max(1, Math.floor((push.giveUpAt - now) / 1000)),
        urgency: isToOwner(push.content) ? "high" : "normal",
        topic: markOf(push),
      });
      return resultOf(push, destination, outcome);
    } catch (error) {
      log(`Push ${push.id} could not be composed.`, error);
      return { kind: "postponed", dueAt: now + COMPOSE_RETRY_MS };
    } finally {
      const rest = (busy.get(host) ?? 1) - 1;
      if (rest === 0) busy.delete(host);
      else busy.set(host, rest);
    }
  }

  /** Null if it was sealed with another key, or its push service is no longer allowed. */
  function openSubscription({ sealed }: LeasedPush): PushSubscription | null {
    const opened = secrets.unseal("device", sealed);
    const subscription = opened === null ? null : openedSubscription(opened);
    return subscription !== null && isPushEndpoint(subscription.endpoint, services)
      ? subscription
      : null;
  }

  async function encrypted(push: LeasedPush, keys: PushSubscription) {
    const { content, language } = push;
    const site = { links, unseal: secrets.unseal };
    const notification = composeNotification({ content, language, tag: markOf(push) }, site);
    const text = new TextEncoder().encode(declarative(notification));
    const salt = new Uint8Array(random.bytes(SALT_BYTES));
    return encryptMessage(text, keys, { keys: await newMessageKeys(), salt }, TEXT_BYTES);
  }

  /** Mark of the subject, which does not reveal it. */
  function markOf({ subject }: LeasedPush): string {
    return secrets.keyedHash("device", subject).slice(0, TOPIC_LENGTH);
  }

  function resultOf(push: LeasedPush, to: Destination, outcome: PushOutcome): Result {
    const now = clock();
    // Strangers can make up devices that refuse everything: only those that were reached before say something of us.
    if (outcome.kind !== "refused" || push.isReached) onOutcome(outcome.kind);
    switch (outcome.kind) {
      case "sent":
        pauses.arrived(to);
        return outcome;
      case "gone":
        return outcome;
      case "refused":
        log(`Push ${push.id} was refused by ${to.host}: ${outcome.why}`);
        return { kind: "given_up" };
      case "later": {
        const until = pauses.failed(to, now, outcome.retryAfterMs);
        const time = new Date(until).toISOString();
        log(`Push ${push.id} to ${to.host} waits until ${time}: ${outcome.why}`);
        return { kind: "postponed", dueAt: until };
      }
    }
  }

  async function settle(push: LeasedPush, result: Result): Promise<void> {
    switch (result.kind) {
      case "sent":
        unrecorded.add(push.id);
        await store.closePush(push, clock());
        unrecorded.delete(push.id);
        return;
      case "gone":
        return store.eraseDevice(push.deviceId, clock());
      case "given_up":
        return store.closePush(push, null);
      case "postponed":
        return store.postponePush(push, result.dueAt);
    }
  }

  const ticking = new Set<Promise<void>>();
  return {
    publicKey: vapid.publicKey,
    tick(now) {
      const held = tick(now).finally(() => ticking.delete(held));
      ticking.add(held);
      return held;
    },
    async stop() {
      stopping = true;
      await Promise.all(ticking);
    },
  };
}

type Result =
  | { readonly kind: "sent" | "gone" | "given_up" }
  | { readonly kind: "postponed"; readonly dueAt: number };
