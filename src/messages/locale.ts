import { type Compiled, compileMessages, type MessageFile } from "./compile.ts";
import type { MessageArguments } from "./arguments.ts";
import type en from "./en/locale.json";
import { filesNamed } from "./files.ts" with { type: "macro" };
import { ALL_LANGUAGES, byLanguage, PAGE_LANGUAGES, type PageLanguage } from "./languages.ts";
import { textsIn } from "./texts.ts";

type LocaleTexts = Compiled<typeof en, MessageArguments["locale"]>;
/** Part of a day. */
type DayPart = keyof (typeof en)["dayPart"];

/** Texts and formats that pages and emails share. */
export type Locale = Pick<
  LocaleTexts,
  "headline" | "kindHeadline" | "kinds" | "numberAtShelter" | "removedMark"
> & {
  /** BCP 47 tag by which numbers and plurals are written. */
  readonly tag: string;
  /** Day of a time in milliseconds, in a time zone or else UTC, or of a date, YYYY-MM-DD: "21 November 2026". */
  readonly day: (time: number | string, timeZone?: string) => string;
  /** Day and time in a time zone or else UTC, as written within a sentence: "21 November 2026 at 12:05 UTC". */
  readonly moment: (time: number, timeZone?: string) => string;
  /** Day, YYYY-MM-DD, or a part of it, as written within a sentence: "21 November 2026 in the evening". */
  readonly dayPart: (of: { readonly day: string; readonly part: DayPart | "day" }) => string;
  /** Rough time of a day, HH:MM, as written behind the day: "about 13:20". */
  readonly aboutTime: (clock: string) => string;
  /** "Lyon, near Parc de la Tête d’Or", in words that fit any name of a place. */
  readonly near: (town: string, landmark: string) => string;
  /** "today", "yesterday", "3 days ago". */
  readonly daysAgo: (days: number) => string;
  /** "5 km around Lyon". */
  readonly circle: (radiusKm: number, town: string) => string;
  /** Country by its code, ISO 3166-1 alpha-2; the code itself if it is none. */
  readonly country: (code: string) => string;
  /** "Ana, Luz and Irene". */
  readonly and: (items: readonly string[]) => string;
  /** "Lyon, France or Lyons, United States". */
  readonly or: (items: readonly string[]) => string;
};

const FILES = filesNamed("locale");

export const LOCALES = byLanguage(PAGE_LANGUAGES, localeOf);

function localeOf(language: PageLanguage): Locale {
  const { tag } = ALL_LANGUAGES[language];
  const texts = messagesIn<typeof en, MessageArguments["locale"]>(FILES, language);
  const countries = new Intl.DisplayNames([tag], { type: "region" });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto" });
  const lists = new Intl.ListFormat(tag, { type: "conjunction" });
  const choices = new Intl.ListFormat(tag, { type: "disjunction" });
  const clockIn = (timeZone: string): Clock => ({
    days: new Intl.DateTimeFormat(tag, { dateStyle: "long", timeZone }),
    times: new Intl.DateTimeFormat(tag, { timeStyle: "short", timeZone }),
    zones: new Intl.DateTimeFormat(tag, { hour: "2-digit", timeZoneName: "short", timeZone }),
  });
  const utc = clockIn("UTC");
  // Only emails use other time zones, and too few to keep hundreds of formats in memory for them.
  const clock = (timeZone?: string) => (timeZone === undefined ? utc : clockIn(timeZone));
  const dayBy = ({ days }: Clock, time: number) =>
    days.format(time).replace(/^1(?!\d)/, texts.firstOfMonth);
  return {
    ...texts,
    tag,
    day: (time, timeZone) =>
      typeof time === "number" ? dayBy(clock(timeZone), time) : dayBy(utc, Date.parse(time)),
    dayPart: ({ day: date, part }) => {
      const day = dayBy(utc, Date.parse(date));
      return part === "day" ? day : texts.dayPart[part]({ day });
    },
    daysAgo: (days) => relative.format(-days, "day"),
    moment: (time, timeZone) => {
      const by = clock(timeZone);
      const day = dayBy(by, time);
      return texts.moment({ day, zone: zoneName(by, time), ...timeOfDay(by.times.format(time)) });
    },
    aboutTime: (time) => texts.aboutTime(timeOfDay(time)),
    near: (town, landmark) => texts.near({ town, landmark }),
    circle: (km, town) => texts.circle({ km, town }),
    country: (code) => countries.of(code) ?? code,
    and: (items) => lists.format(items),
    or: (items) => choices.format(items),
  };
}

/** Messages of a file in one language, compiled for use. */
export function messagesIn<File extends MessageFile, Arguments extends object>(
  files: Readonly<Record<string, string>>,
  language: PageLanguage,
): Compiled<File, Arguments> {
  const { tag } = ALL_LANGUAGES[language];
  return compileMessages<File, Arguments>(textsIn<File>(files, language), {
    tag,
    of: TOWN_AFTER_OF[language],
  });
}

/** "of Lyon" in each language; in French with what the name asks for: "d’Annecy", "du Mans". */
const TOWN_AFTER_OF = byLanguage(PAGE_LANGUAGES, (language) => {
  const patterns: Readonly<Record<string, string>> = textsIn<typeof en>(FILES, language).ofTown;
  const rules = Object.entries(patterns).map(
    ([start, of]) => [new RegExp(start, "iu"), of] as const,
  );
  return (town: string) => {
    const [start, of] = rules.find(([pattern]) => pattern.test(town))!;
    return town.replace(start, of);
  };
});

/** Formats of days, times of day and names in one time zone. */
type Clock = Readonly<Record<"days" | "times" | "zones", Intl.DateTimeFormat>>;

/** "CET", "UTC+1". */
function zoneName({ zones }: Clock, time: number): string {
  const part = zones.formatToParts(time).find(({ type }) => type === "timeZoneName");
  return part?.value ?? "";
}

/** Time of a day with its hour and minute, for languages that write or inflect them apart: "9 h 05", "a la 1:05". */
function timeOfDay(time: string) {
  const [hour = "", minute = ""] = time.match(/\d+/g) ?? [];
  return { time, hour: Number(hour), minute };
}

/** Text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
