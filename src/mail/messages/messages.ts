import type { AlertType, Language, Species } from "../../core/alerts/alert.ts";
import type { PendingKind } from "../../core/email.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

/** Email texts in a language. */
export function messagesFor(language: Language): EmailMessages {
  return WORDS[language];
}

const WORDS: Readonly<Record<Language, EmailMessages>> = { en, fr, es, de };

/**
 * One text per type and species. Articles, genders and cases differ by language, so phrases are written out instead of
 * assembled from parts.
 */
export type ByAnimal = Readonly<Record<AlertType, Readonly<Record<Species, string>>>>;

/**
 * All texts of emails, as plain text that the layout escapes. Subjects contain no text written by the public, only short
 * codes and headlines from here.
 */
export type EmailMessages = {
  /** Date within a sentence, in UTC. */
  readonly day: (time: number) => string;
  /** "lost cat", as written after a colon. */
  readonly headline: ByAnimal;
  /** Introduces a button's address, for mail programs that show no buttons. */
  readonly copyAddress: string;
  readonly neverACode: string;
  /** Last lines of every email. */
  readonly footer: (site: string) => string;

  readonly confirm: Readonly<
    Record<
      PendingKind,
      {
        readonly subject: (code: string) => string;
        readonly title: string;
        readonly opening: (site: string, code: string) => string;
        readonly next: string;
        readonly button: string;
      }
    >
  > & {
    readonly nothingYet: string;
    /** `day` and `time` are in UTC; time as 07:30. */
    readonly ends: (hours: number, day: string, time: string) => string;
    readonly ignore: string;
    readonly notMe: string;
  };

  /** Several requests in one email. */
  readonly confirmations: {
    readonly subject: (count: number) => string;
    readonly title: (count: number) => string;
    readonly opening: (site: string) => string;
    readonly next: string;
    readonly ends: (hours: number, day: string, time: string) => string;
  };

  readonly live: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: ByAnimal;
    readonly share: string;
    readonly page: string;
    readonly shortLink: string;
    readonly qr: string;
    readonly manage: string;
    readonly actions: Readonly<Record<AlertType, readonly string[]>>;
    readonly button: string;
    readonly keepPrivate: string;
    readonly ends: (day: string) => string;
    readonly beware: string;
  };

  readonly link: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: string;
    readonly button: string;
    readonly ignore: string;
    /** For an owner of several alerts. */
    readonly subjectMany: (count: number) => string;
    readonly titleMany: string;
    readonly openingMany: string;
    readonly keepPrivateMany: string;
    /** For a list that is too long for one email. */
    readonly part: (part: number, parts: number, count: number) => string;
    readonly nextPart: string;
  };

  readonly admin: {
    readonly subject: string;
    readonly title: string;
    readonly opening: (site: string) => string;
    readonly button: string;
    readonly ends: (day: string, time: string) => string;
    readonly ignore: string;
  };

  readonly erase: {
    readonly subject: string;
    readonly title: string;
    readonly opening: (site: string) => string;
    readonly next: string;
    readonly button: string;
    readonly ends: (day: string, time: string) => string;
    readonly ignore: string;
  };

  readonly message: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    /** To the owner, about a message from a stranger. */
    readonly fromStranger: ByAnimal;
    /** To the stranger, about a message from the owner. */
    readonly fromOwner: ByAnimal;
    readonly writes: (name: string) => string;
    readonly unnamed: string;
    readonly button: string;
    readonly hidden: string;
    readonly beware: string;
    /** Explains "[removed]" in a quoted message. */
    readonly removed: string;
    readonly alert: string;
  };

  readonly sighting: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: string;
    /** `km` is the distance from the alert, null if only the town is known; `day` and `time` (07:30) are in UTC. */
    readonly seen: (town: string, km: number | null, day: string, time: string) => string;
    readonly adds: string;
    readonly unproven: string;
    readonly button: string;
    readonly beware: string;
  };

  /** Digest of messages and sightings for the owner. */
  readonly digest: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: string;
    /** After the newest message of a conversation. */
    readonly moreOfOne: (count: number) => string;
    readonly moreConversations: (count: number) => string;
    readonly moreSightings: (count: number) => string;
    readonly button: string;
    /** For an alert without a private page. */
    readonly buttonAlert: string;
  };

  readonly zone: {
    readonly subjectOne: (headline: string, code: string) => string;
    readonly subjectMany: (count: number) => string;
    readonly titleOne: string;
    readonly opening: string;
    readonly openingNamed: (label: string) => string;
    /** Before a list of zones. */
    readonly openingMany: string;
    readonly circle: (km: number, town: string) => string;
    readonly moreZones: (count: number) => string;
    readonly seen: string;
    readonly more: (count: number) => string;
    readonly buttonOne: string;
    readonly buttonMany: string;
    readonly why: string;
    readonly whyMany: string;
    readonly unsubscribe: string;
    readonly unsubscribeOne: (zone: string) => string;
    readonly unsubscribeAll: string;
  };

  readonly match: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    /** By the type of the reader's own alert. */
    readonly opening: Readonly<Record<AlertType, string>>;
    readonly score: (percent: number) => string;
    readonly reasons: string;
    readonly yours: string;
    readonly button: string;
    readonly notMine: string;
    readonly beware: string;
    readonly unsubscribe: string;
  };

  /** Matches beyond the day's separate match emails. */
  readonly matchDigest: {
    readonly subject: (count: number) => string;
    readonly opening: string;
    /** Below each alert of someone else; headline and code are those of the reader's own alert. */
    readonly pair: (percent: number, headline: string, code: string) => string;
    readonly more: (count: number) => string;
    readonly unsubscribe: string;
  };

  readonly reminder: {
    readonly subject: (days: number, headline: string, code: string) => string;
    readonly title: (days: number) => string;
    readonly opening: ByAnimal;
    readonly orEnd: Readonly<Record<AlertType, string>>;
    readonly ends: (day: string, time: string) => string;
    readonly button: string;
    readonly keepPrivate: string;
    readonly unsubscribe: string;
  };
};
