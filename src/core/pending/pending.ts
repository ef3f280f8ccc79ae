import type { Language } from "../../messages/languages.ts";
import type { AlertDraft, AlertNames } from "../alerts/alert.ts";
import { CAPS, type PendingKind } from "../caps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../duration.ts";
import type { Removed } from "../alerts/publication.ts";
import type { SightingDraft } from "../sightings/sighting.ts";
import type { Zone } from "../zones/zone.ts";

/** Complete content of an action. It is stored nowhere else until confirmed. */
export type PendingPayload =
  | { readonly kind: "publish"; readonly draft: AlertDraft; readonly removed: readonly Removed[] }
  | {
      readonly kind: "message";
      readonly alertId: string;
      readonly text: string;
      readonly name: string | null;
      /** Names of its photos. */
      readonly photos: readonly string[];
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "zone"; readonly zone: Zone }
  | {
      readonly kind: "sighting";
      readonly alertId: string;
      readonly sighting: SightingDraft;
      readonly removed: readonly Removed[];
    };

/** Names of the photos that an action will show. */
export function photosIn(payload: PendingPayload | null): readonly string[] {
  switch (payload?.kind) {
    case "publish":
      return payload.draft.photos;
    case "message":
      return payload.photos;
    case "sighting":
      return payload.sighting.photos;
    case "zone":
    case undefined:
      return [];
  }
}

/** "Please confirm". Contains no text written by the requester. */
export type ConfirmEmail = {
  readonly kind: "confirm";
  readonly action: PendingKind;
  /** Short code of the alert; null for a zone. */
  readonly shortCode: string | null;
  readonly sealedToken: string;
  readonly expiresAt: number;
  /** Time zone of the place that the request is about. */
  readonly timeZone: string;
};

/** Result of a confirmed action. */
export type PendingResult =
  | { readonly kind: "publish" | "message" | "sighting"; readonly alertId: string }
  | { readonly kind: "zone"; readonly zoneId: string };

/** Pending action: a write that waits for confirmation by email. */
export type Pending = {
  readonly id: string;
  readonly kind: PendingKind;
  readonly tokenHash: string;
  /** Empty once the action is confirmed or disowned. */
  readonly email: string;
  /** Keyed hash of exactly this spelling, kept to the end. */
  readonly mailboxHash: string;
  /** Keyed hash of the normalised address. */
  readonly addressHash: string;
  /** Keyed hash of the network the request came from. */
  readonly networkHash: string;
  /** Keyed hash of the content, by which a repeated request is recognised. */
  readonly contentHash: string;
  /** Keyed hash of the content and the idempotency key of its form; null without one. */
  readonly idempotencyHash: string | null;
  /** Sealed confirmation token, for the list of what waits; null once the action no longer waits. */
  readonly sealedToken: string | null;
  readonly language: Language;
  /** Names promised to a publication in its receipt; null for other kinds. */
  readonly names: AlertNames | null;
  /** Null once the action is confirmed, disowned or swept. */
  readonly payload: PendingPayload | null;
  readonly result: PendingResult | null;
  readonly state: "waiting" | "confirmed" | "disowned";
  readonly createdAt: number;
  /** Counted from the request: it must not reveal if an email was sent. */
  readonly expiresAt: number;
  readonly resent: boolean;
  readonly readdressed: number;
  /** Id of the action that this request repeats, or null. */
  readonly repeats: string | null;
  readonly confirmedAt: number | null;
};

/** Names in a publication's own draft. They differ from `names` in a repeated request, which gets those of the first. */
export function namesInDraft(payload: PendingPayload | null): AlertNames | null {
  if (payload?.kind !== "publish") return null;
  const { id, slug, shortCode } = payload.draft;
  return { id, slug, shortCode };
}

/** True if the action can still be confirmed, as far as its requester is told. */
export function isWaiting(pending: Pending, now: number): boolean {
  const { state, payload, expiresAt } = pending;
  return state === "waiting" && payload !== null && expiresAt > now;
}

/**
 * Decides if the budget of a mailbox has room for one more email. Of its places one is kept for publications, and one for
 * networks that this mailbox has not heard of. `networks`: those whose emails count now, each as often as it sent one.
 */
export function hasRoom(
  networks: readonly string[],
  { kind, networkHash }: { readonly kind: PendingKind | "erase"; readonly networkHash: string },
): boolean {
  const kept = (kind === "publish" ? 0 : 1) + (networks.includes(networkHash) ? 1 : 0);
  return networks.length + kept < CAPS.confirmationEmailsPerMailbox.max;
}

/** Life of a confirmation link from its request, and of the list of what waits for its mailbox from its newest email. */
export const CONFIRM_MS = 48 * HOUR_MS;
/** Retention of the fact that a mailbox has confirmed something. */
export const CONFIRMED_KEEP_MS = 400 * DAY_MS;
/** A repeated request within this time sends no second email. */
export const REPEAT_WINDOW_MS = 10 * MINUTE_MS;
/** A request repeated with its idempotency key within this time sends no second email. */
export const IDEMPOTENCY_WINDOW_MS = 48 * HOUR_MS;
/** Minimum time before the email can be resent, once. */
export const RESEND_WINDOW_MS = MINUTE_MS;
/** Time for which the confirmation page shows the private link: the page may be forwarded or shared later. */
export const LINK_SHOWN_MS = HOUR_MS;
/** Retention of a finished action, so that a late click gets a helpful page. */
export const PENDING_KEEP_MS = 30 * DAY_MS;
