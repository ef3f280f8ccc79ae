import { z } from "zod";
import { REMOVED } from "../redaction/redact.ts";
import { kindName, type KindName } from "../matching/animal-kind.ts";
import type { DayPart } from "./written-time.ts";
import type { AlertType, Species } from "../values/animal.ts";
import { type Language, LANGUAGES } from "../values/language.ts";

/**
 * Languages of pages whose translations nobody has reviewed; ISO 639-1. The operator turns them on. Their readers get
 * emails, and texts of the core, in English.
 */
export const UNREVIEWED_LANGUAGES = ["ar"] as const;
export type PageLanguage = Language | (typeof UNREVIEWED_LANGUAGES)[number];

/** Language of a request. */
export const languageField = z.enum(LANGUAGES).describe("Of the emails, en when absent");

/** Language that most people of a country speak, by its code (ISO 3166-1 alpha-2); English if it is not among ours. */
export function languageOfCountry(countryCode: string): Language {
  const { language } = new Intl.Locale(`und-${countryCode}`).maximize();
  return LANGUAGES.find((known) => known === language) ?? "en";
}

/** Texts and formats that pages and emails share. */
export type Locale = {
  /** BCP 47 tag by which numbers and plurals are written. */
  readonly tag: string;
  /** "lost cat", as written within a sentence; an animal of the species "other" by its breed, "found tortoise". */
  readonly headline: (alert: {
    readonly type: AlertType;
    readonly species: Species;
    readonly breed?: string;
  }) => string;
  /** Day of a time in milliseconds, in a time zone or else UTC, or of a date, YYYY-MM-DD: "21 November 2026". */
  readonly day: (time: number | string, timeZone?: string) => string;
  /** Day and time in a time zone or else UTC, as written within a sentence: "21 November 2026 at 12:05 UTC". */
  readonly moment: (time: number, timeZone?: string) => string;
  /** Day, YYYY-MM-DD, or a part of it, as written within a sentence: "21 November 2026 in the evening". */
  readonly dayPart: (of: { readonly day: string; readonly part: DayPart }) => string;
  /** Rough time of a day, HH:MM, as written behind the day: "about 13:20". */
  readonly aboutTime: (clock: string) => string;
  /** "Lyon, near Parc de la Tête d’Or", in words that fit any name of a place. */
  readonly near: (town: string, landmark: string) => string;
  /** "today", "yesterday", "3 days ago". */
  readonly daysAgo: (days: number) => string;
  /** "5 km around Lyon". */
  readonly circle: (radiusKm: number, town: string) => string;
  /** Text in place of a contact detail that was removed, "[removed]". */
  readonly removedMark: string;
  /** "of Lyon", in French with what the name asks for: "d’Annecy", "du Mans". */
  readonly of: (town: string) => string;
  /** Country by its code, ISO 3166-1 alpha-2; the code itself if it is none. */
  readonly country: (code: string) => string;
  /** "Ana, Luz and Irene". */
  readonly and: (items: readonly string[]) => string;
  /** "Lyon, France or Lyons, United States". */
  readonly or: (items: readonly string[]) => string;
};

