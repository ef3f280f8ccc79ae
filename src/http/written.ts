import type { PublicAlert } from "../core/alert.ts";
import type { SearchPage } from "../core/search.ts";
import { alertToWire, isoTime, summaryToWire } from "./wire.ts";

/** JSON, and an entity tag (RFC 9110, 8.8.3): what differs has another one. */
export type Json = { readonly body: Uint8Array<ArrayBuffer>; readonly tag: string };

/** An alert as JSON in two parts: between them stands how far away it is. */
type Written<Part> = { readonly before: Part; readonly after: Part };

const encoder = new TextEncoder();

/**
 * Bytes are joined, not text: one name in Cyrillic makes a whole page of text twice as long, and all of it is read again
 * when it is sent.
 */
const wholeOf = once((alert) => {
  const text = JSON.stringify(alertToWire(alert));
  return {
    before: encoder.encode(text.slice(0, -1)),
    after: encoder.encode("}"),
    tag: Bun.hash(text).toString(36),
  };
});

/** An alert as JSON. */
export function alertJson(alert: PublicAlert): Json {
  const { before, after, tag } = wholeOf(alert);
  const body = new Uint8Array(before.length + after.length);
  body.set(before);
  body.set(after, before.length);
  return { body, tag: `"${tag}"` };
}

/** A page of alerts as JSON. Its tag is made of theirs: there is far less to read. */
export function pageJson({ alerts, nextCursor }: SearchPage): Json {
  const end = `],"next_cursor":${cursorText(nextCursor)}}`;
  const written = alerts.map(({ alert }) => wholeOf(alert));
  const most = written.reduce(
    (sum, { before, after }) => sum + before.length + after.length + BETWEEN_MAX,
    PAGE_START.length + end.length,
  );
  const page = new Uint8Array(most);
  let tags = end;
  let at = put(page, 0, PAGE_START);
  for (const [nth, { before, after, tag }] of written.entries()) {
    const distance = distanceText(alerts[nth]?.distanceKm ?? null);
    if (nth > 0) at = put(page, at, ",");
    page.set(before, at);
    at = put(page, at + before.length, distance);
    page.set(after, at);
    at += after.length;
    tags += tag + distance;
  }
  return { body: page.subarray(0, put(page, at, end)), tag: `"${Bun.hash(tags).toString(36)}"` };
}

/** Writes ASCII; gives where it ends. */
function put(into: Uint8Array, at: number, text: string): number {
  for (let nth = 0; nth < text.length; nth++) into[at + nth] = text.charCodeAt(nth);
  return at + text.length;
}

const PAGE_START = '{"alerts":[';
/** Bytes of a comma and a distance at most: half way round the earth has seven figures. */
const BETWEEN_MAX = 32;

const summaryOf = once((alert): Written<string> => {
  const { photo, ...rest } = summaryToWire(alert);
  return {
    before: JSON.stringify(rest).slice(0, -1),
    after: `,"photo":${JSON.stringify(photo)}}`,
  };
});

/** A page of alerts, each summed up, as JSON text. */
export function summaryText({ alerts, nextCursor }: SearchPage): string {
  const texts = alerts.map(({ alert, distanceKm }) => {
    const { before, after } = summaryOf(alert);
    return `${before}${distanceText(distanceKm)}${after}`;
  });
  return `${PAGE_START}${texts.join(",")}],"next_cursor":${cursorText(nextCursor)}}`;
}

function distanceText(km: number | null): string {
  return km === null ? "" : `,"distance_km":${km}`;
}

function cursorText(cursor: number | null): string {
  return cursor === null ? "null" : JSON.stringify(isoTime(cursor));
}

/** Makes something of each face once: as long as a face is kept, it is the same object. */
function once<Made>(make: (alert: PublicAlert) => Made): (alert: PublicAlert) => Made {
  const known = new WeakMap<PublicAlert, Made>();
  return (alert) => {
    const earlier = known.get(alert);
    if (earlier !== undefined) return earlier;
    const made = make(alert);
    known.set(alert, made);
    return made;
  };
}
