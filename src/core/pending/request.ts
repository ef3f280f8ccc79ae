import type { Language } from "../../messages/languages.ts";
import { type Alert, type AlertNames, type PublicAlert } from "../alerts/alert.ts";
import type { PlaceName } from "../../places/places.ts";
import {
  cleanMessage,
  type MessageInput,
  requireReachable,
} from "../conversations/conversation.ts";
import { senderName } from "../conversations/sender-name.ts";
import { maskedMailbox, recipient } from "../input.ts";
import { type Email, emailTo } from "../email.ts";
import { hashAddress, hashMailbox, smallMailDomain } from "../people/mailbox-spelling.ts";
import { CAPS, type PendingKind } from "../caps.ts";
import { type Caller, type Hit, hitsFor, networkFor, tooMany, tooManyWrites } from "../limits.ts";
import type { Secrets } from "../instance.ts";
import {
  CONFIRM_MS,
  type ConfirmEmail,
  namesInDraft,
  type Pending,
  type PendingPayload,
} from "./pending.ts";
import type { FailedPhoto, PhotoActions } from "../photos/photos.ts";
import { createDraft, PHOTOS_MAX, type PublishInput, type Removed } from "../alerts/publication.ts";
import type { Ports } from "./ports.ts";
import {
  requireStillMissing,
  sightingDraft,
  type SightingInput,
  type SightingView,
  toSightingView,
} from "../sightings/sighting.ts";
import { newToken } from "../people/private-link.ts";
import type { NewRequest, NewRequestOutcome } from "./request-store.ts";
import { timeZoneAt } from "../time-zone.ts";
import { type Zone, zoneCircle, type ZoneInput } from "../zones/zone.ts";
import { newNames } from "../alerts/new-names.ts";
import { requireAlertNamed } from "../alerts/alert-by-name.ts";

/** Answer to a write: nothing has happened yet. The same whether or not an email was sent. */
export type RequestReceipt = {
  /** Masked: `a…@e…`. */
  readonly sentTo: string;
  readonly expiresAt: number;
  readonly removed: readonly Removed[];
  /** Token of the page that shows the state of the request and can resend its email. */
  readonly ticket: string;
};
/** Receipt of a publication, with the addresses its alert will have. */
type PublicationReceipt = RequestReceipt &
  AlertNames &
  PlaceName &
  Pick<PublicAlert, "url" | "qrUrl" | "eventDate"> & {
    /** Page that sends the owner's private link again. */
    readonly manageLinksUrl: string;
    readonly unfetched: readonly FailedPhoto[];
  };

/** Receipt of a sighting, with what will be shown. */
type SightingReceipt = RequestReceipt & { readonly sighting: SightingView };

/**
 * The writes. Each stores a pending action and sends one confirmation email; nothing else happens until a person
 * confirms. Throws `bad_input`, `too_many` with the time to wait, and for messages and sightings `not_found`, `gone` and
 * `conflict` (the alert does not accept any).
 */
