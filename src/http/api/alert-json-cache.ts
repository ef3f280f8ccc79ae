import type { PublicAlert } from "../../core/alerts/alert.ts";
import type { SearchPage } from "../../core/alerts/search.ts";
import { alertToWire, isoTime, summaryToWire } from "./wire.ts";

/** JSON text in fragments, to be concatenated when it is sent: the fragments of an alert are cached and shared. */
export type JsonFragments = readonly (string | Bytes)[];

/** JSON, and the same text escaped for use inside a JSON string. */
export type EmbeddableJson = { readonly json: JsonFragments; readonly escaped: JsonFragments };

type Bytes = Uint8Array<ArrayBuffer>;
const encoder = new TextEncoder();

/** JSON of an alert. */
export function alertJson(alert: PublicAlert): JsonFragments {
  return [openAlertJson(alert), "}"];
}

/** JSON of a page of alerts. */
export function pageJson({ alerts, nextCursor }: SearchPage): JsonFragments {
  const fragments: (string | Bytes)[] = [PAGE_START];
  for (const [index, { alert, distanceKm }] of alerts.entries()) {
    const distance = distanceKm === null ? "" : `,"distance_km":${distanceKm}`;
    const comma = index === alerts.length - 1 ? "" : ",";
    fragments.push(openAlertJson(alert), `${distance}}${comma}`);
  }
  return [...fragments, pageEnd(nextCursor)];
}

/** JSON of an alert without its closing brace, so that the distance can be appended. */
const openAlertJson = cachedPerAlert((alert): Bytes =>
  encoder.encode(JSON.stringify(alertToWire(alert)).slice(0, -1)),
);

const PAGE_START = '{"alerts":[';

function pageEnd(cursor: number | null): string {
  return `],"next_cursor":${cursor === null ? "null" : JSON.stringify(isoTime(cursor))}}`;
}

/** JSON of a page of alert summaries; the members of `first` come before them. */
export function summariesJson(
  { alerts, nextCursor }: SearchPage,
  first: object = {},
): EmbeddableJson {
  const members = JSON.stringify(first).slice(1, -1);
  const start = members === "" ? PAGE_START : `{${members},${PAGE_START.slice(1)}`;
  const json: (string | Bytes)[] = [start];
  const escaped: (string | Bytes)[] = [escape(start)];
  for (const [index, { alert, distanceKm }] of alerts.entries()) {
    const { before, after } = summaryJson(alert);
    if (index > 0) {
      json.push(",");
      escaped.push(",");
    }
    json.push(before.json);
    escaped.push(before.escaped);
    if (distanceKm !== null) {
      const km = String(distanceKm);
      json.push(',"distance_km":', km);
      escaped.push(',\\"distance_km\\":', km);
    }
    json.push(after.json);
    escaped.push(after.escaped);
  }
  const end = pageEnd(nextCursor);
  return { json: [...json, end], escaped: [...escaped, escape(end)] };
}

/** JSON of an alert summary in two parts, between which the distance goes. */
const summaryJson = cachedPerAlert((alert) => {
  const { photo, ...rest } = summaryToWire(alert);
  return {
    before: encoded(JSON.stringify(rest).slice(0, -1)),
    after: encoded(`,"photo":${JSON.stringify(photo)}}`),
  };
});

/** Encodes cached text: as a string, one Cyrillic name would double the memory of a whole page and slow it down. */
function encoded(json: string): { readonly json: Bytes; readonly escaped: Bytes } {
  return { json: encoder.encode(json), escaped: encoder.encode(escape(json)) };
}

/** JSON of any value. */
export function embeddableJson(value: unknown): EmbeddableJson {
  const json = JSON.stringify(value);
  return { json: [json], escaped: [escape(json)] };
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Caches a result per alert, as long as the alert cache keeps the same object. */
function cachedPerAlert<Result>(
  compute: (alert: PublicAlert) => Result,
): (alert: PublicAlert) => Result {
  const cache = new WeakMap<PublicAlert, Result>();
  return (alert) => {
    const cached = cache.get(alert);
    if (cached !== undefined) return cached;
    const result = compute(alert);
    cache.set(alert, result);
    return result;
  };
}
