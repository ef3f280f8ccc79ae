import { BARRIER } from "./fold.ts";
import type { Span } from "./reading.ts";

/**
 * Numbers spelled in words, or in words and digits: "zero six one two…", "zéro six douze trente-quatre…". Seven digits
 * in a row and at least two number words make a phone number; with one word it takes nine.
 */
export function findSpelled(text: string): Span[] {
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

type Run = Span & {
  readonly digits: number;
  readonly words: number;
  /** "Forty" leaves room for a following "two". */
  readonly isAfterTens: boolean;
};

const NO_RUN: Run = { start: 0, end: 0, digits: 0, words: 0, isAfterTens: false };

const TOKEN = /\p{L}+|\d+|[^\p{L}\d]+/gu;
const LETTER = /^\p{L}/u;

function isNumber({ digits, words }: Run): boolean {
  return words >= 2 ? digits >= 7 : words === 1 && digits >= 9;
}

/** Count of digits that a token stands for, or null. */
function digitsIn(token: string, run: Run): number | null {
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
