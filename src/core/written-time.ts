import { z } from "zod";
import { PAGE_LANGUAGES } from "../messages/languages.ts";
import { VOCABULARIES, wordsOfAll } from "../messages/vocabulary.ts";
import { folded } from "../text/tokenize.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./duration.ts";
import {
  clockTime,
  epochTime,
  isDate,
  isoDate,
  MONTH,
  TIME_MAX,
  timestamp,
  withReason,
} from "./input.ts";
import { dayIn, timeIn } from "./time-zone.ts";

// Times as people write them: "yesterday evening", "2026-11-26", "19:30". They are those of the clocks of a place.

/** Precision of a time that is not known to the minute: its day, or a part of that day. */
export type DayPart = "day" | "morning" | "afternoon" | "evening" | "night";

/** Time as it was written. */
export type WrittenTime = {
  /** By the clocks of the place, YYYY-MM-DD. */
  readonly day: string;
  /** Start and middle of what was written, in milliseconds since 1970; equal for a time to the minute. */
  readonly from: number;
  readonly at: number;
  /** Null for a time to the minute. */
  readonly part: DayPart | null;
};

/** Hours at which the parts of a day begin, and their middle. */
const HOURS: Readonly<Record<DayPart, readonly [from: string, middle: string]>> = {
  day: ["00:00", "12:00"],
  morning: ["05:00", "08:00"],
  afternoon: ["12:00", "15:00"],
  evening: ["17:00", "20:00"],
  night: ["21:00", "23:00"],
};

/** Days ago by the names of today, yesterday and the day before, folded. */
const DAYS_AGO = new Map(
  PAGE_LANGUAGES.flatMap((language) =>
    VOCABULARIES[language].days.map((name, ago) => [name, ago] as const),
  ),
);
const PARTS = new Map(
  (["morning", "afternoon", "evening", "night"] as const).flatMap((part) =>
    wordsOfAll(({ dayParts }) => dayParts[part]).map((name): [string, DayPart] => [name, part]),
  ),
);
/** "This evening" is today. */
const TODAY = wordsOfAll(({ thisPart }) => thisPart.join(" "));
const BEFORE_PART = PAGE_LANGUAGES.flatMap((language) => VOCABULARIES[language].beforePart);
/** "Tomorrow" in German and Spanish when they stand alone. */
const TOMORROW = wordsOfAll(({ tomorrow }) => tomorrow);

const DAY = new RegExp(
  `^(?:(?<date>\\d{4}-\\d{2}-\\d{2})|(?<days>\\d{1,3}) ?d(?:ays?(?: ago)?)?|(?<word>${[...DAYS_AGO.keys()].join("|")}))(?:$|t(?=\\d)|[ ,]+)`,
);
const PART = new RegExp(
  `^(?:(?<of>${[...TODAY, ...BEFORE_PART].join("|")}) )?(?<part>${[...PARTS.keys()].join("|")})$`,
);
/** "19h" is a clock in French. */
const AGO = /^(?<count>\d{1,3}|an?) ?(?<unit>h|hours?|min(?:ute)?s?) ago$/;
/** A bare number is no clock: it may be anything. */
const CLOCK = /^(?:at )?(?<clock>\d{1,2}(?:[:.h ].*|[ap]\.?m\.?))$/;

/**
 * Reads a time by the clocks of a time zone: a day ("2026-11-26", "yesterday", "7d"), alone or with a part ("evening") or a
 * time of day, a time of day alone (its last one), "last night", "now", "2 hours ago", a month; or a moment as programs
 * write it, with its zone or in seconds since 1970. Null for anything else.
 */
