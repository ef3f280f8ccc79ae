import { Hono, type HonoRequest } from "hono";
import { alertRef } from "../core/alert.ts";
import { Fault } from "../core/fault.ts";
import { badInput, parse } from "../core/input.ts";
import { matchesInput } from "../core/matching.ts";
import { searchInput, type SearchPage } from "../core/search.ts";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import { sendTagged } from "./tagged.ts";
import { camelCase, fromWire, isoTime, matchesToWire, snakeCase } from "./wire.ts";
import { alertJson, pageJson } from "./written.ts";

/** A search as the REST interface names its parts: `q` where tools say `query`. */
export const restSearchInput = searchInput
  .omit({ query: true })
  .extend({ q: searchInput.shape.query });
/** Its parts in the wire's case. */
export const SEARCH_PARAMETERS = Object.keys(restSearchInput.shape).map(snakeCase);

const FRESH_JSON = { type: "application/json", cacheControl: "no-cache" };

/** The read-only REST API, to be mounted at /api/v1. */
export function createRest(service: Service, links: { api: string }): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();

  api.get("/alerts", async (c) => {
    const given = singles(c.req, SEARCH_PARAMETERS);
    const { q, ...rest } = parse(restSearchInput, fromWire(given));
    const page = await service.search({ ...rest, query: q });
    return sendTagged(c, { ...FRESH_JSON, body: pageJson(page), link: linkToNext(given, page) });
  });

  api.get("/alerts/:name", async (c) =>
    sendTagged(c, { ...FRESH_JSON, body: alertJson(await service.get(c.req.param("name"))) }),
  );

  api.get("/alerts/:name/matches", async (c) => {
    const given = fromWire(singles(c.req, ["limit", "language"]));
    const asked = parse(matchesInput, { ...given, alert: nameOf(c.req.param("name")) });
    const body = JSON.stringify(matchesToWire(await service.matches(asked)));
    return sendTagged(c, { ...FRESH_JSON, body });
  });

  return api;

  function linkToNext(given: Record<string, string>, { nextCursor }: SearchPage): string | null {
    if (nextCursor === null) return null;
    const next = withQuery(`${links.api}/alerts`, { ...given, cursor: isoTime(nextCursor) });
    return `<${next}>; rel="next"`;
  }
}

/** In a path, what cannot name an alert names none. */
function nameOf(name: string): string {
  if (alertRef(name) === null) throw new Fault("not_found", { reason: "alert_unknown" });
  return name;
}

/** The values of known parameters; one that is given twice has no single value. Unknown ones are left out. */
export function singles(request: HonoRequest, known: readonly string[]): Record<string, string> {
  const single: Record<string, string> = {};
  const doubled: string[] = [];
  for (const [name, values] of Object.entries(request.queries())) {
    if (!known.includes(name)) continue;
    if (values.length > 1) doubled.push(name);
    single[name] = values[0] ?? "";
  }
  if (doubled.length > 0)
    throw badInput(doubled.map((name) => ({ field: camelCase(name), reason: { kind: "twice" } })));
  return single;
}

/** An address with these parameters; `URLSearchParams` takes several times as long. */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return query === "" ? address : `${address}?${query}`;
}