export function createRequests(ports: Ports, photos: PhotoActions) {
  /** Refuses a caller beyond the limit before its photos are fetched and its text is cleaned, which takes longest. */
  async function requireRoom(kind: PendingKind, caller: Caller): Promise<void> {
    const now = ports.clock();
    const retryAt = await ports.store.limitedUntil(hitsFor(ports, kind, caller), now);
    if (retryAt !== null) throw tooManyWrites(ports, kind, retryAt, now);
  }

  async function request(
    requester: Requester,
    caller: Caller,
    action: RequestedAction,
    removed: readonly Removed[],
  ): Promise<RequestReceipt> {
    const pending = await addRequest(ports, caller, requester, action);
    return receiptOf(ports, pending, removed, requester.email);
  }

  return {
    /** `tickets` are those of uploaded photos; the photos at `input.photoUrls` are fetched and follow them. */
    async publish(
      input: PublishInput,
      caller: Caller,
      tickets: readonly string[] = [],
      key: IdempotencyKey = null,
    ): Promise<PublicationReceipt> {
      await requireRoom("publish", caller);
      const uploaded = photos.named(tickets);
      const fetched = await photos.fetched(input.photoUrls ?? [], caller);
      const shown = [...new Set([...uploaded, ...fetched.names])].slice(0, PHOTOS_MAX);
      return photos.using(shown, async () => {
        const fresh = await newNames(ports);
        const { draft, removed } = createDraft(input, fresh, ports.clock(), ports, shown);
        const { id: _id, slug: _slug, shortCode: _shortCode, ...content } = draft;
        const { city, district, countryCode, eventDate } = draft;
        const payload = { kind: "publish" as const, draft, removed };
        const pending = await addRequest(ports, caller, input, { payload, content, key });
        // Those of the first request, if this one repeats it.
        const { names } = pending;
        if (names === null) throw new Error("a publication has names");
        return {
          ...receiptOf(ports, pending, removed, input.email),
          id: names.id,
          slug: names.slug,
          shortCode: names.shortCode,
          city,
          district,
          countryCode,
          eventDate,
          url: ports.links.alert(names.slug),
          qrUrl: ports.links.qr(names.shortCode),
          manageLinksUrl: ports.links.requestManageLinks,
          unfetched: fetched.unfetched,
        };
      });
    },

    /** `tickets` are those of uploaded photos. */
    async sendMessage(
      input: MessageInput,
      caller: Caller,
      tickets: readonly string[] = [],
      key: IdempotencyKey = null,
    ): Promise<RequestReceipt> {
      await requireRoom("message", caller);
      const alert = await requireAlertNamed(ports, input.alert);
      requireReachable(alert);
      const text = cleanMessage(input.message, alert.countryCode);
      const name = await senderName(ports, input, alert.countryCode);
      const removed = [...text.removed, ...name.removed];
      return photos.attached(tickets, (names) => {
        const content = {
          alertId: alert.id,
          text: text.text,
          name: name.text,
          photos: names,
        };
        const payload = { kind: "message" as const, ...content, removed };
        const action = { payload, content, key };
        return request(input, caller, action, removed);
      });
    },

    /** `tickets` are those of uploaded photos. */
    async reportSighting(
      input: SightingInput,
      caller: Caller,
      tickets: readonly string[] = [],
      key: IdempotencyKey = null,
    ): Promise<SightingReceipt> {
      await requireRoom("sighting", caller);
      const alert = await requireAlertNamed(ports, input.alert);
      const now = ports.clock();
      requireStillMissing(alert, now);
      return photos.attached(tickets, async (names) => {
        const { draft, removed } = sightingDraft(input, alert, ports.gazetteer, now, names);
        const { seenAt: _seenAt, seenPart: _seenPart, ...seen } = draft;
        const alertId = alert.id;
        const payload = { kind: "sighting" as const, alertId, sighting: draft, removed };
        // Deduplicate by the time as entered; a resolved "now" would differ on every submit.
        const content = { alertId, ...seen, when: input.seenAt };
        // Forms that wait for a connection turn the hours into a day and an hour meanwhile.
        const contentWithKey = { alertId, ...seen };
        const action = { payload, content, contentWithKey, key };
        const receipt = await request(input, caller, action, removed);
        return { ...receipt, sighting: toSightingView(draft, alert.point, ports.gazetteer) };
      });
    },

    async subscribe(input: ZoneInput, caller: Caller): Promise<RequestReceipt> {
      await requireRoom("zone", caller);
      const { circle, removed } = zoneCircle(input, ports.gazetteer);
      const content = { ...circle, frequency: input.frequency ?? "at_once" };
      const zone: Zone = {
        id: ports.random.id(),
        ...content,
        email: recipient(input.email),
        language: input.language ?? "en",
        createdAt: ports.clock(),
      };
      const payload = { kind: "zone" as const, zone };
      return request(input, caller, { payload, content, key: null }, removed);
    },
  };
}

/** Random text that a form keeps until it has arrived, however often it is sent; null without one. */
type IdempotencyKey = string | null;

/** Reads the idempotency key of a form; null for anything that no form of ours draws. */
export function idempotencyKey(text = ""): IdempotencyKey {
  return /^[0-9a-f]{32}$/.test(text) ? text : null;
}

type RequestedAction = {
  readonly payload: PendingPayload;
  /** Content by which a repeated request is recognised. */
  readonly content: object;
  /** The part of the content by which it is recognised with its key; all of it when absent. */
  readonly contentWithKey?: object;
  readonly key: IdempotencyKey;
};

type Requester = { readonly email: string; readonly language?: Language | undefined };

/** Stores a pending action, with its confirmation email. */
async function addRequest(
  ports: Ports,
  caller: Caller,
  requester: Requester,
  { payload, content, contentWithKey = content, key }: RequestedAction,
): Promise<Pending> {
  const now = ports.clock();
  const { kind } = payload;
  const email = recipient(requester.email);
  const action = { kind, email, language: requester.language ?? "en", payload };
  const recognisedBy = {
    content: [kind, email, content],
    key: key === null ? null : [key, [kind, email, contentWithKey]],
  };
  const request = await newRequest(ports, caller, action, recognisedBy, now);
  const outcome = await ports.store.addPending(request, now);
  return storedPending(ports, kind, outcome, now);
}

