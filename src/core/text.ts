/**
 * Public text as stored: composed (NFC), without invisible characters. These can hide words from moderators, reverse a
 * line, or carry instructions to a language model that reads the alert.
 *
 * Dropped: control characters, zero-width and bidirectional ones, tags, variation selectors and every other
 * default-ignorable character, noncharacters, unpaired surrogates. A joiner or variation selector stays inside an
 * emoji of at most four parts. Drawback: Persian loses its half-spaces, and flags of regions become a black flag.
 *
 * White space becomes one space; with `multiline`, line breaks stay, at most two in a row.
 */
export function cleanText(text: string, options: { multiline: boolean }): string {
  const visible = text
    .replace(LINE_BREAKS, "\n")
    .replace(EMOJI_OR_INVISIBLE, (_, emoji: string | undefined) => emoji ?? "")
    .normalize("NFC");
  return options.multiline ? foldLines(visible) : visible.replace(/\s+/g, " ").trim();
}

const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** One part of an emoji: a pictograph with a variation selector (U+FE0F, U+FE0E) or skin tone. */
const PICTURE = "\\p{Extended_Pictographic}(?:[\\uFE0E\\uFE0F]|\\p{Emoji_Modifier})?";

/** Joiners of a family of four. No font draws longer chains, which could hide data. */
const JOINERS_MAX = 3;

/** Group 1 is an emoji to keep (pictographs or a keycap); matches without it are dropped. */
const EMOJI_OR_INVISIBLE = new RegExp(
  `(${PICTURE}(?:\\u200D${PICTURE}){0,${JOINERS_MAX}}|[0-9#*]\\uFE0F\\u20E3)|` +
    // Tab and line feed are the controls that count as white space; interlinear marks are not default-ignorable.
    "[\\p{Default_Ignorable_Code_Point}\\p{Cs}\\p{Noncharacter_Code_Point}\\uFFF9-\\uFFFB]|(?![\\t\\n])\\p{Cc}",
  "gu",
);

function foldLines(text: string): string {
  return text
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
