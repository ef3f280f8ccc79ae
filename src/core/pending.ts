import type { AlertDraft, AlertNames, Language } from "./alert.ts";
import type { PendingKind } from "./letter.ts";
import type { Removed } from "./publication.ts";
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
  | { readonly kind: "zone"; readonly zone: Zone };

/** What a confirmed action became. */
export type PendingResult =
  | { readonly kind: "publish"; readonly alertId: string }
  | { readonly kind: "message"; readonly alertId: string }
  | { readonly kind: "zone"; readonly zoneId: string };

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
};

const HOUR_MS = 3_600_000;
/** How long a confirmation link lives. */
export const CONFIRM_MS = 48 * HOUR_MS;
/** The same ask within this time sends no second letter. */
export const SAME_ASK_MS = 10 * 60_000;
/** One mailbox's budget over all writes: letters that wait for an answer, and letters of a day that got none. */
export const UNANSWERED_WAITING_MAX = 3;
export const UNANSWERED_A_DAY_MAX = 5;
/** How long a settled or dead action is remembered, so that a late click is answered kindly. */
export const PENDING_KEEP_MS = 30 * 24 * HOUR_MS;