export const LOCALES: Readonly<Record<PageLanguage, Locale>> = {
  en: {
    removedMark: "[removed]",
    of: (town) => `of ${town}`,
    headline: headlines(
      "en",
      {
        lost: { dog: "lost dog", cat: "lost cat", bird: "lost bird", other: "lost pet" },
        found: { dog: "found dog", cat: "found cat", bird: "found bird", other: "found pet" },
      },
      (type, { name }) => `${type} ${name}`,
    ),
    aboutTime: (clock) => `about ${clock}`,
    near: (town, landmark) => `${town}, near ${landmark}`,
    circle: (km, town) => `${km.toLocaleString("en-GB")}\u00a0km around ${town}`,
    ...formats(
      "en-GB",
      {
        morning: "in the morning",
        afternoon: "in the afternoon",
        evening: "in the evening",
        night: "at night",
      },
      (day, time, zone) => `${day} at ${time} ${zone}`,
    ),
  },
  fr: {
    removedMark: "[retiré]",
    of: frenchOf,
    headline: headlines(
      "fr",
      {
        lost: {
          dog: "chien perdu",
          cat: "chat perdu",
          bird: "oiseau perdu",
          other: "animal perdu",
        },
        found: {
          dog: "chien trouvé",
          cat: "chat trouvé",
          bird: "oiseau trouvé",
          other: "animal trouvé",
        },
      },
      (type, { name, isFeminine }) =>
        `${name} ${type === "lost" ? "perdu" : "trouvé"}${isFeminine ? "e" : ""}`,
    ),
    aboutTime: (clock) => `vers ${frenchClock(clock)}`,
    near: (town, landmark) => `${town}, secteur ${landmark}`,
    circle: (km, town) => `${town} et ${km.toLocaleString("fr-FR")}\u00a0km alentour`,
    ...formats(
      "fr-FR",
      {
        morning: "dans la matinée",
        afternoon: "dans l’après-midi",
        evening: "dans la soirée",
        night: "dans la nuit",
      },
      (day, time, zone) => {
        return `${day} à ${frenchClock(time)} (${zone})`;
      },
    ),
  },
  es: {
    removedMark: "[eliminado]",
    of: (town) => `de ${town}`,
    headline: headlines(
      "es",
      {
        lost: {
          dog: "perro perdido",
          cat: "gato perdido",
          bird: "ave perdida",
          other: "mascota perdida",
        },
        found: {
          dog: "perro encontrado",
          cat: "gato encontrado",
          bird: "ave encontrada",
          other: "mascota encontrada",
        },
      },
      (type, { name, isFeminine }) =>
        `${name} ${type === "lost" ? "perdid" : "encontrad"}${isFeminine ? "a" : "o"}`,
    ),
    aboutTime: (clock) =>
      `${clock.startsWith("01:") ? "sobre la" : "sobre las"} ${clock.replace(/^0/, "")}`,
    near: (town, landmark) => `${town}, zona ${landmark}`,
    circle: (km, town) => `${km.toLocaleString("es-ES")}\u00a0km alrededor de ${town}`,
    ...formats(
      "es-ES",
      {
        morning: "por la mañana",
        afternoon: "por la tarde",
        evening: "al anochecer",
        night: "por la noche",
      },
      (day, time, zone) => `${day} ${time.startsWith("1:") ? "a la" : "a las"} ${time} (${zone})`,
    ),
  },
  de: {
    removedMark: "[entfernt]",
    of: (town) => `von ${town}`,
    headline: headlines(
      "de",
      {
        lost: {
          dog: "Hund vermisst",
          cat: "Katze vermisst",
          bird: "Vogel entflogen",
          other: "Haustier vermisst",
        },
        found: {
          dog: "Hund gefunden",
          cat: "Katze gefunden",
          bird: "Vogel gefunden",
          other: "Haustier gefunden",
        },
      },
      (type, { name }) => `${name} ${type === "lost" ? "vermisst" : "gefunden"}`,
    ),
    aboutTime: (clock) => `gegen ${clock} Uhr`,
    near: (town, landmark) => `${town}, Nähe ${landmark}`,
    circle: (km, town) => `${km.toLocaleString("de-DE")}\u00a0km um ${town}`,
    ...formats(
      "de-DE",
      { morning: "vormittags", afternoon: "nachmittags", evening: "abends", night: "nachts" },
      (day, time, zone) => `${day} um ${time} Uhr (${zone})`,
    ),
  },
  ar: {
    removedMark: "[محذوف]",
    of: (town) => `من ${town}`,
    headline: headlines(
      "ar",
      {
        lost: { dog: "كلب مفقود", cat: "قط مفقود", bird: "طائر مفقود", other: "حيوان مفقود" },
        found: {
          dog: "كلب معثور عليه",
          cat: "قط معثور عليه",
          bird: "طائر معثور عليه",
          other: "حيوان معثور عليه",
        },
      },
      (type, { name, isFeminine }) =>
        type === "lost"
          ? `${name} ${isFeminine ? "مفقودة" : "مفقود"}`
          : `${name} معثور ${isFeminine ? "عليها" : "عليه"}`,
    ),
    aboutTime: (clock) => `نحو ${clock}`,
    near: (town, landmark) => `${town}، قرب ${landmark}`,
    circle: (km, town) => `${km.toLocaleString("ar-u-nu-latn")}\u00a0كم حول ${town}`,
    // With the digits of the short codes and addresses beside them.
    ...formats(
      "ar-u-nu-latn",
      { morning: "صباحًا", afternoon: "بعد الظهر", evening: "مساءً", night: "ليلًا" },
      (day, time, zone) => `${day}، ${time} (${zone})`,
    ),
  },
};

