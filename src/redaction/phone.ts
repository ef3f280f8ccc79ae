import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from "libphonenumber-js/min";

import { hideHarmlessNumbers, isHarmless } from "./harmless-number.ts";
import { spansOf, type Reading, type Span } from "./reading.ts";

/**
 * Phone numbers, with any signs between their digits.
 *
 * The table of numbering plans is libphonenumber's "min" one: 10 MB of memory and 30 ms once per process, 5 ms at the
 * first call (measured on Bun 1.4.5).
 */
export function findPhones(reading: Reading, countryCode: string): Span[] {
  const country = isSupportedCountry(countryCode) ? countryCode : undefined;
  let compared = 0;
  const isAtHome: IsAtHome = (digits) => {
    compared += 1;
    return compared > COMPARED_MAX || isNational(digits, country);
  };
  const text = hideHarmlessNumbers(reading.text, isAtHome);
  return [
    ...findAnnounced(text),
    ...spansOf(text, SHORT_URI, 1),
    ...findRuns(text, isAtHome),
    ...findLocal(text, country),
  ];
}

/** Decides if digits are a complete number in the plan of the country. */
type IsAtHome = (digits: string) => boolean;

/** Numbers of one text that are looked up in a plan, which takes 30 µs each; no honest text has more. */
const COMPARED_MAX = 12;

/** Shorter numbers are valid in some plans, but then so is every postcode. */
const DIGITS_MIN = 7;
/** From this length on, digits in a row are a number of some country, unless they are harmless. */
const DIGITS_SURE = 9;
/** Longest number of any plan (ITU-T E.164). */
const DIGITS_MAX = 15;

/** At least six digits after a word such as "call". */
function findAnnounced(text: string): Span[] {
  return spansOf(text, ANNOUNCED, 1).filter(
    ({ start, end }) => !isHarmless(text.slice(start, end)),
  );
}

const ANNOUNCED =
  /(?<!\p{L})(?:call|phone|telephone|telefono|telefon|tel|tlf|tfno|mobile|mobil|movil|cell|cellphone|celular|handy|portable|gsm|natel|text|sms|whats\s?app|signal|telegram|viber|appel\p{L}{0,3}|joindre|joignable|llam\p{L}{1,4}|anruf\p{L}{0,3}|ruf\p{L}{0,2})(?!\p{L})(?:[^\p{L}\p{N}\0]{1,3}(?:me|us|moi|nous|mich|uns|number|numero|nummer|no|nr|n|on|at|au|al|an|unter|sous|is|est|es|ist|please|bitte|svp)(?!\p{L})){0,4}[^\p{L}\p{N}\0]{0,4}(\d(?:[^\p{L}\p{N}\0\n]{0,3}\d){5,14})(?!\d)/dgu;

/** Short premium numbers, written so that a tap calls them. */
const SHORT_URI = /(?<!\p{L})(?:tel|sms|smsto|callto):(\d{3,5})(?![\d:])/dgu;

/** Digits with any signs between them, seven or more. */
const RUN = /(?:\((?=[^()\0]{1,8}\)))?\+?\d(?:[^\p{L}\p{N}\0]{0,4}\d){6,}/gu;
/** End of a clause, after which a number rarely continues. */
const CLAUSE_END = /\n|[,;]\s|\.\s/;

function findRuns(text: string, isAtHome: IsAtHome): Span[] {
  return spansOf(text, RUN).flatMap((run) => {
    const parts = splitAt(text, run, CLAUSE_END);
    if (parts.length > 1 && isSplitPhone(text, run, parts, isAtHome)) return [run];
    return parts.filter((part) => isPhone(text, part, isAtHome));
  });
}

function isPhone(text: string, { start, end }: Span, isAtHome: IsAtHome): boolean {
  const written = text.slice(start, end);
  const digits = digitsOf(written);
  if (digits.length < DIGITS_MIN || isHarmless(written)) return false;
  if (digits.length >= DIGITS_SURE || written.startsWith("+")) return true;
  const isPartOfWord =
    /\p{L}$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    /^\p{L}/u.test(text.slice(end, end + 2));
  return !isPartOfWord && IN_ONE_STYLE.test(written) && isAtHome(digits);
}

/** Usual signs between the groups, or one sign throughout: "1.16 (#2158)" is neither. */
const IN_ONE_STYLE = /^[\d ()./-]+$|^\d+(\D+)\d+(?:\1\d+)*$/;

/** "06, 12, 34, 56, 78": short groups over several clauses that together are one number. */
function isSplitPhone(
  text: string,
  run: Span,
  parts: readonly Span[],
  isAtHome: IsAtHome,
): boolean {
  const written = text.slice(run.start, run.end);
  const digits = digitsOf(written);
  const groups = written.match(/\d+/g) ?? [];
  if (parts.every(({ start, end }) => isSchedule(text.slice(start, end)))) return false;
  const isPairs = groups.length >= 5 && groups.every((group) => group.length <= 2);
  if (isPairs && digits.length >= 10 && /^[0+]/.test(written)) return true;
  const isShort = groups.length >= 3 && groups.every((group) => group.length <= 4);
  return (
    isShort &&
    digits.length >= DIGITS_SURE &&
    digits.length <= DIGITS_MAX &&
    !isHarmless(written) &&
    isAtHome(digits)
  );
}

/** Days and hours ("8:00 - 12:00, 14:00 - 18:00") also come as short groups over several clauses. */
function isSchedule(written: string): boolean {
  return isHarmless(written) && !/^\d{1,3}$/.test(written);
}

function splitAt(text: string, { start, end }: Span, sign: RegExp): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const part of text.slice(start, end).split(sign)) {
    const at = text.indexOf(part, from);
    spans.push({ start: at, end: at + part.length });
    from = at + part.length;
  }
  return spans;
}

/** Local numbers without an area code, as the plan of North America writes them. */
function findLocal(text: string, country: CountryCode | undefined): Span[] {
  const isNorthAmerica = country !== undefined && getCountryCallingCode(country) === "1";
  if (!isNorthAmerica) return [];
  return spansOf(text, LOCAL).filter(({ start, end }) => !isHarmless(text.slice(start, end)));
}

const LOCAL = /(?<!\d[^\p{L}\p{N}\0]{0,2})[2-9]\d\d[-.]\d{4}(?!\d|[-.]\d)/gu;

/** True for a complete number in national format, including a leading 0 if the country has one. */
function isNational(digits: string, country: CountryCode | undefined): boolean {
  const number = parsePhoneNumberFromString(digits, country);
  return number !== undefined && number.isValid() && digitsOf(number.formatNational()) === digits;
}

function digitsOf(written: string): string {
  return written.replace(/\D/g, "");
}
