import { type Context, Hono } from "hono";
import { type AlertMarks, MARKS_MAX } from "../../core/alerts/directory.ts";
import { CAPS, QUOTAS } from "../../core/caps.ts";
import { parse } from "../../core/input.ts";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";
import { clientWindows, type ReadLimit } from "../middleware/rate-limit.ts";
import { pageSearchInput } from "../../core/alerts/search.ts";
import { singleValues } from "./alerts.ts";
import { fromWire, parameterNames } from "../middleware/field-names.ts";
import type { AlertMark } from "../../search/search.ts";

const mapInput = pageSearchInput
  .omit({ query: true, limit: true, sort: true, cursor: true })
  .extend({ q: pageSearchInput.shape.query });
const PARAMETERS = parameterNames(mapInput);

const JSON_BODY = cacheable("application/json", "public, max-age=60");
/** Kind of a shortened answer, which is for one client: others may get more. */
const SHORTENED = cacheable("application/json", "private, no-store");

/**
 * Marks for the map of the pages: cell and type of up to `MARKS_MAX` alerts, in one compact answer. To be
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
    if (whole.marks.length <= QUOTAS.marksBeyond) return send(c, whole, SHORTENED);
    limit.onRateLimited("read");
    return send(c, service.alerts.marks(input, QUOTAS.marksBeyond), SHORTENED);
  });

  return routes;
}

function send(c: Context, { marks, isMore }: AlertMarks, kind: typeof JSON_BODY): Response {
  const { lost = [], found = [] } = Object.groupBy(marks, ({ type }) => type);
  const body = JSON.stringify({ more: isMore, lost: rowsOf(lost), found: rowsOf(found) });
  return sendWithEtag(c, { body, kind });
}

/** Latitude of a row of marks, and their longitudes, in hundredths of a degree: marks are on the public grid. */
type MarkRow = readonly [lat: number, lngs: readonly number[]];

function rowsOf(marks: readonly AlertMark[]): MarkRow[] {
  const rows = Map.groupBy(marks, ({ point }) => Math.round(point.lat * 100));
  return [...rows].map(([lat, row]) => [lat, row.map(({ point }) => Math.round(point.lng * 100))]);
}
