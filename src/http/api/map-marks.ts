import { type Context, Hono } from "hono";
import { type AlertMarks, MARKS_MAX } from "../../core/alerts/directory.ts";
import { CAPS, STOCKS } from "../../core/caps.ts";
import { parse } from "../../core/input.ts";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";
import { clientWindows, type ReadLimit } from "../middleware/rate-limit.ts";
import { pageSearchInput } from "../../core/alerts/search.ts";
import { singleValues } from "./alerts.ts";
import { fromWire, snakeCase } from "../middleware/field-names.ts";
import { ALERT_TYPES, SPECIES } from "../../values/animal.ts";
import type { AlertMark } from "../../search/search.ts";

const mapInput = pageSearchInput
  .omit({ query: true, limit: true, sort: true, cursor: true })
  .extend({ q: pageSearchInput.shape.query });
const PARAMETERS = Object.keys(mapInput.shape).map(snakeCase);

const JSON_BODY = cacheable("application/json", "public, max-age=60");
/** Kind of a shortened answer, which is for one client: others may get more. */
const SHORTENED = cacheable("application/json", "private, no-store");

/**
 * Marks for the map of the pages: cell, species and type of up to `MARKS_MAX` alerts, in one compact answer. To be
 * mounted at the root. A client that has had `marksPerClient` is not refused: its answers get shorter.
 */
export function createMapMarks({
  service,
  ...limit
}: { readonly service: Pick<Service, "alerts"> } & Pick<
  ReadLimit,
  "sharedNetworks" | "clock" | "onRateLimited"
>): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const { quotaAfter: countMarks } = clientWindows(CAPS.marksPerClient, limit);

  routes.get("/map/alerts.json", (c) => {
    const { q, ...rest } = parse(mapInput, fromWire(singleValues(c.req, PARAMETERS)));
    const input = { ...rest, query: q };
    const whole = service.alerts.marks(input, MARKS_MAX);
    if (countMarks(c.get("caller"), whole.marks.length).left >= 0) return send(c, whole, JSON_BODY);
    if (whole.marks.length <= STOCKS.marksBeyond) return send(c, whole, SHORTENED);
    limit.onRateLimited("read");
    return send(c, service.alerts.marks(input, STOCKS.marksBeyond), SHORTENED);
  });

  return routes;
}

function send(c: Context, { marks, isMore }: AlertMarks, kind: typeof JSON_BODY): Response {
  const body = JSON.stringify({ more: isMore, rows: packed(marks) });
  return sendWithEtag(c, { body, kind });
}

/**
 * Rows of marks, from south to north: latitude, a letter for the kind of each mark, and the longitudes from west to
 * east, each but the first as the step from the one before. Degrees in hundredths: marks are on the public grid.
 */
type PackedRow = readonly [lat: number, kinds: string, lngs: readonly number[]];

function packed(marks: readonly AlertMark[]): PackedRow[] {
  const byRow = Map.groupBy(marks, ({ point }) => Math.round(point.lat * 100));
  return [...byRow]
    .toSorted(([a], [b]) => a - b)
    .map(([lat, row]) => {
      const sorted = row
        .map((mark) => ({ lng: Math.round(mark.point.lng * 100), kind: letterOf(mark) }))
        .sort((a, b) => a.lng - b.lng);
      const steps = sorted.map(({ lng }, at) => lng - (sorted[at - 1]?.lng ?? 0));
      return [lat, sorted.map(({ kind }) => kind).join(""), steps];
    });
}

/** "a" for a lost dog, "b" for a found dog, and so on in the order of `SPECIES` and `ALERT_TYPES`. */
function letterOf({ species, type }: AlertMark): string {
  const kind = SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type);
  return String.fromCharCode("a".charCodeAt(0) + kind);
}
