import type { Language } from "../../messages/languages.ts";
import { DAY_MS } from "../duration.ts";
import type { EmailAlert } from "../alerts/email-alert.ts";
import type { OwnerDigestEmail } from "../conversations/owner-digest.ts";
import type { MessageEmail } from "../conversations/reply.ts";
import type { Email, EmailKind } from "../email.ts";
import type { LikelyMatchEmail } from "../matches/match-emails.ts";
import type { SightingEmail } from "../sightings/sighting.ts";

/** Public facts about an alert in a push. The name is its owner's text, which only its owner is shown. */
export type PushAlert = Pick<
  EmailAlert,
  "slug" | "type" | "species" | "breed" | "city" | "district"
> & {
  readonly name: string | null;
};

/**
 * Content of a push as data; it is rendered in the language of the device when sent. It holds no text written by anyone but
 * the person who owns the device. Tokens of private links are sealed.
 */
export type PushContent =
  /** The first one, which shows that pushes arrive. The alert is null for a zone. */
  | { readonly kind: "welcome"; readonly alert: PushAlert | null }
  /** To the owner: a message, and the private link to its conversation. */
  | { readonly kind: "message"; readonly alert: PushAlert; readonly sealedToken: string }
  /** To the owner: a sighting. */
  | { readonly kind: "sighting"; readonly alert: PushAlert }
  /** To the owner: messages and sightings that an email gathers; the link to the manage page, if there is one. */
  | { readonly kind: "digest"; readonly alert: PushAlert; readonly sealedManage: string | null }
  /** To the owner: a likely match, and the link to its page. */
  | { readonly kind: "match"; readonly alert: PushAlert; readonly sealedToken: string }
  /** New alerts in a zone: the newest, and how many more. The label is the subscriber's. */
  | {
      readonly kind: "zone";
      readonly alert: PushAlert;
      readonly more: number;
      readonly label: string | null;
    };

/** Push in the queue of a device. */
export type QueuedPush = {
  readonly id: string;
  readonly content: PushContent;
  readonly createdAt: number;
  /** Time after which it is no longer sent, or shown. */
  readonly giveUpAt: number;
};

/** Push that a worker has taken, with its device. */
export type LeasedPush = QueuedPush & {
  readonly deviceId: string;
  readonly subject: string;
  /** Sealed `PushSubscription`. */
  readonly sealed: string;
  readonly language: Language;
  /** True if a push has reached the device before. */
  readonly isReached: boolean;
};

/** Time for which a push about an owner's alert is worth showing. */
const OWNER_PUSH_MS = 3 * DAY_MS;
/** Time for which any other push is. */
const OTHER_PUSH_MS = DAY_MS;

export function newPush(id: string, content: PushContent, now: number): QueuedPush {
  const keepMs = isToOwner(content) ? OWNER_PUSH_MS : OTHER_PUSH_MS;
  return { id, content, createdAt: now, giveUpAt: now + keepMs };
}

/** True for news about an alert of the device's owner, which is urgent. */
export function isToOwner({ kind }: PushContent): boolean {
  return kind !== "welcome" && kind !== "zone";
}

/** Push that says the same as an email to the owner of an alert; null for emails that no push goes with. */
export function pushWithEmail({ id, content, createdAt }: Email): QueuedPush | null {
  const pushed = contentOf(content as OwnerEmailContent);
  return pushed === null ? null : newPush(id, pushed, createdAt);
}

type OwnerEmailContent =
  | MessageEmail
  | LikelyMatchEmail
  | SightingEmail
  | OwnerDigestEmail
  | { readonly kind: Exclude<EmailKind, "message" | "match" | "sighting" | "digest"> };

function contentOf(content: OwnerEmailContent): PushContent | null {
  switch (content.kind) {
    case "message":
    case "match":
      return {
        kind: content.kind,
        alert: pushAlert(content.alert),
        sealedToken: content.sealedToken,
      };
    case "sighting":
      return { kind: "sighting", alert: pushAlert(content.alert) };
    case "digest":
      return {
        kind: "digest",
        alert: pushAlert(content.alert),
        sealedManage: content.sealedManage,
      };
    default:
      return null;
  }
}

/** Facts about the reader's own alert. */
export function pushAlert(alert: PushAlert): PushAlert {
  const { slug, type, species, breed, city, district, name } = alert;
  return { slug, type, species, breed, city, district, name };
}

/** Subject of an owner's topic. */
export function ownerSubject(alertId: string): string {
  return `owner:${alertId}`;
}

export function zoneSubject(zoneId: string): string {
  return `zone:${zoneId}`;
}
