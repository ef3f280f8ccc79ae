import fc from "fast-check";
import {
  type FuzzRequest,
  type Header,
  placeholder,
  type PlaceholderKind,
  urlencoded,
} from "./request.ts";
import { type Body, fieldsOf, nothing } from "./forms.ts";
import { oddText } from "./text.ts";
import type { Values } from "./values.ts";

/**
 * What answers at a route: decides how its answers are looked at. A guide is a page among the doors for programs, which
 * are told of errors as programs are.
 */
export type RouteKind = "api" | "page" | "guide" | "fragment" | "frame" | "file" | "mcp";

/** What doors.ts says of a route: how its address, query and body are made. */
export type RouteInputs = {
  readonly kind: RouteKind;
  /** The things its `:parameters` name, in their order. */
  readonly names?: readonly (PlaceholderKind | readonly PlaceholderKind[])[];
  readonly query?: fc.Arbitrary<Values>;
  readonly body?: fc.Arbitrary<Body>;
  /** Headers that come with every request to it, and those that may. */
  readonly always?: readonly Header[];
  readonly sometimes?: readonly fc.Arbitrary<Header>[];
};

/** How the report counts what was not meant for a route of ours. */
const NOWHERE = "an address at which nothing stands";
const ANOTHER_METHOD = "a route by another method";

/** Everything about a request that does not come from its route. */
export function requestsFor(route: string, inputs: RouteInputs): fc.Arbitrary<FuzzRequest> {
  const [method = "", path = ""] = route.split(" ");
  return fc
    .record({
      path: pathOf(path, inputs.names ?? []),
      query: inputs.query ?? nothing,
      bent: bends,
      body: inputs.body ?? fc.constant<Body>({ type: null, body: "" }),
      headers: headersFor(inputs),
      method: fc.oneof(
        { weight: 60, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: otherMethod },
      ),
      from: callers,
    })
    .map(({ path: at, query, bent, body, headers, method: by, from }) => {
      const takesBody = by !== "GET" && by !== "HEAD" && inputs.body !== undefined;
      return {
        route: bent.isUnknownRoute ? NOWHERE : by === method ? route : ANOTHER_METHOD,
        method: by,
        target: bent.bend(withQuery(at, query)),
        headers:
          takesBody && body.type !== null
            ? [["Content-Type", body.type], ...(body.headers ?? []), ...headers]
            : headers,
        body: takesBody ? body.body : null,
        from,
      };
    });
}

const otherMethod = fc.constantFrom(
  "HEAD",
  "OPTIONS",
  "PUT",
  "DELETE",
  "PATCH",
  "POST",
  "GET",
  "PROPFIND",
);

/** Addresses of callers: one that requests most, many others, both kinds, one that has gone. */
const callers: fc.Arbitrary<string | null> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom("198.51.100.7", "160.79.104.9", null, "::1", "not an address"),
  },
  { weight: 4, arbitrary: fc.nat(199).map((last) => `203.0.113.${last}`) },
  { weight: 3, arbitrary: fc.nat(65_535).map((part) => `2001:db8:0:${part.toString(16)}::1`) },
);

function pathOf(path: string, names: NonNullable<RouteInputs["names"]>): fc.Arbitrary<string> {
  let at = -1;
  const pieces = path.split("/").map((piece): fc.Arbitrary<string> => {
    const choices = /\{\(\?:(.*)\)\}$/.exec(piece)?.[1];
    if (choices !== undefined) return fc.constantFrom(...choices.split("|"));
    if (!piece.startsWith(":")) return fc.constant(piece);
    at += 1;
    return nameOf([names[at] ?? []].flat());
  });
  return fc.tuple(...pieces).map((parts) => parts.join("/"));
}

/** Mostly something that is there, the newest most often; else any text. */
function nameOf(kinds: readonly PlaceholderKind[]): fc.Arbitrary<string> {
  const ending = kinds.includes("photo") ? fc.constantFrom(".webp", "-480.webp") : fc.constant("");
  const known = fc.tuple(fc.constantFrom(...kinds), fc.nat(40), ending);
  return fc.oneof(
    { weight: 8, arbitrary: known.map(([kind, nth, end]) => `${placeholder(kind, nth)}${end}`) },
    // Not an empty one: a trailing slash is another route's address.
    {
      weight: 1,
      arbitrary: oddText.map((text) => encodeURIComponent(text.toWellFormed()) || "%20"),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "ZZZZZZ",
        "newest.xml",
        "pages.xml",
        "A".repeat(43),
        "%2e%2e%2f",
        "%00",
        "%zz",
        "%c0%80",
        "..;",
        "a%2Fb",
        "lost-cat-x-zzzzzz",
        "0190a000-0000-7000-8000-000000000000",
      ),
    },
  );
}

