import { Hono, type HonoRequest } from "hono";
import { etag } from "hono/etag";
import { alertRef } from "../core/alert.ts";
import { Fault } from "../core/fault.ts";
import { badInput, parse } from "../core/input.ts";
import { matchesInput } from "../core/matching.ts";
import { searchInput } from "../core/search.ts";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import {
  alertToWire,
  camelCase,
  fromWire,
  KEPT_WITH_304,
  matchesToWire,
  pageToWire,
  snakeCase,
} from "./wire.ts";

/** A search as the REST interface names its parts: `q` where tools say `query`. */
export const restSearchInput = searchInput
  .omit({ query: true })
  .extend({ q: searchInput.shape.query });
/** Its parts in the wire's case. */
export const SEARCH_PARAMETERS = Object.keys(restSearchInput.shape).map(snakeCase);

/** The read-only REST API, to be mounted at /api/v1. */
export function createRest(service: Service, links: { api: string }): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();

  api.get("/alerts", async (c) => {
    const { q, ...rest } = parse(restSearchInput, fromWire(singles(c.req, SEARCH_PARAMETERS)));
    const page = await service.search({ ...rest, query: q });
    const body = pageToWire(page, alertToWire);
    if (body.next_cursor !== null) {
      const next = new URLSearchParams(singles(c.req, SEARCH_PARAMETERS));
      next.set("cursor", body.next_cursor);
      c.header("Link", `<${links.api}/alerts?${next}>; rel="next"`);
    }
    c.header("Cache-Control", "no-cache");
    return c.json(body);
  });

  api.get("/alerts/:name", etag(KEPT_WITH_304), async (c) => {
    c.header("Cache-Control", "no-cache");
    return c.json(alertToWire(await service.get(c.req.param("name"))));
  });

  api.get("/alerts/:name/matches", async (c) => {
    const given = fromWire(singles(c.req, ["limit", "language"]));
    c.header("Cache-Control", "no-cache");
    return c.json(
      matchesToWire(
        await service.matches(
          parse(matchesInput, { ...given, alert: nameOf(c.req.param("name")) }),
        ),
      ),
    );
  });

  return api;
}

/** In a path, what cannot name an alert names none. */
function nameOf(name: string): string {
  if (alertRef(name) === null) throw new Fault("not_found", { reason: "alert_unknown" });
  return name;
}

/** The values of known parameters; one that is given twice has no single value. Unknown ones are left out. */
export function singles(request: HonoRequest, known: readonly string[]): Record<string, string> {
  const given = Object.entries(request.queries()).filter(([name]) => known.includes(name));
  const doubled = given.filter(([, values]) => values.length > 1);
  if (doubled.length > 0) {
    throw badInput(
      doubled.map(([name]) => ({ field: camelCase(name), reason: { kind: "twice" } })),
    );
  }
  return Object.fromEntries(given.map(([name, values]) => [name, values[0] ?? ""]));
}
