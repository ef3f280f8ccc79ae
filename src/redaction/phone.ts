import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from "libphonenumber-js/min";

import { memoize } from "../text/memoize.ts";
import { hideHarmlessNumbers, isHarmless } from "./harmless-number.ts";
import { spansOf, type NormalizedText, type Span } from "./normalized-text.ts";

/**
 * Phone numbers, with any signs between their digits.
 *
 * The table of numbering plans is libphonenumber's "min" one: 10 MB of memory and 30 ms once per process, 5 ms at the
 * first call (measured on Bun 1.4.5).
 */
export function findPhones(normalized: NormalizedText, countryCode: string): Span[] {
  const country = isSupportedCountry(countryCode) ? countryCode : undefined;
  const isNorthAmerican = country !== undefined && getCountryCallingCode(country) === "1";
  let compared = 0;
  const isLocal: IsLocal = (written) => {
    if (isNorthAmerican && WITHOUT_AREA.test(written)) return true;
    compared += 1;
    return compared > COMPARED_MAX || isNational(`${country ?? ""} ${digitsOf(written)}`);
  };
  const text = hideHarmlessNumbers(normalized.text, isLocal);
  return [
    ...spansOf(text, ANNOUNCED, 1).filter(({ start, end }) => !isHarmless(text.slice(start, end))),
    ...spansOf(text, SHORT_URI, 1),
    ...spansOf(text, RUN).filter((run) => isPhone(text, run, isLocal)),
    ...spansOf(text, RUN_OVER_LINES).filter(({ start, end }) => {
      const written = text.slice(start, end);
      return written.includes("\n") && isLocal(written.replaceAll("\n", " "));
    }),
  ];
}

/** Decides if a number is complete for callers in the country. */
type IsLocal = (written: string) => boolean;

/** "296-7387" */
const WITHOUT_AREA = /^[2-9]\d\d[-.]\d{4}$/;

/** Numbers of one text that are looked up in a plan, which takes 30 µs each; no honest text has more. */
const COMPARED_MAX = 12;

/** From this length on, digits in a row are a number of some country, unless they are harmless. */
const DIGITS_SURE = 9;

/** At least six digits after a word such as "call". */
const ANNOUNCED =
  /(?<!\p{L})(?:call|phone|telephone|telefono|telefon|tel|tlf|tfno|mobile|mobil|movil|cell|cellphone|celular|handy|portable|gsm|natel|text|sms|whats\s?app|signal|telegram|viber|appel\p{L}{0,3}|joindre|joignable|llam\p{L}{1,4}|anruf\p{L}{0,3}|ruf\p{L}{0,2})(?!\p{L})(?:[^\p{L}\p{N}\0]{1,3}(?:me|us|moi|nous|mich|uns|number|numero|nummer|no|nr|n|on|at|au|al|an|unter|sous|is|est|es|ist|please|bitte|svp)(?!\p{L})){0,4}[^\p{L}\p{N}\0]{0,4}(\d(?:[^\p{L}\p{N}\0\n]{0,3}\d){5,14})(?!\d)/dgu;

/** Short premium numbers, written so that a tap calls them. */
const SHORT_URI = /(?<!\p{L})(?:tel|sms|smsto|callto):(\d{3,5})(?![\d:])/dgu;

/**
 * Digits with any signs between them: shorter numbers are valid in some plans, but then so is every postcode. A number
 * rarely goes on after a line or a clause.
 */
const RUN = /(?:\((?=[^()\0]{1,8}\)))?\+?\d(?:(?:(?!\n|[,;.]\s)[^\p{L}\p{N}\0]){0,4}\d){6,}/gu;
/** A run that goes on after a line, which previews of links join: a phone number only if it is one in the country. */
const RUN_OVER_LINES = /\d(?:(?:(?![,;.]\s)[^\p{L}\p{N}\0]){0,4}\d){6,}/gu;

function isPhone(text: string, { start, end }: Span, isLocal: IsLocal): boolean {
  const written = text.slice(start, end);
  const digits = digitsOf(written);
  if (isHarmless(written)) return false;
  if (digits.length >= DIGITS_SURE || written.startsWith("+")) return true;
  const isPartOfWord =
    /\p{L}$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    /^\p{L}/u.test(text.slice(end, end + 2));
  return !isPartOfWord && IN_ONE_STYLE.test(written) && isLocal(written);
}

/** Usual signs between the groups, or one sign throughout: "1.16 (#2158)" is neither. */
const IN_ONE_STYLE = /^[\d ()./-]+$|^\d+(\D+)\d+(?:\1\d+)*$/;

/** True for the code of a country and a complete number in its format, with a leading 0 if it has one. Remembers a few. */
const isNational = memoize(1_000, (text) => {
  const [country = "", digits = ""] = text.split(" ");
  const number = parsePhoneNumberFromString(digits, country as CountryCode);
  return number !== undefined && number.isValid() && digitsOf(number.formatNational()) === digits;
});

function digitsOf(written: string): string {
  return written.replace(/\D/g, "");
}
