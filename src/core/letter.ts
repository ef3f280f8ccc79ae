import type { AlertType, Description, Language, Species } from "./alert.ts";
import { HOUR_MS } from "./duration.ts";
import type { Dice } from "./ports.ts";

/** What a letter says of an alert. Public facts only. */
export type LetterAlert = {
  readonly slug: string;
  readonly shortCode: string;
  readonly type: AlertType;
  readonly species: Species;
  readonly name: string | null;
  readonly color: string;
  readonly city: string;
  /** YYYY-MM-DD. */
  readonly eventDate: string;
};

/** What waits for its human behind a confirmation letter. */
export type PendingKind = "publish" | "message" | "zone" | "sighting";

/**
 * What a letter says, as data: the words come from the reader's language when it is sent.
 * Private links are sealed (see `Vault`), so that no usable token lies in the database.
 */
export type LetterContent =
  /** "Please confirm": holds no word that the asker wrote. */
  | {
      readonly kind: "confirm";
      readonly action: PendingKind;
      /** The alert's short code; null for a zone. */
      readonly shortCode: string | null;
      readonly sealedToken: string;
      readonly expiresAt: number;
    }
  /** To the owner: the alert is live, here is your private link. */
  | {
      readonly kind: "live";
      readonly alert: LetterAlert;
      readonly sealedToken: string;
      readonly expiresAt: number;
    }
  /** To the owner, who asked for it: the private link once more. */
  | {
      readonly kind: "link";
      readonly alert: LetterAlert;
      readonly sealedToken: string;
    }
  /** To a moderator, who asked for it: the way in. */
  | {
      readonly kind: "admin";
      readonly sealedToken: string;
      readonly expiresAt: number;
    }
  /** To anybody who asked for it: the link that erases all that is kept of the reader. */
  | {
      readonly kind: "erase";
      /** Whether the reader confirmed nothing yet, and can stop such letters. */
      readonly canStop: boolean;
      readonly sealedToken: string;
      readonly expiresAt: number;
    }
  /** To the owner: the alert ends soon, renew it by your private link. */
  | {
      readonly kind: "reminder";
      readonly alert: LetterAlert;
      readonly sealedToken: string;
      readonly sealedUnsubscribe: string;
      readonly expiresAt: number;
    }
  /** To one side of a conversation: what the other side wrote. */
  | {
      readonly kind: "message";
      readonly alert: LetterAlert;
      /** Who wrote: a stranger about the reader's alert, or the owner of the alert the reader wrote about. */
      readonly from: "stranger" | "owner";
      /** The name the writer gave, or null. */
      readonly name: string | null;
      readonly text: string;
      readonly sealedToken: string;
    }
  /** To the owner: somebody saw the animal. */
  | {
      readonly kind: "sighting";
      readonly alert: LetterAlert;
      /** The town it was near. */
      readonly city: string;
      /** Km from where the alert is; null: in the town where that is. */
      readonly distanceKm: number | null;
      readonly seenAt: number;
      readonly note: string | null;
    }
  /** To the owner of one half of a likely pair: the other half, and why. */
  | {
      readonly kind: "match";
      /** The reader's own. */
      readonly alert: LetterAlert;
      readonly other: LetterAlert;
      /** Probability in percent. */
      readonly score: number;
      /** Sentences in the reader's language, strongest first. */
      readonly reasons: readonly string[];
      /** Opens the pair's page, where "not my pet" ends it. */
      readonly sealedToken: string;
      readonly sealedUnsubscribe: string;
    }
  /** To a subscriber: new alerts in the zone, newest first, and how many more there were. */
  | {
      readonly kind: "zone";
      readonly label: string | null;
      /** The reader's own circle. Missing in letters that were written before it was told. */
      readonly circle?: { readonly lat: number; readonly lng: number; readonly radiusKm: number };
      readonly alerts: readonly LetterAlert[];
      readonly more: number;
      readonly sealedUnsubscribe: string;
    };

/** A letter waiting in the outbox. Its id becomes its Message-ID. */
export type Letter = {
  readonly id: string;
  /** One mailbox. */
  readonly to: string;
  readonly language: Language;
  readonly content: LetterContent;
  readonly createdAt: number;
  /** After this it is worth nothing and is given up. */
  readonly giveUpAt: number;
};

/** How long delivery of a letter is tried, unless what it says ends sooner. */
export const DELIVERY_MS = 72 * HOUR_MS;
/** Alerts listed in one zone letter at most. */
export const ZONE_LETTER_ALERTS_MAX = 20;

/** A letter to one mailbox, to be tried for the usual time. */
export function letterTo(
  dice: Dice,
  reader: { readonly to: string; readonly language: Language },
  content: LetterContent,
  now: number,
): Letter {
  return { id: dice.id(), ...reader, content, createdAt: now, giveUpAt: now + DELIVERY_MS };
}

/** What letters say of an alert. */
export function alertInLetter(
  alert: Description & { readonly slug: string; readonly shortCode: string },
): LetterAlert {
  const { slug, shortCode, type, species, name, color, city, eventDate } = alert;
  return { slug, shortCode, type, species, name, color, city, eventDate };
}