/** Stored action. Throws `too_many` for one beyond a limit. */
export function storedPending(
  ports: Ports,
  kind: Pending["kind"],
  outcome: NewRequestOutcome,
  now: number,
): Pending {
  switch (outcome.kind) {
    case "kept":
      return outcome.pending;
    case "limited":
      throw tooManyWrites(ports, kind, outcome.retryAt, now);
    case "network_limited":
      throw tooMany(ports, kind, outcome.retryAt, now);
  }
}

/**
 * Request for the store: the pending action with a new token, its confirmation email, and the limits it counts against.
 * A later request with the same content repeats this one, and for longer one with the same key: the idempotency key with
 * what it stands for, null without one.
 */
export async function newRequest(
  ports: Ports,
  caller: Caller,
  action: Pick<Pending, "kind" | "email" | "language" | "payload">,
  recognisedBy: { readonly content: readonly unknown[]; readonly key: readonly unknown[] | null },
  now: number,
): Promise<NewRequest> {
  const { secrets } = ports;
  const { kind, email } = action;
  const { content, key } = recognisedBy;
  const token = newToken(ports.random);
  const sealedToken = secrets.seal("confirm", token);
  const { networkHash, ...limits } = networkFor(ports, kind, caller);
  const pending = {
    ...action,
    names: namesInDraft(action.payload),
    id: ports.random.id(),
    tokenHash: secrets.tokenHash(token),
    mailboxHash: hashMailbox(secrets, email),
    addressHash: hashAddress(secrets, email),
    networkHash,
    contentHash: secrets.keyedHash("content", JSON.stringify(content)),
    // Of the key and the content: who knows or guesses another's key learns nothing by it.
    idempotencyHash: key === null ? null : secrets.keyedHash("idempotency", JSON.stringify(key)),
    sealedToken,
    result: null,
    state: "waiting" as const,
    createdAt: now,
    expiresAt: now + CONFIRM_MS,
    resent: false,
    readdressed: 0,
    repeats: null,
    confirmedAt: null,
  };
  return {
    pending,
    email: await confirmationEmail(ports, pending, now),
    hits: hitsFor(ports, kind, caller),
    ...limits,
    domain: smallDomainHit(secrets, email),
  };
}

/** Limit on emails to a mail domain whose mailboxes may all be one person's; null for a large provider. */
export function smallDomainHit(secrets: Secrets, email: string): Hit | null {
  const domain = smallMailDomain(email);
  if (domain === null) return null;
  const key = `small-domain:${secrets.keyedHash("address", domain)}`;
  return { key, ...CAPS.confirmationEmailsPerSmallDomain };
}

/** Email asking the person at the address to confirm. Contains no text written by the requester. */
export async function confirmationEmail(
  ports: Ports,
  pending: Pending & { readonly sealedToken: string },
  now: number,
): Promise<Email<ConfirmEmail>> {
  const { email: to, language, names, payload, sealedToken, expiresAt } = pending;
  const alert = await alertAbout(ports, payload);
  const point =
    payload?.kind === "publish"
      ? payload.draft.point
      : payload?.kind === "zone"
        ? payload.zone.point
        : alert?.point;
  const content: ConfirmEmail = {
    kind: "confirm",
    action: pending.kind,
    shortCode: names?.shortCode ?? alert?.shortCode ?? null,
    timeZone: point === undefined ? "UTC" : timeZoneAt(point),
    sealedToken,
    expiresAt,
  };
  return emailTo(ports.random, { to, language }, content, now, expiresAt);
}

/** Short code of the alert that a request is about; null for a zone. */
export async function shortCodeOf(
  ports: Pick<Ports, "store">,
  { names, payload }: Pick<Pending, "names" | "payload">,
): Promise<string | null> {
  return names?.shortCode ?? (await alertAbout(ports, payload))?.shortCode ?? null;
}

/** Alert that a message or sighting is about; null for other requests. */
async function alertAbout(
  { store }: Pick<Ports, "store">,
  payload: PendingPayload | null,
): Promise<Alert | null> {
  const isAbout = payload?.kind === "message" || payload?.kind === "sighting";
  return isAbout ? store.alert({ by: "id", id: payload.alertId }) : null;
}

/** Receipt of a request. A repeated request gets the receipt of the first. */
export function receiptOf(
  { secrets }: Pick<Ports, "secrets">,
  { id, expiresAt }: Pending,
  removed: readonly Removed[],
  email: string,
): RequestReceipt {
  return { sentTo: maskedMailbox(email), expiresAt, removed, ticket: secrets.seal("waiting", id) };
}
