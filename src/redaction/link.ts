import { endsHost, isTopLevel } from "./domain.ts";
import { spansOf, type NormalizedText, type Span } from "./normalized-text.ts";

/** Explicit addresses: with a scheme, with www, or in what3words form. */
export function findAddresses({ text }: NormalizedText): Span[] {
  return [...spansOf(text, ADDRESS), ...spansOf(text, THREE_WORDS, 1)].map((span) =>
    trimEnd(text, span),
  );
}

/** Squares of what3words after the name of the service. */
const THREE_WORDS =
  /(?<!\p{L})(?:what\s?(?:3|three)\s?words|w3w|(?:3|three)\swords|(?:3|trois)\smots|(?:3|tres)\spalabras|(?:3|drei)\s(?:worter|woerter))(?:\s(?:is|are|est|es|ist|sont|son|sind))?[^\p{L}\p{N}\0]{0,4}(\p{L}{2,40}[./]\p{L}{2,40}[./]\p{L}{2,40})/dgu;

/** Schemes of apps and of payments. */
const ACTING_SCHEMES =
  "javascript|vbscript|data|file|blob|intent|market|magnet|whatsapp|tg|skype|facetime|callto|sgnl|viber|wifi|mecard|matmsg|" +
  "bitcoin|bitcoincash|ethereum|litecoin|dogecoin|monero|lightning|solana|tron|ripple|cardano|upi|paypal|venmo|cashapp";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?[1-9]?\\d)";
/** IPv4 addresses. Without a port or path they need seven digits, so that versions and dates do not match. */
const IPV4 =
  `(?<![\\p{L}\\p{N}.])(?:${OCTET}\\.){3}${OCTET}(?::\\d{2,5}|(?=/[\\p{L}\\p{N}?#]))(?:[/?#][^\\s\\0]*)?|` +
  `(?<![\\p{L}\\p{N}.])(?<!version\\s)(?=(?:\\d\\.?){7})(?!0)(?:${OCTET}\\.){3}${OCTET}(?![\\p{L}\\p{N}]|\\.\\d)`;

/** Without `geo:` (coordinates), `tel:` and `mailto:` (their numbers and addresses are found as such). */
const ADDRESS = new RegExp(
  [
    "[a-z][a-z0-9+.-]{0,15}:[/\\\\]{2}[^\\s\\0]+",
    "h(?:tt|xx)ps?\\s?:\\s?[/\\\\]{1,2}\\s?[^\\s\\0]+",
    "(?<![\\p{L}\\p{N}])www\\d?\\s?\\.\\s?[\\p{L}\\p{N}][^\\s\\0]*",
    "/{3}\\s?\\p{L}{2,40}\\.\\p{L}{2,40}\\.\\p{L}{2,40}",
    `(?<![\\p{L}\\p{N}])(?:${ACTING_SCHEMES}):[^\\s\\0]+`,
    IPV4,
    "\\[(?=[0-9a-f.]{0,40}:)[0-9a-f:.]{3,45}\\](?::\\d{2,5})?(?:[/?#][^\\s\\0]*)?",
  ].join("|"),
  "gu",
);

/** Host names without a scheme, with port and path. */
export function findHosts(normalized: NormalizedText): Span[] {
  return Array.from(normalized.text.matchAll(DOTTED), (match) =>
    dottedHost(normalized, match),
  ).filter((span) => span !== null);
}

/** Sequence of labels and single dots. Handles after an @ have their own finder. */
const DOTTED =
  /(?<![\p{L}\p{N}@_])[\p{L}\p{N}\p{So}_](?:[\p{L}\p{N}\p{So}_-]|\.(?=[\p{L}\p{N}_]))*/gu;

/** A port, a path, a query or a fragment. */
const TAIL = /^\.?(?::\d{2,5})?[/?#\\][^\s\0]*/;

/** Tail that never occurs in a sentence, so the text before it is a host. */
const SURE_TAIL =
  /^\.?(?:(?::\d{2,5})?[/#\\][\p{L}\p{N}_%~@=&-]|(?::\d{2,5})?\/?\?[^\s\0=]{1,40}=|:\d{3,5}(?![\d:]))/u;

function dottedHost(normalized: NormalizedText, match: RegExpExecArray): Span | null {
  const run = match[0];
  if (!run.includes(".")) return null;
  const names = run.split(".");
  const runEnd = match.index + run.length;
  const after = normalized.text.slice(runEnd);
  const hasTail = SURE_TAIL.test(after);
  let start = match.index;
  let end: number | null = null;
  for (const [index, name] of names.entries()) {
    const isSure = hasTail && index === names.length - 1 && isTopLevel(name);
    if (index > 0 && (isSure || endsHost(normalized, names[index - 1]!, { name, start })))
      end = start + name.length;
    start += name.length + 1;
  }
  if (end === null) return null;
  if (end === runEnd) end += TAIL.exec(after)?.[0].length ?? 0;
  return trimEnd(normalized.text, { start: match.index, end });
}

/** Punctuation after an address belongs to the sentence around it. */
function trimEnd(text: string, { start, end }: Span): Span {
  let last = end;
  while (last > start + 1 && ".,;:!?'\")]}>*".includes(text[last - 1]!)) last -= 1;
  return { start, end: last };
}
