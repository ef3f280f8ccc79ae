/**
 * Problem of a file that people write as JSON, as the end of a sentence: `not valid JSON in line 3 or just before it
 * (Expected '}')`. The runtime's parser names no line.
 */
export function jsonProblem(text: string, error: unknown): string {
  const line = errorLine(text);
  const where = line === null ? "" : ` in line ${line} or just before it`;
  const why = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : "";
  return `not valid JSON${where}${why === "" ? "" : ` (${why})`}`;
}

/** A bracket, comma or colon; or a string; or another value. A string ends in its line. */
const TOKEN =
  /\s*(?:([[\]{},:])|("(?:[^"\\\n]|\\.)*")|(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;
/** Tokens with which a value can begin: brackets, `s` for a string and `v` for another value. */
const VALUE = "[{sv";

/** Line, from 1, of the first token that cannot stand where it is; null if there is none. */
function errorLine(text: string): number | null {
  const content = text.trimEnd();
  /** Brackets that close what is open. */
  const closing: string[] = [];
  let expected = VALUE;
  let at = 0;
  for (;;) {
    if (expected === "" && at === content.length) return null;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(content);
    const token = match === null ? null : (match[1] ?? (match[2] === undefined ? "v" : "s"));
    if (token === null || !expected.includes(token)) break;
    expected = expectedAfter(token, expected, closing);
    at = TOKEN.lastIndex;
  }
  const start = at + /^\s*/.exec(content.slice(at))![0].length;
  return content.slice(0, start).split("\n").length;
}

/** Tokens that can follow one that was expected. */
function expectedAfter(token: string, expected: string, closing: string[]): string {
  const isKey = token === "s" && !expected.includes("v");
  if (isKey) return ":";
  switch (token) {
    case "[":
      closing.push("]");
      return `${VALUE}]`;
    case "{":
      closing.push("}");
      return "s}";
    case ":":
      return VALUE;
    case ",":
      return closing.at(-1) === "]" ? VALUE : "s";
    case "]":
    case "}":
      closing.pop();
  }
  const end = closing.at(-1);
  return end === undefined ? "" : `,${end}`;
}
