import type { AlertDraft, AlertNames, Language } from "./alert.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./duration.ts";
import type { PendingKind } from "./letter.ts";
import type { Removed } from "./publication.ts";
import type { SightingDraft } from "./sighting.ts";
import type { Zone } from "./zone.ts";

/** The whole of what waits: nothing of it is anywhere else until it is confirmed. */
export type PendingPayload =
  | { readonly kind: "publish"; readonly draft: AlertDraft; readonly removed: readonly Removed[] }
  | {
      readonly kind: "message";
      readonly alertId: string;
      readonly text: string;
      readonly name: string | null;
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "zone"; readonly zone: Zone }
  | {
      readonly kind: "sighting";
      readonly alertId: string;
      readonly sighting: SightingDraft;
      readonly removed: readonly Removed[];
    };

/** What a confirmed action became. */
export type PendingResult =
  | { readonly kind: "publish"; readonly alertId: string }
  | { readonly kind: "message"; readonly alertId: string }
  | { readonly kind: "zone"; readonly zoneId: string }
  | { readonly kind: "sighting"; readonly alertId: string };

/** A write that waits for its human. */
export type Pending = {
  readonly id: string;
  readonly kind: PendingKind;
  /** Hash of the confirmation token. */
  readonly tokenHash: string;
  /** Empty once the action is settled or disowned. */
  readonly email: string;
  /** Keyed hash of the address as counted. */
  readonly addressMark: string;
  /** Keyed hash of all that was asked: the same ask again soon is the same ask. */
  readonly contentMark: string;
  readonly language: Language;
  /** The names a publication was told it will have; null for other kinds. */
  readonly names: AlertNames | null;
  /** Null once it is settled, disowned or swept: nothing is kept that nobody needs. */
  readonly payload: PendingPayload | null;
  readonly result: PendingResult | null;
  readonly state: "waiting" | "confirmed" | "disowned";
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether a second letter was asked for. */
  readonly askedAgain: boolean;
  /** How often the address was corrected. */
  readonly readdressed: number;
};

/** How long a confirmation link lives. */
export const CONFIRM_MS = 48 * HOUR_MS;
/** The same ask within this time sends no second letter. */
export const SAME_ASK_MS = 10 * MINUTE_MS;
/** One mailbox's budget over all writes: letters that wait for an answer, and letters of a day that got none. */
export const UNANSWERED_WAITING_MAX = 3;
export const UNANSWERED_A_DAY_MAX = 5;
/** A second letter may be asked for after this, once. */
export const ASK_AGAIN_MS = MINUTE_MS;
/** How often the asker may correct a mistyped address. */
export const READDRESSED_MAX = 2;
/** How long a settled or dead action is remembered, so that a late click is answered kindly. */
export const PENDING_KEEP_MS = 30 * DAY_MS;
