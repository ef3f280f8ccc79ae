import { DOT, endsHost, LABEL, labelsIn, type Label } from "./domain.ts";
import { spansOf, type Reading, type Span } from "./reading.ts";
import { isTopLevel } from "./top-level.ts";

/** Addresses that say what they are: with a scheme, with www, or as three words of what3words. */
export function findAddresses({ text }: Reading): Span[] {
  return spansOf(text, ADDRESS).map((span) => trimEnd(text, span));
}

/** `geo:` is not here (coordinates), nor `tel:` and `mailto:` (words before a number or an e-mail address). */
const ADDRESS = new RegExp(
  [
    "[a-z][a-z0-9+.-]{0,15}:[/\\\\]{2}[^\\s\\0]+",
    "h(?:tt|xx)ps?\\s?:\\s?[/\\\\]{1,2}\\s?[^\\s\\0]+",
    "(?<![\\p{L}\\p{N}])www\\d?\\s?\\.\\s?[\\p{L}\\p{N}][^\\s\\0]*",
    "/{3}\\s?\\p{L}{2,40}\\.\\p{L}{2,40}\\.\\p{L}{2,40}",
    "(?<=(?:what3words|w3w)(?:\\sis)?[^\\p{L}\\p{N}\\0]{0,4})\\p{L}{2,40}[./]\\p{L}{2,40}[./]\\p{L}{2,40}",
  ].join("|"),
  "gu",
);

/** Host names without a scheme, with what hangs on them, and host names with a spelled or bracketed dot. */
export function findHosts(reading: Reading): Span[] {
  const spans: Span[] = [];
  for (const match of reading.text.matchAll(DOTTED)) {
    const span = dottedHost(reading, match);
    if (span !== null) spans.push(span);
  }
  for (const match of reading.text.matchAll(SPELLED)) {
    const span = spelledHost(reading, match);
    if (span !== null) spans.push(span);
  }
  return spans;
}

/** A run of labels and single dots, however long; a handle after an @ is left to its own finder. */
const DOTTED = /(?<![\p{L}\p{N}@_])[\p{L}\p{N}_](?:[\p{L}\p{N}_-]|\.(?=[\p{L}\p{N}_]))*/gu;

/** A port, a path, a query or a fragment. */
const TAIL = /(?::\d{2,5})?[/?#][^\s\0]*/y;

function dottedHost(reading: Reading, match: RegExpExecArray): Span | null {
  const run = match[0];
  if (!run.includes(".")) return null;
  const names = run.split(".");
  let start = match.index;
  let end: number | null = null;
  for (const [index, name] of names.entries()) {
    const label: Label = { dot: "tight", name, start, isPlain: false };
    if (index > 0 && endsHost(reading, names[index - 1]!, label)) end = start + name.length;
    start += name.length + 1;
  }
  if (end === null) return null;
  if (end === match.index + run.length) end += tailLength(reading.text, end);
  return trimEnd(reading.text, { start: match.index, end });
}

function tailLength(text: string, at: number): number {
  TAIL.lastIndex = at;
  return TAIL.exec(text)?.[0].length ?? 0;
}

const SPELLED = new RegExp(`(?<![\\p{L}\\p{N}@])(${LABEL})((?:${DOT}${LABEL}){1,6})`, "gu");

function spelledHost(reading: Reading, match: RegExpExecArray): Span | null {
  const first = match[1]!;
  const labels = labelsIn(match[2]!, match.index + first.length);
  const last = labels.findLastIndex((label, index) =>
    isSpelledEnd(reading, labels[index - 1]?.name ?? first, label),
  );
  if (last === -1) return null;
  // "Seen in the park. Example dot com": a full stop between two sentences is no part of the host.
  let begin = last;
  while (begin > 0 && labels[begin - 1]!.dot !== "spaced") begin -= 1;
  const start = begin === 0 ? match.index : labels[begin - 1]!.start;
  return { start, end: labels[last]!.start + labels[last]!.name.length };
}

function isSpelledEnd(reading: Reading, before: string, label: Label): boolean {
  switch (label.dot) {
    case "tight":
      return endsHost(reading, before, label);
    case "spaced":
      return SURE_NAMES.has(label.name);
    case "spelled":
      return label.isPlain;
    case "bracketed":
      return isTopLevel(label.name) && /\p{L}/u.test(before);
  }
}

/** What no sentence begins with, so that "example . com" is a host. */
const SURE_NAMES: ReadonlySet<string> = new Set(["com", "org", "net"]);

/** Punctuation after an address belongs to the sentence around it. */
function trimEnd(text: string, { start, end }: Span): Span {
  let last = end;
  while (last > start + 1 && ".,;:!?'\")]}>*".includes(text[last - 1]!)) last -= 1;
  return { start, end: last };
}
