import { findCoordinates } from "./coordinates.ts";
import { findEmails } from "./email.ts";
import { findHandles } from "./handle.ts";
import { findAddresses, findHosts } from "./link.ts";
import { findPhones } from "./phone.ts";
import { findMissingSpaces } from "./domain.ts";
import { findPayments } from "./payment.ts";
import { blank, normalize, REMOVED, type NormalizedText, type Span } from "./normalized-text.ts";

export { REMOVED };

/** Kinds of removed content, in the order they are reported. */
export const CONTACT_KINDS = [
  "phone",
  "email",
  "link",
  "coordinates",
  "handle",
  "payment",
] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** Length in UTF-16 units that no caller exceeds; longer text is a bug. */
export const REDACT_LENGTH_MAX = 8_000;

/** A removal can expose another match. Honest text needs one or two rounds. */
const ROUNDS_MAX = 8;

/**
 * Replaces contact details, payment accounts and exact positions in public text by "[removed]". `removed` lists the kinds
 * found. `countryCode` (ISO 3166-1 alpha-2, of the alert) determines the national format of phone numbers.
 *
 * Also inserts the missing space in "ran home.Help us", because email programs turn "home.Help" into a link. No two words
 * of the result are joined by a dot if the second is a top-level domain.
 *
 * Idempotent. Text that still contains contact details after `ROUNDS_MAX` rounds, or exceeds the length limit, is replaced
 * as a whole.
 */
export function redact(
  text: string,
  options: { countryCode: string },
): { text: string; removed: ContactKind[] } {
  if (text.length > REDACT_LENGTH_MAX) {
    throw new Error(`redact got ${text.length} characters, the limit is ${REDACT_LENGTH_MAX}`);
  }
  const kinds = new Set<ContactKind>();
  let current = text;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { findings, missingSpaces } = examine(current, options.countryCode);
    for (const finding of findings) kinds.add(finding.kind);
    const cleaned = edited(current, findings, missingSpaces);
    if (cleaned === current) return { text: current, removed: inOrder(kinds) };
    if (cleaned.length > REDACT_LENGTH_MAX) break;
    current = cleaned;
  }
  return { text: REMOVED, removed: inOrder(kinds) };
}

/**
 * Finders, the most certain first; each sees the text without the matches of those before it. URLs come before anything
 * inside them, email addresses before their host names, and long numbers count as phone numbers last.
 */
const FINDERS: readonly [
  ContactKind,
  (normalized: NormalizedText, countryCode: string) => Span[],
][] = [
  ["link", findAddresses],
  ["payment", findPayments],
  ["email", findEmails],
  ["link", findHosts],
  ["coordinates", findCoordinates],
  ["handle", findHandles],
  ["phone", findPhones],
];

/** Match in the original text, with its kind. */
type FoundSpan = Span & { readonly kind: ContactKind };

/** Matches in a text, and the indexes at which a space is missing, in the order of the text. */
function examine(text: string, countryCode: string) {
  const findings: FoundSpan[] = [];
  const normalized = FINDERS.reduce((rest, [kind, find]) => {
    const spans = find(rest, countryCode);
    findings.push(...spans.map((span) => ({ kind, ...rest.toOriginal(span) })));
    return blank(rest, spans);
  }, normalize(text));
  const missingSpaces = findMissingSpaces(normalized).map(
    (at) => normalized.toOriginal({ start: at, end: at + 1 }).start,
  );
  return { findings, missingSpaces };
}

/** Text with "[removed]" in place of these spans, one for adjacent or overlapping ones, and spaces at these indexes. */
function edited(text: string, spans: readonly Span[], spaces: readonly number[]): string {
  const edits = [
    ...spans.map(({ start, end }) => ({ start, end, by: REMOVED })),
    ...spaces.map((at) => ({ start: at, end: at, by: " " })),
  ].sort((a, b) => a.start - b.start);
  let result = "";
  let done = 0;
  for (const { start, end, by } of edits) {
    if (start > done || result === "") result += text.slice(done, start) + by;
    done = Math.max(done, end);
  }
  return result + text.slice(done);
}

function inOrder(kinds: ReadonlySet<ContactKind>): ContactKind[] {
  return CONTACT_KINDS.filter((kind) => kinds.has(kind));
}
