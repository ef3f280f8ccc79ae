/** Text that replaces a contact detail. */
export const REMOVED = "[removed]";

/**
 * Placeholder in a reading for `REMOVED` and for earlier matches. Input cannot contain it (control characters are dropped)
 * and no pattern matches it, so no match spans it.
 */
export const BARRIER = "\0";

/** Longest expansion of a compatibility form (U+33C2 is "a.m."); U+FDFA expands to a sentence and stays one character. */
const FOLDED_LENGTH_MAX = 4;

/** Folded form of one character: lower case, without accents or compatibility forms; may be empty. */
export function fold(sign: string): string {
  if (sign === REMOVED) return BARRIER;
  if (/^[!-~]$/.test(sign)) return sign.toLowerCase();
  const known = SIGNS.get(sign);
  if (known !== undefined) return known;
  if (/^[\s\u0085\u2800]$/.test(sign))
    return /^[\n\r\v\f\u0085\u2028\u2029]$/.test(sign) ? "\n" : " ";
  if (UNREAD.test(sign)) return "";
  const plain = dropMarks(dropMarks(sign.normalize("NFKD")).toLowerCase().normalize("NFKD"));
  const folded = Array.from(
    plain.normalize("NFC"),
    (part) => SIGNS.get(part) ?? digit(part) ?? part,
  );
  const joined = folded.join("");
  return joined.length > FOLDED_LENGTH_MAX ? sign : joined;
}

const UNREAD = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\uFFF9-\uFFFB]$/u;

function dropMarks(text: string): string {
  return text.replace(/\p{M}/gu, "");
}

/** Characters used in numbers and addresses differently from their Unicode folding. */
const SIGNS = new Map<string, string>(
  Object.entries({
    "°": "º˚",
    "'": "’‘‛′ʹʼ´`",
    '"': "”“„″",
    "-": "‐‑‒–—―−﹣",
    "/": "⁄∕⧸",
    ".": "٫۔‧∙⋅ꞏ⸱᛫",
    ",": "،٬、",
    0: "〇⓿",
  })
    .flatMap(([plain, signs]) => Array.from(signs, (sign): [string, string] => [sign, plain]))
    .concat(
      Array.from("❶❷❸❹❺❻❼❽❾", (sign, index) => [sign, `${index + 1}`]),
      [["ß", "ss"]],
      letters("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ"),
      letters("🅐🅑🅒🅓🅔🅕🅖🅗🅘🅙🅚🅛🅜🅝🅞🅟🅠🅡🅢🅣🅤🅥🅦🅧🅨🅩"),
      letters("🅰🅱🅲🅳🅴🅵🅶🅷🅸🅹🅺🅻🅼🅽🅾🅿🆀🆁🆂🆃🆄🆅🆆🆇🆈🆉"),
    ),
);

/** Alphabet of characters that Unicode does not decompose. */
function letters(signs: string): [string, string][] {
  return Array.from(signs, (sign, index) => [sign, String.fromCharCode(97 + index)]);
}

/** The digits of a script are ten consecutive code points, from zero to nine; a few scripts have two such runs in sequence. */
function digit(sign: string): string | null {
  if (!/^\p{Nd}$/u.test(sign)) return null;
  const point = sign.codePointAt(0)!;
  let first = point;
  while (first > 0 && point - first < 50 && /^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) {
    first -= 1;
  }
  return `${(point - first) % 10}`;
}

/** A word folded as a whole, for lists that are compared with readings. */
export function foldWord(word: string): string {
  return Array.from(word, fold).join("");
}
