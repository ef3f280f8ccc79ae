import { REMOVED } from "./redaction/fold.ts";
import type { AlertType, Language, Species } from "./alerts/alert.ts";

/** Texts and formats that pages and emails share. */
export type Locale = {
  /** BCP 47 tag by which numbers and plurals are written. */
  readonly tag: string;
  /** "lost cat", as written within a sentence. */
  readonly headline: Readonly<Record<AlertType, Readonly<Record<Species, string>>>>;
  /** Day of a time in milliseconds or of a date, YYYY-MM-DD, in UTC: "21 November 2026". */
  readonly day: (time: number | string) => string;
  /** Day and time in UTC, as written within a sentence: "21 November 2026 at 12:05 UTC". */
  readonly moment: (time: number) => string;
  /** "today", "yesterday", "3 days ago". */
  readonly daysAgo: (days: number) => string;
  /** "5 km around Lyon". */
  readonly circle: (radiusKm: number, town: string) => string;
  /** What stands where a contact detail was removed, "[removed]". */
  readonly removedMark: string;
  /** "of Lyon", in French with what the name asks for: "d’Annecy", "du Mans". */
  readonly of: (town: string) => string;
  /** Country by its code, ISO 3166-1 alpha-2; the code itself if it is none. */
  readonly country: (code: string) => string;
  /** "Ana, Luz and Irene". */
  readonly and: (items: readonly string[]) => string;
};

export const LOCALES: Readonly<Record<Language, Locale>> = {
  en: {
    removedMark: "[removed]",
    of: (town) => `of ${town}`,
    headline: {
      lost: { dog: "lost dog", cat: "lost cat", bird: "lost bird", other: "lost pet" },
      found: { dog: "found dog", cat: "found cat", bird: "found bird", other: "found pet" },
    },
    circle: (km, town) => `${km.toLocaleString("en-GB")}\u00a0km around ${town}`,
    ...formats("en-GB", (day, time) => `${day} at ${time} UTC`),
  },
  fr: {
    removedMark: "[retiré]",
    of: frenchOf,
    headline: {
      lost: { dog: "chien perdu", cat: "chat perdu", bird: "oiseau perdu", other: "animal perdu" },
      found: {
        dog: "chien trouvé",
        cat: "chat trouvé",
        bird: "oiseau trouvé",
        other: "animal trouvé",
      },
    },
    circle: (km, town) => `${town} et ${km.toLocaleString("fr-FR")}\u00a0km alentour`,
    ...formats("fr-FR", (day, time) => {
      const clock = time.replace(/^0/, "").replace(":", "\u00a0h\u00a0");
      return `${day} à ${clock} (UTC)`;
    }),
  },
  es: {
    removedMark: "[eliminado]",
    of: (town) => `de ${town}`,
    headline: {
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
    circle: (km, town) => `${km.toLocaleString("es-ES")}\u00a0km alrededor de ${town}`,
    ...formats(
      "es-ES",
      (day, time) => `${day} ${time.startsWith("1:") ? "a la" : "a las"} ${time} (UTC)`,
    ),
  },
  de: {
    removedMark: "[entfernt]",
    of: (town) => `von ${town}`,
    headline: {
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
    circle: (km, town) => `${km.toLocaleString("de-DE")}\u00a0km um ${town}`,
    ...formats("de-DE", (day, time) => `${day} um ${time} Uhr (UTC)`),
  },
};

function formats(
  locale: string,
  join: (day: string, time: string) => string,
): Omit<Locale, "headline" | "circle" | "of" | "removedMark"> {
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  const countries = new Intl.DisplayNames([locale], { type: "region" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const lists = new Intl.ListFormat(locale, { type: "conjunction" });
  const times = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  const day = (time: number | string) => {
    const text = days.format(typeof time === "number" ? time : Date.parse(time));
    return locale === "fr-FR" ? text.replace(/^1 /, "1er ") : text;
  };
  return {
    tag: locale,
    day,
    daysAgo: (days) => relative.format(-days, "day"),
    moment: (time) => join(day(time), times.format(time)),
    country: (code) => countries.of(code) ?? code,
    and: (items) => lists.format(items),
  };
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

/** "de Lyon", "d’Annecy", "du Mans", "des Arcs". */
function frenchOf(town: string): string {
  if (town.startsWith("Le ")) return `du ${town.slice(3)}`;
  if (town.startsWith("Les ")) return `des ${town.slice(4)}`;
  return /^[aeiouyàâäéèêëîïôöùûü]/i.test(town) ? `d’${town}` : `de ${town}`;
}