/** Headlines for each species, and for a kind of animal by its name. */
function headlines(
  language: PageLanguage,
  plain: Readonly<Record<AlertType, Readonly<Record<Species, string>>>>,
  ofKind: (type: AlertType, kind: KindName) => string,
): Locale["headline"] {
  return (alert) => {
    const kind = kindName(alert, language);
    return kind === null ? plain[alert.type][alert.species] : ofKind(alert.type, kind);
  };
}

function formats(
  locale: string,
  parts: Readonly<Record<Exclude<DayPart, "day">, string>>,
  join: (day: string, time: string, zone: string) => string,
): Omit<Locale, "headline" | "aboutTime" | "near" | "circle" | "of" | "removedMark"> {
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const lists = new Intl.ListFormat(locale, { type: "conjunction" });
  const choices = new Intl.ListFormat(locale, { type: "disjunction" });
  const clockIn = (timeZone: string): Clock => ({
    days: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }),
    times: new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone }),
    zones: new Intl.DateTimeFormat(locale, { hour: "2-digit", timeZoneName: "short", timeZone }),
  });
  const utc = clockIn("UTC");
  // Only emails use other time zones, and too few to keep hundreds of formats in memory for them.
  const clock = (timeZone?: string) => (timeZone === undefined ? utc : clockIn(timeZone));
  const dayBy = ({ days }: Clock, time: number) => {
    const text = days.format(time);
    return locale === "fr-FR" ? text.replace(/^1 /, "1er ") : text;
  };
  return {
    tag: locale,
    day: (time, timeZone) =>
      typeof time === "number" ? dayBy(clock(timeZone), time) : dayBy(utc, Date.parse(time)),
    dayPart: ({ day, part }) => {
      const text = dayBy(utc, Date.parse(day));
      return part === "day" ? text : `${text} ${parts[part]}`;
    },
    daysAgo: (days) => relative.format(-days, "day"),
    moment: (time, timeZone) => {
      const by = clock(timeZone);
      return join(dayBy(by, time), by.times.format(time), zoneName(by, time));
    },
    country: (code) => countries.of(code) ?? code,
    and: (items) => lists.format(items),
    or: (items) => choices.format(items),
  };
}

/** Formats of days, times of day and names in one time zone. */
type Clock = Readonly<Record<"days" | "times" | "zones", Intl.DateTimeFormat>>;

/** "CET", "UTC+1". */
function zoneName({ zones }: Clock, time: number): string {
  const part = zones.formatToParts(time).find(({ type }) => type === "timeZoneName");
  return part?.value ?? "";
}

/** Day of an event with its time, if that is known: "21 November 2026, about 13:20". */
export function eventDay(
  { day, aboutTime }: Pick<Locale, "day" | "aboutTime">,
  { eventDate, eventTime }: { readonly eventDate: string; readonly eventTime?: string | null },
): string {
  const text = day(eventDate);
  return eventTime == null ? text : `${text}, ${aboutTime(eventTime)}`;
}

/** Text that somebody wrote, with what stands for removed details in the reader's language. */
export function writtenText({ removedMark }: Pick<Locale, "removedMark">, text: string): string {
  return text.replaceAll(REMOVED, removedMark);
}

/** A sentence for each species, built around its name in one grammatical case. */
export function bySpecies(
  names: Readonly<Record<Species, string>>,
  sentence: (name: string) => string,
): Readonly<Record<Species, string>> {
  const { dog, cat, bird, other } = names;
  return { dog: sentence(dog), cat: sentence(cat), bird: sentence(bird), other: sentence(other) };
}

/** Text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "9 h 05" */
function frenchClock(clock: string): string {
  return clock.replace(/^0/, "").replace(":", "\u00a0h\u00a0");
}

/** "de Lyon", "d’Annecy", "du Mans", "des Arcs". */
function frenchOf(town: string): string {
  if (town.startsWith("Le ")) return `du ${town.slice(3)}`;
  if (town.startsWith("Les ")) return `des ${town.slice(4)}`;
  return /^[aeiouyàâäéèêëîïôöùûü]/i.test(town) ? `d’${town}` : `de ${town}`;
}
