import type { Language } from "../messages/languages.ts";
import type { AlertDraft } from "./alerts/alert.ts";
import { HOUR_MS } from "./duration.ts";
import type { ReasonCount } from "./moderation/report.ts";
import type { PlanStepId } from "./plan/steps.ts";
import type { Dice } from "./ports.ts";
import type { TableProblem } from "./tables/source.ts";
import type { SightingView } from "./sightings/sighting.ts";
import { timeZoneAt } from "./time-zone.ts";

/** Public facts about an alert in an email. */
export type EmailAlert = Pick<
  AlertDraft,
  | "slug"
  | "shortCode"
  | "type"
  | "species"
  | "name"
  | "breed"
  | "color"
  | "city"
  | "district"
  | "countryCode"
  | "landmark"
  | "eventDate"
  | "eventTime"
> & {
  /** IANA time zone of its place. */
  readonly timeZone: string;
};

/** Sighting in an email. */
export type EmailSighting = Pick<
  SightingView,
  "city" | "district" | "distanceKm" | "seenAt" | "seenOn" | "note" | "photos"
>;

/** Zone in an email about several zones. */
export type EmailZone = {
  readonly label: string | null;
  readonly town: string;
  readonly radiusKm: number;
  /** Sealed token of the link that ends this zone only. */
  readonly sealedUnsubscribe: string;
};

/** Reason why a reply by email was not passed on: nobody vouches for its sender, or it cannot be sent as it is. */
export type ReplyRefusal = "unverified" | "unsuitable";

/** Kind of action that is confirmed by email. */
export type PendingKind = "publish" | "message" | "zone" | "sighting";

/** Request to confirm in an email. */
export type EmailRequest = {
  readonly action: PendingKind;
  /** Short code of the alert; null for a zone. */
  readonly shortCode: string | null;
  readonly sealedToken: string;
};

/** News about a table. `silent`: not read for a day; `rows`: more rows than before cannot be published. */
export type TableNews =
  Exclude<TableProblem["kind"], "unreachable"> | "silent" | "rows" | "resolved";

/**
 * Content of an email as data; it is rendered in the reader's language when sent. Tokens of private links are sealed (see
 * `Secrets`), so that the database holds no usable token. Stored as JSON in the outbox.
 */