function withQuery(path: string, query: Values): string {
  const fields = fieldsOf(query);
  return fields.length === 0 ? path : `${path}?${urlencoded(fields)}`;
}

/** What becomes of an address on its way: nothing, odd parameters, or another path altogether. */
type Bend = { readonly isUnknownRoute: boolean; readonly bend: (target: string) => string };

const bendQuery = (bend: Bend["bend"]): Bend => ({ isUnknownRoute: false, bend });
const bendPath = (bend: Bend["bend"]): Bend => ({ isUnknownRoute: true, bend });

const bends: fc.Arbitrary<Bend> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(bendQuery((target) => target)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      bendQuery(
        (target) => `${target}${target.includes("?") ? "&" : "?"}${target.split("?")[1] ?? "x"}`,
      ),
      bendQuery((target) => `${target}?a=%&b=%zz&c=%c0%80&=&&d=%00&e=+`),
      bendQuery((target) => `${target}?&limit=5&limit=6&lang=fr&lang=de`),
      bendQuery((target) => `${target}#fragment`),
      bendQuery((target) => `${target}?${"a=1&".repeat(1_500)}`),
      bendQuery((target) => target.replaceAll("=", "[]=")),
      bendQuery((target) => target.replaceAll("=", "=%F0%9F")),
      bendPath((target) => target.replace(/(\?|$)/, "/$1")),
      bendPath((target) => `/${target}`),
      bendPath((target) => target.replace("/", "/%2e/x/")),
      bendPath((target) => target.toUpperCase()),
    ),
  },
);

function headersFor({ always = [], sometimes = [] }: RouteInputs): fc.Arbitrary<readonly Header[]> {
  const own = fc.array(fc.oneof(...(sometimes.length > 0 ? sometimes : oddHeaders)), {
    maxLength: 2,
  });
  const odd = fc.array(fc.oneof(...oddHeaders), { minLength: 1, maxLength: 2 });
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 2, arbitrary: own },
      { weight: 1, arbitrary: odd },
    )
    .map((drawn) => [...always, ...drawn]);
}

const inHeaders = oddText.map((text) =>
  text
    .replace(/[^\t\x20-\x7e\xa0-\xff]/g, "")
    .trim()
    .slice(0, 400),
);
const named = (name: string, ...values: string[]) =>
  fc.oneof(fc.constantFrom(...values), inHeaders).map((value): Header => [name, value]);

/** Headers that some part of the service reads. */
const oddHeaders: readonly fc.Arbitrary<Header>[] = [
  named("Accept-Language", "fr", "de;q=0.9,*;q=0.1", "xx,yy;q=a", "-", "*"),
  named("Cookie", "lang=es", "lang=%zz", "moderator=x; moderator=y", "=;;=", "lang"),
  named(
    "If-None-Match",
    "*",
    '"x"',
    'W/"x", "y"',
    ",",
    placeholder("etag", 0),
    placeholder("etag", 3),
  ),
  named("Accept", "text/html", "application/json", "*/*;q=0", ","),
  named("Accept-Encoding", "gzip", "gzip;q=0", "br, zstd", "identity;q=0"),
  named("Sec-Fetch-Site", "cross-site", "same-origin", "same-site", "none"),
  named("X-Forwarded-For", "1.2.3.4", "::1, 10.0.0.1", "unknown", ","),
  named("Origin", "null", "https://evil.example", "http://localhost:3000"),
  named(
    "Host",
    "localhost:3000",
    "evil.example",
    "127.0.0.1",
    "[::1]",
    "a b",
    "",
    "xn--",
    "localhost:99999",
  ),
  named("Range", "bytes=0-1", "bytes=-1"),
  named("X-HTTP-Method-Override", "DELETE"),
];

/** Addresses at which nothing stands, and what lies near those at which something does. */
export const unknownRoute: fc.Arbitrary<FuzzRequest> = fc
  .record({
    path: fc.oneof(
      oddText.map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
      fc.constantFrom(
        "/nothing",
        "/api",
        "/api/v2/alerts",
        "/api/v1/",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/api/mcp",
        "/register",
        "/.env",
        "/.git/config",
        "//evil.example/%2e%2e",
        "/..%2f..%2fsecret.key",
        "/metrics",
        "/favicon.ico",
        "/manage/x/explode",
        "/admin/alerts/x/explode",
        `/${"a/".repeat(2_000)}`,
      ),
    ),
    headers: headersFor({ kind: "page" }),
    method: fc.constantFrom("GET", "GET", "GET", "POST", "HEAD", "PUT"),
    from: callers,
  })
  .map(({ path, headers, method, from }) => ({
    route: NOWHERE,
    method,
    target: path,
    headers,
    body: null,
    from,
  }));