export function writtenTime(text: string, timeZone: string, now: number): WrittenTime | null {
  const words = plain(text);
  if (TOMORROW.includes(words)) return null;
  const moment = momentOf(words, now);
  if (moment !== null) return exactly(moment, timeZone);
  const today = dayIn(timeZone, now);
  const { day, rest } = dayAtStart(MONTH.test(words) ? `${words}-01` : words, today);
  if (day !== null && rest === "") return partOf(day, "day", timeZone);
  const { of = "", part: name = "" } =
    PART.exec(rest === "tonight" ? "this night" : rest)?.groups ?? {};
  const part = PARTS.get(name);
  const last = (read: (day: string) => WrittenTime): WrittenTime => {
    const time = read(day ?? today);
    const isPast = time.from <= now || TODAY.includes(of);
    return day !== null || (isPast && of !== "last") ? time : read(daysBefore(today, 1));
  };
  if (part !== undefined) return last((on) => partOf(on, part, timeZone));
  const clock = clockIn(rest);
  return clock === null ? null : last((on) => exactly(timeIn(timeZone, on, clock), timeZone));
}

/**
 * Day of a time that was written. A moment with a zone is on the day that the clocks of the place showed, except midnight: so
 * programs write a mere day. Null for a month and for a time of day alone.
 */
export function writtenDay(text: string, timeZone: string, now: number): string | null {
  const words = plain(text);
  if (MIDNIGHT.test(words) && isDate(words.slice(0, 10))) return words.slice(0, 10);
  if (MONTH.test(words) || (CLOCK.test(words) && !AGO.test(words))) return null;
  return writtenTime(text, timeZone, now)?.day ?? null;
}
const MIDNIGHT = /^\d{4}-\d{2}-\d{2}[t ]00:00(?::00(?:\.0+)?)?(?:z|[+-]\d{2}:\d{2})$/;

/** Text of a written time, by the clocks of the place: "2026-11-26", "2026-11-26 evening", "2026-11-26T19:30-08:00". */
export function localTime({ day, at, part }: Omit<WrittenTime, "from">, timeZone: string): string {
  if (part === "day") return day;
  if (part !== null) return `${day} ${part}`;
  return Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: "never", smallestUnit: "minute" });
}

/** Time of an input, by the clocks of its place. */
export const writtenTimeField = z
  .string()
  .max(TIME_MAX, { abort: true })
  .refine((text) => writtenTime(text, "UTC", 0) !== null, withReason("written_time"));
/** Day of an input, by the clocks of its place. */
export const dateField = z
  .string()
  .max(TIME_MAX, { abort: true })
  .refine((text) => writtenDay(text, "UTC", 0) !== null, withReason("date"));

function plain(text: string): string {
  return folded(text).trim().replace(/[’‘]/g, "'").replace(/\s+/g, " ");
}

function momentOf(words: string, now: number): number | null {
  if (words === "now" || words === "just now") return now;
  const { count, unit } = AGO.exec(words)?.groups ?? {};
  if (count !== undefined && unit !== undefined)
    return now - (Number(count) || 1) * (unit.startsWith("h") ? HOUR_MS : MINUTE_MS);
  return isDate(words) ? null : (epochTime(words) ?? timestamp(words.replace(" ", "t")));
}

function dayAtStart(
  words: string,
  today: string,
): { readonly day: string | null; readonly rest: string } {
  const found = DAY.exec(words);
  const { date, days, word } = found?.groups ?? {};
  const rest = words.slice(found?.[0].length ?? 0);
  if (date !== undefined) return isDate(date) ? { day: date, rest } : { day: null, rest: words };
  const ago = days === undefined ? DAYS_AGO.get(word ?? "") : Number(days);
  return ago === undefined ? { day: null, rest: words } : { day: daysBefore(today, ago), rest };
}

function clockIn(rest: string): string | null {
  // Programs write up to nanoseconds.
  const { clock } = CLOCK.exec(rest.replace(/(?<=:\d{2})\.\d+$/, ""))?.groups ?? {};
  return clock === undefined ? null : clockTime(clock);
}

function exactly(at: number, timeZone: string): WrittenTime {
  return { day: dayIn(timeZone, at), from: at, at, part: null };
}

function partOf(day: string, part: DayPart, timeZone: string): WrittenTime {
  const [from, at] = HOURS[part].map((clock) => timeIn(timeZone, day, clock)) as [number, number];
  return { day, from, at, part };
}

function daysBefore(day: string, days: number): string {
  return isoDate(Date.parse(day) - days * DAY_MS);
}
