import { findCoordinates } from "./redact/coordinates.ts";
import { findEmails } from "./redact/email.ts";
import { findHandles } from "./redact/handle.ts";
import { findAddresses, findHosts } from "./redact/link.ts";
import { findPhones } from "./redact/phone.ts";
import { blank, read, REMOVED, type Reading, type Span } from "./redact/reading.ts";

/** What public text must not carry, in the order we name it. */
export const CONTACT_KINDS = ["phone", "email", "link", "coordinates", "handle"] as const;
export type ContactKind = (typeof CONTACT_KINDS)[number];

/** More UTF-16 units than any caller lets through; what is longer got past a check and is a bug. */
export const REDACT_LENGTH_MAX = 8_000;

/** Removing one thing can lay bare another. Honest text is done after one or two rounds. */
const ROUNDS_MAX = 8;

/**
 * Public text without the ways around the platform: each contact detail or exact position becomes "[removed]", the
 * rest stays as it was written. `removed` names the kinds found. `countryCode` (ISO 3166-1 alpha-2, of the alert) says
 * which numbers are phone numbers when written as at home.
 *
 * The answer holds nothing this function would find, so doing it twice changes nothing. Text that is still full of
 * contact details after `ROUNDS_MAX` rounds, or that grows past the limit by being cleaned, goes as a whole.
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
    const findings = findContacts(current, options.countryCode);
    if (findings.length === 0) return { text: current, removed: inOrder(kinds) };
    for (const finding of findings) kinds.add(finding.kind);
    current = replaceSpans(current, findings);
    if (current.length > REDACT_LENGTH_MAX) break;
  }
  return { text: REMOVED, removed: inOrder(kinds) };
}

/** A place in the text as it was written, and what stands there. */
type Finding = Span & { readonly kind: ContactKind };

type Finder = {
  readonly kind: ContactKind;
  readonly find: (reading: Reading, countryCode: string) => Span[];
};

/**
 * In the order of how sure each is; every finder sees what those before it left. A written-out address is a link
 * whatever stands in it; an e-mail address goes before the host in it; long numbers are phones only when nothing else.
 */
const FINDERS: readonly Finder[] = [
  { kind: "link", find: findAddresses },
  { kind: "email", find: findEmails },
  { kind: "link", find: findHosts },
  { kind: "coordinates", find: findCoordinates },
  { kind: "handle", find: findHandles },
  { kind: "phone", find: findPhones },
];

function findContacts(text: string, countryCode: string): Finding[] {
  const findings: Finding[] = [];
  let reading = read(text);
  for (const { kind, find } of FINDERS) {
    const spans = find(reading, countryCode);
    for (const span of spans) findings.push({ kind, ...reading.written(span) });
    reading = blank(reading, spans);
  }
  return findings;
}

function replaceSpans(text: string, spans: readonly Span[]): string {
  const inOrderOfText = spans.toSorted((a, b) => a.start - b.start);
  let result = "";
  let done = 0;
  for (const { start, end } of inOrderOfText) {
    // Touching or overlapping spans share one mark.
    if (start > done || result === "") result += text.slice(done, start) + REMOVED;
    done = Math.max(done, end);
  }
  return result + text.slice(done);
}

function inOrder(kinds: ReadonlySet<ContactKind>): ContactKind[] {
  return CONTACT_KINDS.filter((kind) => kinds.has(kind));
}
