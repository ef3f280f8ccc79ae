import {
  findPhoneNumbersInText,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type CountryCode,
} from "libphonenumber-js/min";

import { BARRIER } from "./fold.ts";
import { hideHarmlessNumbers, isHarmless } from "./harmless-number.ts";
import { blankText, spansOf, type Reading, type Span } from "./reading.ts";

/**
 * Phone numbers: those a phone would recognise, and those spelled so that it does not.
 *
 * The table of numbering plans is libphonenumber's "min" one: 10 MB of memory and 30 ms once per process, 5 ms at the
 * first call (measured on Bun 1.4.5).
 */
export function findPhones(reading: Reading, countryCode: string): Span[] {
  const country = isSupportedCountry(countryCode) ? countryCode : undefined;
  const text = hideHarmlessNumbers(reading.text, (digits) => isAtHome(digits, country));
  const known = findKnown(text, country);
  const rest = blankText(text, known);
  return [
    ...known,
    ...findAnnounced(rest),
    ...spansOf(rest, SHORT_URI, 1),
    ...findSpelled(rest),
    ...findRuns(rest, country),
    ...findLocal(rest, country),
  ];
}

/** Shorter numbers are valid in some plans, but then so is every postcode. */
const DIGITS_MIN = 7;
/** From this length on, digits in a row are a number of some country, unless they are harmless. */
const DIGITS_SURE = 9;

/** Numbers recognised by the numbering plans. */
function findKnown(text: string, country: CountryCode | undefined): Span[] {
  const options = country === undefined ? {} : { defaultCountry: country };
  return findPhoneNumbersInText(text, options)
    .map(({ startsAt, endsAt }) => ({ start: startsAt, end: endsAt }))
    .filter((span) => isPhone(text, span, country));
}

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

/**
 * Numbers spelled in words, or in words and digits: "zero six one two…", "zéro six douze trente-quatre…". Seven digits
 * in a row and at least two number words make a phone number; with one word it takes nine.
 */
function findSpelled(text: string): Span[] {
  const spans: Span[] = [];
  let run = NO_RUN;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    const end = match.index + token.length;
    const digits = digitsIn(token, run);
    if (digits !== null) {
      run = {
        start: run.digits === 0 ? match.index : run.start,
        end,
        digits: run.digits + digits,
        words: run.words + (LETTER.test(token) ? 1 : 0),
        isAfterTens: TENS.test(token),
      };
    } else if (!joins(token)) {
      if (isNumber(run)) spans.push({ start: run.start, end: run.end });
      run = NO_RUN;
    }
  }
  if (isNumber(run)) spans.push({ start: run.start, end: run.end });
  return spans;
}

type Spelled = Span & {
  readonly digits: number;
  readonly words: number;
  /** "Forty" leaves room for a following "two". */
  readonly isAfterTens: boolean;
};

const NO_RUN: Spelled = { start: 0, end: 0, digits: 0, words: 0, isAfterTens: false };

const TOKEN = /\p{L}+|\d+|[^\p{L}\d]+/gu;
const LETTER = /^\p{L}/u;

function isNumber({ digits, words }: Spelled): boolean {
  return words >= 2 ? digits >= 7 : words === 1 && digits >= 9;
}

/** Count of digits that a token stands for, or null. */
function digitsIn(token: string, run: Spelled): number | null {
  if (/^\d/.test(token)) return token.length;
  if (UNITS.has(token)) return run.isAfterTens ? 0 : 1;
  if (TEENS.has(token)) return run.isAfterTens ? 0 : 2;
  return TENS.test(token) ? 2 : null;
}

/** True if a token may separate two numbers of a sequence. */
function joins(token: string): boolean {
  if (LETTER.test(token)) return JOINTS.has(token);
  return token.length <= 4 && !token.includes(BARRIER);
}

/** English, French, Spanish, German, as a reading folds them. */
const UNITS: ReadonlySet<string> = new Set(
  `zero o oh nought one two three four five six seven eight nine
   un une deux trois quatre cinq sept huit neuf
   cero uno una dos tres cuatro cinco seis siete ocho nueve
   null eins ein zwei zwo drei vier funf fuenf sechs sieben acht neun`.split(/\s+/),
);

const TEENS: ReadonlySet<string> = new Set(
  `ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
   dix onze douze treize quatorze quinze seize
   diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve
   zehn elf zwolf zwoelf dreizehn vierzehn funfzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn`.split(
    /\s+/,
  ),
);

const TENS =
  /^(?:twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety|vingts?|trente|quarante|cinquante|soixante|septante|huitante|octante|nonante|veinte|veinti\p{L}{3,6}|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|(?:(?:ein|zwei|drei|vier|fuenf|funf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreissig|vierzig|fuenfzig|funfzig|sechzig|siebzig|achtzig|neunzig))$/u;

const JOINTS: ReadonlySet<string> = new Set(
  "and et y und then puis dann luego plus double triple doble doppel dash tiret guion strich space espace".split(
    " ",
  ),
);

/** Digits with any signs between them, seven or more. */
const RUN = /(?:\((?=[^()\0]{1,8}\)))?\+?\d(?:[^\p{L}\p{N}\0]{0,4}\d){6,}/gu;
/** End of a clause, after which a number rarely continues. */
const CLAUSE_END = /\n|[,;]\s|\.\s/;

function findRuns(text: string, country: CountryCode | undefined): Span[] {
  return spansOf(text, RUN).flatMap((run) => {
    const parts = splitAt(text, run, CLAUSE_END);
    if (parts.length > 1 && isSplitPhone(text, run, parts, country)) return [run];
    return parts.filter((part) => isPhone(text, part, country));
  });
}

function isPhone(text: string, { start, end }: Span, country: CountryCode | undefined): boolean {
  const written = text.slice(start, end);
  const digits = digitsOf(written);
  if (digits.length < DIGITS_MIN || isHarmless(written)) return false;
  if (digits.length >= DIGITS_SURE || written.startsWith("+")) return true;
  const isPartOfWord =
    /\p{L}$/u.test(text.slice(Math.max(0, start - 2), start)) ||
    /^\p{L}/u.test(text.slice(end, end + 2));
  return !isPartOfWord && IN_ONE_STYLE.test(written) && isAtHome(digits, country);
}

/** Usual signs between the groups, or one sign throughout: "1.16 (#2158)" is neither. */
const IN_ONE_STYLE = /^[\d ()./-]+$|^\d+(\D+)\d+(?:\1\d+)*$/;

/** "06, 12, 34, 56, 78": short groups over several clauses that together are one number. */
function isSplitPhone(
  text: string,
  run: Span,
  parts: readonly Span[],
  country: CountryCode | undefined,
): boolean {
  const written = text.slice(run.start, run.end);
  const digits = digitsOf(written);
  const groups = written.match(/\d+/g) ?? [];
  if (parts.every(({ start, end }) => isSchedule(text.slice(start, end)))) return false;
  const isPairs = groups.length >= 5 && groups.every((group) => group.length <= 2);
  if (isPairs && digits.length >= 10 && /^[0+]/.test(written)) return true;
  const isShort = groups.length >= 3 && groups.every((group) => group.length <= 4);
  return (
    isShort && digits.length >= DIGITS_SURE && !isHarmless(written) && isAtHome(digits, country)
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
function isAtHome(digits: string, country: CountryCode | undefined): boolean {
  const number = parsePhoneNumberFromString(digits, country);
  return number !== undefined && number.isValid() && digitsOf(number.formatNational()) === digits;
}

function digitsOf(written: string): string {
  return written.replace(/\D/g, "");
}
