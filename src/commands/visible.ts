/** What steers a terminal or turns the order of reading: control characters, line separators, marks of direction. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text that others wrote, as one line that a terminal may show: what would steer it is written out, such as `\u{1b}`. */
export function visible(text: string): string {
  return text.replace(STEERING, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The same for text of several lines: the last guard of all that is said at the terminal. */
export function visibleLines(text: string): string {
  return text.split("\n").map(visible).join("\n");
}
