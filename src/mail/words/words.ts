import type { AlertType, Language, Species } from "../../core/alert.ts";
import type { PendingKind } from "../../core/letter.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

/** The sentences of letters in a language. */
export function wordsIn(language: Language): Words {
  return WORDS[language];
}

const WORDS: Readonly<Record<Language, Words>> = { en, fr, es, de };

/**
 * One text for each type and species: articles, genders and cases are each language's own affair, so whole phrases
 * are written out instead of glued together.
 */
export type ByAnimal = Readonly<Record<AlertType, Readonly<Record<Species, string>>>>;

/**
 * Every sentence a letter may say. Plain text throughout: whoever lays it out escapes it. Subjects take nothing that
 * the public wrote: codes are drawn by us, headlines come from here.
 */
export type Words = {
  /** A day of the calendar as it stands in a sentence. Milliseconds since 1970; the day is the one in UTC. */
  readonly day: (time: number) => string;
  /** "lost cat", as it stands after a colon. */
  readonly headline: ByAnimal;
  /** Before the address of a button, for readers whose mail program shows no buttons. */
  readonly copyAddress: string;
  readonly neverACode: string;
  /** Last lines of every letter. */
  readonly footer: (site: string) => string;

  readonly confirm: Readonly<
    Record<
      PendingKind,
      {
        readonly subject: (code: string) => string;
        readonly title: string;
        readonly asked: (site: string, code: string) => string;
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

  readonly live: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: ByAnimal;
    readonly share: string;
    readonly page: string;
    readonly shortLink: string;
    readonly qr: string;
    readonly manage: string;
    readonly moves: Readonly<Record<AlertType, readonly string[]>>;
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
    /** To the owner: a stranger wrote. */
    readonly fromStranger: ByAnimal;
    /** To the stranger: the owner wrote. */
    readonly fromOwner: ByAnimal;
    readonly writes: (name: string) => string;
    readonly unnamed: string;
    readonly button: string;
    readonly hidden: string;
    readonly beware: string;
    readonly alert: string;
  };

  readonly sighting: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    readonly opening: string;
    /** `km` is measured from the alert, null: not known better than the town; `day` and `time` are in UTC; time as 07:30. */
    readonly seen: (town: string, km: number | null, day: string, time: string) => string;
    readonly adds: string;
    readonly unproven: string;
    readonly button: string;
    readonly beware: string;
  };

  readonly zone: {
    readonly subjectOne: (headline: string, code: string) => string;
    readonly subjectMany: (count: number) => string;
    readonly titleOne: string;
    readonly opening: string;
    readonly openingNamed: (label: string) => string;
    readonly seen: string;
    readonly more: (count: number) => string;
    readonly buttonOne: string;
    readonly buttonMany: string;
    readonly why: string;
    readonly unsubscribe: string;
  };

  readonly match: {
    readonly subject: (headline: string, code: string) => string;
    readonly title: string;
    /** To the owner of a lost alert: this may be yours; to the finder: this may be its owner. */
    readonly opening: Readonly<Record<AlertType, string>>;
    readonly score: (percent: number) => string;
    readonly reasons: string;
    readonly yours: string;
    readonly button: string;
    readonly notMine: string;
    readonly beware: string;
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