export type EmailContent =
  /** "Please confirm". Contains no text written by the requester. */
  | ({
      readonly kind: "confirm";
      readonly expiresAt: number;
      /** Time zone of the place that the request is about. */
      readonly timeZone: string;
    } & EmailRequest)
  /** To the owner: the alert is published, with the manage link. */
  | {
      readonly kind: "live";
      readonly alert: EmailAlert;
      readonly sealedToken: string;
      readonly expiresAt: number;
      readonly hasPlan: boolean;
    }
  /** To the owner on request: the manage links, newest alert first. */
  | {
      readonly kind: "links";
      readonly entries: readonly { readonly alert: EmailAlert; readonly sealedToken: string }[];
      readonly part: number;
      readonly parts: number;
      readonly total: number;
    }
  /** To a moderator on request: the sign-in link. */
  | { readonly kind: "admin"; readonly sealedToken: string; readonly expiresAt: number }
  /** To a member of an organisation on request: the sign-in link. */
  | { readonly kind: "inbox"; readonly sealedToken: string; readonly expiresAt: number }
  /** To a moderator: how many reports there are. Contains no text written by the public. */
  | {
      readonly kind: "reports";
      /** New ones, by reason. */
      readonly reasons: readonly ReasonCount[];
      /** Count of alerts that these are about. */
      readonly alerts: number;
      /** Count of all reports that wait for a moderator. */
      readonly open: number;
    }
  /** To the operator: a table that is read again and again is not followed, or is again. Holds no words from the table. */
  | {
      readonly kind: "table";
      readonly table: string;
      readonly news: TableNews;
      /** Rows that cannot be published. */
      readonly rejected: number;
      /** False if only the operator's commands read it. */
      readonly isPulled: boolean;
    }
  /** On request: the link that erases all data of the reader. */
  | {
      readonly kind: "erase";
      /** True if the reader has never confirmed anything and can stop such emails. */
      readonly canStop: boolean;
      readonly sealedToken: string;
      readonly expiresAt: number;
    }
  /** To the owner: the alert expires soon, with the link to renew it. */
  | {
      readonly kind: "reminder";
      readonly alert: EmailAlert;
      readonly sealedToken: string;
      readonly sealedUnsubscribe: string;
      readonly expiresAt: number;
    }
  /** To the owner: what to do next, by the plan of the first days. */
  | {
      readonly kind: "plan";
      readonly alert: EmailAlert;
      /** Days since its publication: 1 for the email of the first 24 hours. */
      readonly day: number;
      readonly steps: readonly PlanStepId[];
      readonly sealedToken: string;
      readonly sealedUnsubscribe: string;
    }
  /** To the owner of several alerts: what to do next for each. */
  | {
      readonly kind: "plan-digest";
      readonly plans: readonly {
        readonly alertId: string;
        readonly alert: EmailAlert;
        readonly day: number;
        readonly steps: readonly PlanStepId[];
        readonly sealedToken: string;
      }[];
      /** Link that ends these emails for all alerts of the reader. */
      readonly sealedUnsubscribe: string;
    }
  /** To one side of a conversation: a message of the other side. */
  | {
      readonly kind: "message";
      readonly alert: EmailAlert;
      /** Writer: a stranger about the reader's alert, or the owner of the alert the reader wrote about. */
      readonly from: "stranger" | "owner";
      /** True if the owner is an organisation that has the animal. */
      readonly isFromShelter: boolean;
      /** Name given by the writer, or null. */
      readonly name: string | null;
      readonly text: string;
      /** Count of its photos, which only the page shows. */
      readonly photos: number;
      readonly conversationId: string;
      readonly sealedToken: string;
      /** Slug of the organisation that owns the alert and reads the email; null for a private person. */
      readonly organisation: string | null;
    }
  /** To one side of a conversation: its reply by email was not passed on. */
  | {
      readonly kind: "reply-refusal";
      readonly alert: EmailAlert;
      readonly why: ReplyRefusal;
      readonly sealedToken: string;
    }
  /** To the owner: a sighting. */
  | ({ readonly kind: "sighting"; readonly alert: EmailAlert } & EmailSighting)
  /** To the owner of one alert of a likely match: the other alert, and the reasons. */
  | {
      readonly kind: "match";
      /** The reader's own. */
      readonly alert: EmailAlert;
      readonly other: EmailAlert;
      /** Probability in percent. Null below high confidence, and for a find that repeats a public alert. */
      readonly score: number | null;
      /** True for a find that repeats the reader's public alert. */
      readonly repeats?: boolean;
      /** `MatchTexts` in the reader's language; the sentence only with high confidence. */
      readonly summary?: string;
      readonly ask?: string | null;
      readonly reasons: readonly string[];
      /** Link to the match's page, where "not my pet" dismisses it. */
      readonly sealedToken: string;
      readonly sealedUnsubscribe: string;
    }
  /** To an owner: likely matches of all their alerts beyond the daily match emails, best first. */
  | {
      readonly kind: "match-digest";
      /** True if the reader's alerts are those of a table, whose matches are never emailed one by one. */
      readonly ofTable?: boolean;
      readonly pairs: readonly {
        /** The reader's own. */
        readonly alert: EmailAlert;
        readonly other: EmailAlert;
        /** Score, as in an email about one match. */
        readonly score: number | null;
        readonly repeats?: boolean;
        readonly summary?: string;
        readonly sealedToken: string;
      }[];
      /** Count of matches that wait for the next digest. */
      readonly more: number;
      /** Link that ends match emails for all alerts of the reader. */
      readonly sealedUnsubscribe: string;
    }
  /** To the owner: messages and sightings that were not emailed immediately, and the count of more. */
  | {
      readonly kind: "digest";
      readonly alert: EmailAlert;
      readonly conversations: readonly {
        /** Name given by the writer, or null. */
        readonly name: string | null;
        /** Beginning of the newest message. */
        readonly text: string;
        /** Count of the photos of that message. */
        readonly photos: number;
        readonly messages: number;
        readonly sealedToken: string;
      }[];
      readonly moreConversations: number;
      readonly sightings: readonly EmailSighting[];
      readonly moreSightings: number;
      /** Null for an alert without a manage link. */
      readonly sealedManage: string | null;
      /** Slug of the organisation that owns the alert; null for a private person. */
      readonly organisation: string | null;
    }
  /** To a subscriber: new alerts in the zone, newest first, and the count of more. */
  | {
      readonly kind: "zone";
      /** Null for several zones. */
      readonly label: string | null;
      /** Circle of the zone. Absent for several zones. */
      readonly circle?: { readonly lat: number; readonly lng: number; readonly radiusKm: number };
      /** True if it is one zone with daily emails. */
      readonly isDaily?: boolean;
      /** Zones, if there are several. */
      readonly zones?: readonly EmailZone[];
      /** Count of zones beyond those. */
      readonly moreZones?: number;
      readonly alerts: readonly EmailAlert[];
      readonly more: number;
      /** Link that ends all these zones. */
      readonly sealedUnsubscribe: string;
    };

/** Email in the outbox. Its id becomes its Message-ID. */
export type Email = {
  readonly id: string;
  /** One mailbox. */
  readonly to: string;
  readonly language: Language;
  readonly content: EmailContent;
  readonly createdAt: number;
  /** Time at which delivery is given up. */
  readonly giveUpAt: number;
};

/** Final state in the outbox. `suppressed`: its mailbox is on the suppression list. */
export type EmailOutcome = "sent" | "refused" | "given_up" | "suppressed";

/** Time for which delivery is retried, unless the content expires sooner. */
export const DELIVERY_MS = 72 * HOUR_MS;
export const MANAGE_LINKS_IN_EMAIL_MAX = 50;
export const ZONE_EMAIL_ALERTS_MAX = 20;
export const ZONE_EMAIL_ZONES_MAX = 10;

/** New email to one mailbox. Delivery is given up when its content expires. */
export function emailTo(
  dice: Dice,
  reader: { readonly to: string; readonly language: Language },
  content: EmailContent,
  now: number,
  expiresAt = Number.POSITIVE_INFINITY,
): Email {
  const giveUpAt = Math.min(expiresAt, now + DELIVERY_MS);
  return { id: dice.id(), ...reader, content, createdAt: now, giveUpAt };
}

/** Facts about a sighting for an email. */
export function emailSighting(sighting: SightingView) {
  const { city, district, distanceKm, seenAt, seenOn, note, photos } = sighting;
  return { city, district, distanceKm, seenAt, seenOn, note, photos } satisfies EmailSighting;
}

/** Public facts about an alert for an email. */
export function emailAlert(alert: AlertDraft): EmailAlert {
  const { slug, shortCode, type, species, name, breed, color, point } = alert;
  const { city, district, countryCode, eventDate, eventTime, landmark } = alert;
  const timeZone = timeZoneAt(point);
  const when = { eventDate, eventTime, timeZone };
  const where = { city, district, countryCode, landmark };
  return { slug, shortCode, type, species, name, breed, color, ...where, ...when };
}
