import type { PublicAlert } from "../core/alert.ts";
import type { SearchPage } from "../core/search.ts";
import { alertToWire, isoTime, summaryToWire } from "./wire.ts";

/** A body in pieces, in their order: what is kept of each alert goes into many answers, and is joined as one is sent. */
export type Pieces = readonly (string | Uint8Array<ArrayBuffer>)[];

/** JSON, and the same as it stands inside a JSON string. */
export type Quoted = { readonly plain: Pieces; readonly quoted: Pieces };

type Bytes = Uint8Array<ArrayBuffer>;
const encoder = new TextEncoder();

/** An alert as JSON but for the brace at its end, so that its distance can follow. */
const openJson = once((alert): Bytes =>
  encoder.encode(JSON.stringify(alertToWire(alert)).slice(0, -1)),
);

/** An alert as JSON. */
export function alertJson(alert: PublicAlert): Pieces {
  return [openJson(alert), "}"];
}

/** A page of alerts as JSON. */
export function pageJson({ alerts, nextCursor }: SearchPage): Pieces {
  const body: (string | Bytes)[] = [PAGE_START];
  const last = alerts.length - 1;
  for (const [nth, { alert, distanceKm }] of alerts.entries())
    body.push(openJson(alert), `${distanceText(distanceKm)}}${nth === last ? "" : ","}`);
  body.push(`],"next_cursor":${cursorText(nextCursor)}}`);
  return body;
}

const PAGE_START = '{"alerts":[';

/** An alert summed up, in two parts: between them stands how far away it is. */
const summaryOf = once((alert) => {
  const { photo, ...rest } = summaryToWire(alert);
  return {
    before: quotable(JSON.stringify(rest).slice(0, -1)),
    after: quotable(`,"photo":${JSON.stringify(photo)}}`),
  };
});

/** A page of alerts, each summed up, as JSON; the members of `first` stand before them. */
export function summariesJson({ alerts, nextCursor }: SearchPage, first: object = {}): Quoted {
  const start = pageStart(first);
  const plain: (string | Bytes)[] = [start];
  const quoted: (string | Bytes)[] = [insideQuotes(start)];
  for (const [nth, { alert, distanceKm }] of alerts.entries()) {
    const { before, after } = summaryOf(alert);
    if (nth > 0) {
      plain.push(",");
      quoted.push(",");
    }
    plain.push(before.plain);
    quoted.push(before.quoted);
    if (distanceKm !== null) {
      const km = String(distanceKm);
      plain.push(',"distance_km":', km);
      quoted.push(',\\"distance_km\\":', km);
    }
    plain.push(after.plain);
    quoted.push(after.quoted);
  }
  const end = `],"next_cursor":${cursorText(nextCursor)}}`;
  return { plain: [...plain, end], quoted: [...quoted, insideQuotes(end)] };
}

function pageStart(first: object): string {
  const members = JSON.stringify(first).slice(1, -1);
  return members === "" ? PAGE_START : `{${members},${PAGE_START.slice(1)}`;
}

/** A value as JSON. */
export function quotedJson(value: unknown): Quoted {
  const text = JSON.stringify(value);
  return { plain: [text], quoted: [insideQuotes(text)] };
}

/** Bytes are kept, not text: one name in Cyrillic makes a whole page of text twice as long, and slow to send. */
function quotable(text: string): { readonly plain: Bytes; readonly quoted: Bytes } {
  return { plain: encoder.encode(text), quoted: encoder.encode(insideQuotes(text)) };
}

function insideQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
