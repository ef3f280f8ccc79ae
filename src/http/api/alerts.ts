import { Hono, type HonoRequest } from "hono";
import { z } from "zod";
import { alertRef } from "../../core/alerts/alert-ref.ts";
import { Fault } from "../../core/fault.ts";
import { badInput, parse } from "../../core/input.ts";
import { matchesInput } from "../../core/matches/find-matches.ts";
import { searchInput, type SearchPage, TOTAL_MAX } from "../../core/alerts/search.ts";
import type { Explanation } from "../../core/alerts/query-words.ts";
import { searchNotes } from "../../core/alerts/search-notes.ts";
import type { AlertReader } from "../../core/alerts/directory.ts";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";
import { alertJson, alertToWire, matchesToWire, openAlertJson, pageJson } from "./alert-json.ts";
import { camelCase, fromWire, parameterNames } from "../middleware/field-names.ts";

/** Query parameters of a search; `q` is `query` in the tools. */
export const restSearchInput = searchInput.omit({ query: true }).extend({
  q: searchInput.shape.query,
  count: z
    .enum(["true", "false"])
    .describe(
      `true adds the header X-Total-Count: the number of matching alerts, up to ${TOTAL_MAX}`,
    )
    .optional(),
});
/** Those of the Atom feed. It is always newest first: feed readers ask for what is new. */
export const feedInput = restSearchInput.omit({ sort: true, count: true });
/** Their names in snake_case. */
export const SEARCH_PARAMETERS = parameterNames(restSearchInput);
export const FEED_PARAMETERS = parameterNames(feedInput);

const JSON_BODY = cacheable("application/json", "no-cache");

/** Alerts whose JSON is cached, 1.2 KB each: all those of most directories. */
const CACHED_MAX = 16_384;

/** Read-only REST API, to be mounted at /api/v1. */
export function createRest(service: Service, links: { api: string }): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  const alerts = service.alerts.as(openAlertJson, CACHED_MAX);

  api.get("/alerts", async (c) => {
    const { page, next } = await searchPage(alerts, c.req, `${links.api}/alerts`);
    const headers = { ...totalHeader(page), ...notesHeader(page.explanation) };
    return sendWithEtag(c, {
      kind: JSON_BODY,
      body: pageJson(page),
      link: linkToNext(next),
      headers,
    });
  });

  api.get("/alerts/:name", async (c) =>
    sendWithEtag(c, { kind: JSON_BODY, body: alertJson(await alerts.get(c.req.param("name"))) }),
  );

  api.get("/alerts/:name/matches", async (c) => {
    const alert = c.req.param("name");
    if (alertRef(alert) === null) throw new Fault("not_found", { reason: "alert_unknown" });
    const parameters = fromWire(singleValues(c.req, ["limit", "language"]));
    const input = parse(matchesInput, { ...parameters, alert });
    const body = JSON.stringify(matchesToWire(await service.matches.find(input), alertToWire));
    return sendWithEtag(c, { kind: JSON_BODY, body });
  });

  return api;
}

/** Page of a search by the query parameters of a request, and the URL of the next page. */
export async function searchPage<Form>(
  alerts: Pick<AlertReader<Form>, "search">,
  request: HonoRequest,
  url: string,
  names: readonly string[] = SEARCH_PARAMETERS,
) {
  const parameters = singleValues(request, names);
  const { q, count, ...rest } = parse(restSearchInput, fromWire(parameters));
  const page = await alerts.search({ ...rest, query: q }, { withTotal: count === "true" });
  const { nextCursor } = page;
  const next = nextCursor === null ? null : withQuery(url, { ...parameters, cursor: nextCursor });
  return { parameters, page, next };
}

/** Header that says why a search found nothing, or how its words were read; the body is the same for every search. */
export const NOTES_HEADER = "Search-Notes";

/** Percent-encoded, because a header is ASCII. */
function notesHeader(explanation: Explanation): Record<string, string> {
  const notes = searchNotes(explanation);
  return notes.length === 0 ? {} : { [NOTES_HEADER]: encodeURIComponent(notes.join(" ")) };
}
/**
 * Header with the number of matching alerts, "37" or "1000+". A header, because the members of the body are fixed; one,
 * because a client that reads it by `parseInt` still gets a number.
 */
export function totalHeader({
  total,
}: Pick<SearchPage, "total">): Readonly<Record<string, string>> {
  return total === null ? {} : { [TOTAL_HEADER]: `${total.count}${total.isMore ? "+" : ""}` };
}
export const TOTAL_HEADER = "X-Total-Count";

/** Link header to the next page. */
export function linkToNext(next: string | null): string | null {
  return next === null ? null : `<${next}>; rel="next"`;
}

/** Known query parameters by name; unknown ones are ignored. Throws `bad_input` for one that is given twice. */
export function singleValues(
  request: HonoRequest,
  known: readonly string[],
): Record<string, string> {
  const values: Record<string, string> = {};
  const repeated: string[] = [];
  for (const [name, given] of Object.entries(request.queries())) {
    if (!known.includes(name)) continue;
    if (given.length > 1) repeated.push(name);
    values[name] = given[0] ?? "";
  }
  if (repeated.length > 0)
    throw badInput(repeated.map((name) => ({ field: camelCase(name), reason: { kind: "twice" } })));
  return values;
}

/** URL with query parameters; `URLSearchParams` takes several times as long. */
export function withQuery(url: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return query === "" ? url : `${url}?${query}`;
}
