/** Control characters, line separators and bidirectional marks: they can take over a terminal or reorder its text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Untrusted text as one line that is safe to print; control characters are written out, such as `\u{1b}`. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** `escapeControls` for several lines. Everything printed at the terminal passes through here. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** JSON in lines that are safe to print. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return lines.map((line) => line.replace(CONTROLS, escaped)).join("\n");
}

/** `12,345`. */
export function formatNumber(number: number): string {
  return number.toLocaleString("en");
}

/** `1 alert`, `12,345 alerts`. */
export function plural(number: number, one: string, more = `${one}s`): string {
  return `${formatNumber(number)} ${number === 1 ? one : more}`;
}
