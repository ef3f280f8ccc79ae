import { createECDH } from "node:crypto";
import fc from "fast-check";
import { z } from "zod";
import { alertSearchInput } from "../../src/core/moderation/alert-search.ts";
import { conversationReportInput, REPORT_REASONS } from "../../src/core/moderation/report.ts";
import { outcomeInput } from "../../src/core/outcomes/outcome.ts";
import { planMarkInput } from "../../src/core/plan/plan.ts";
import { memberInput } from "../../src/core/organisations/organisation.ts";
import { linksInput } from "../../src/core/owners/manage-links.ts";
import { signInInput } from "../../src/core/moderation/moderators.ts";
import { matchesInput } from "../../src/core/matches/find-matches.ts";
import { messageInput, messageText } from "../../src/core/conversations/conversation.ts";
import { emailField, lenientTimeField, organisationSlug } from "../../src/core/input.ts";
import { correctionInput, publishInput } from "../../src/core/alerts/publication.ts";
import { pageSearchInput, searchInput } from "../../src/core/alerts/search.ts";
import { sightingInput } from "../../src/core/sightings/sighting.ts";
import { frequencyInput, zoneInput } from "../../src/core/zones/zone.ts";
import { qrInput } from "../../src/http/api/qr.ts";
import { restSearchInput } from "../../src/http/api/alerts.ts";
import { type FuzzRequest, type Header, placeholder, type PlaceholderKind } from "./request.ts";
import {
  requestsFor,
  type RouteKind,
  unknownRoute,
  type RouteInputs,
} from "./request-generator.ts";
import {
  type Body,
  brokenBody,
  form,
  nothing,
  placed,
  somePhotos,
  withMore,
  withPlace,
} from "./forms.ts";
import { rpcBodies } from "./rpc.ts";
import { oddText } from "./text.ts";
import { type Values, formValues, wireValues } from "./values.ts";

/** A route of the service and what can be asked of it. */
export type FuzzedRoute = {
  /** As the router lists it: "GET /alerts/:name". */
  readonly route: string;
  readonly kind: RouteKind;
  readonly requests: fc.Arbitrary<FuzzRequest>;
};

/** A route as the app lists it. */
export type Route = { readonly method: string; readonly path: string };

/**
 * The doors of a service, by the routes it really has. `unknown` are those for which nobody has said here what to request:
 * a run that has any fails.
 */
export function fuzzedRoutes(routes: readonly Route[]): {
  readonly doors: readonly FuzzedRoute[];
  readonly unknown: readonly string[];
} {
  const names = new Set(
    routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`),
  );
  const doors: FuzzedRoute[] = [];
  const unknown: string[] = [];
  for (const route of names) {
    const inputs = inputsOf(route);
    if (inputs === undefined) unknown.push(route);
    else doors.push({ route, kind: inputs.kind, requests: requestsFor(route, inputs) });
  }
  return { doors, unknown };
}

/** Requests to all doors, and to addresses at which nothing stands. */
export function anyRequest(doors: readonly FuzzedRoute[]): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...doors.map(({ route, kind, requests }) => ({
      weight: WEIGHTS[route] ?? (kind === "file" ? 1 : 4),
      arbitrary: requests,
    })),
    { weight: 6, arbitrary: unknownRoute },
  );
}

/** Doors with more behind them are asked more often. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "POST /api/mcp": 80,
  "GET /api/v1/alerts": 12,
  "GET /": 10,
  "POST /publish": 12,
  "POST /subscribe": 8,
  "POST /manage/:token/edit": 8,
  // What ends something leaves less for the others.
  "POST /manage/:token/remove": 1,
  "POST /admin/alerts/:id/remove": 1,
  "POST /admin/alerts/:id/block": 1,
  "POST /admin/alerts/:id/conversations/:conversation/block": 1,
  "POST /confirm/:token/not-me": 2,
  "POST /erase/:token/not-me": 1,
  "POST /conversation/:token/close": 1,
};

function inputsOf(route: string): RouteInputs | undefined {
  return Object.hasOwn(SAID, route)
    ? SAID[route]
    : FILES.test(route)
      ? { kind: "file", query: anyQuery }
      : undefined;
}

/** Files that are the same for all who request. */
const FILES = /^GET \/(?:scripts\/[\w-]+\.(?:js|css)|style\.css|embed\.css|icon\.svg)$/;

const anyQuery: fc.Arbitrary<Values> = fc.dictionary(
  fc.constantFrom("v", "lang", "x", "__proto__"),
  oddText,
  { maxKeys: 2 },
);
const NAMED_ALERT = [["slug", "id", "code"]] as const;

const pageSearch = wireValues(pageSearchInput);
const restSearch = wireValues(restSearchInput);
const filters = wireValues(
  searchInput.pick({ lat: true, lng: true, radiusKm: true, species: true, type: true }),
);
const report = formValues(conversationReportInput);
/** What a form calls a place comes from the place. */
const NAMED = { city: true, district: true, countryCode: true } as const;
const editor = withPlace(formValues(correctionInput.omit({ ...NAMED, photos: true })), {
  edited: fc.constant("1"),
  photo: fc.oneof(
    fc.nat(5).map((nth) => placeholder("photo", nth)),
    oddText,
  ),
  first: fc.nat(5).map((nth) => placeholder("photo", nth)),
});
const keptPhotos = {
  photo: fc.oneof(
    fc.nat(5).map((nth) => placeholder("photo", nth)),
    oddText,
  ),
  first: oddText,
};
const pageQuery = fc.record(
  {
    lang: fc.constantFrom("fr", "es", "xx"),
    done: fc.oneof(fc.constantFrom("resolve", "edit", "tell", "hide"), oddText),
    again: fc.constant(""),
  },
  { requiredKeys: [] },
);

/** Two devices, so that requests are about the same ones, and what is none. */
const told = {
  endpoint: fc.oneof(
    fc.constantFrom("https://fcm.googleapis.com/a", "https://updates.push.services.mozilla.com/b"),
    oddText,
  ),
};
const subscription = fc.record({
  ...told,
  p256dh: fc.oneof(fc.constant(createECDH("prime256v1").generateKeys("base64url")), oddText),
  auth: fc.oneof(fc.constant("AAAAAAAAAAAAAAAAAAAAAA"), oddText),
});

const page: RouteInputs = { kind: "page", query: pageQuery };
const api: RouteInputs = { kind: "api" };
const opened = (kind: PlaceholderKind, ...more: PlaceholderKind[]): RouteInputs => ({
  ...page,
  names: [kind, ...more],
});
const posted = (inputs: RouteInputs, body: fc.Arbitrary<Body> = form(nothing)): RouteInputs => ({
  ...inputs,
  body,
  query: nothing,
});
const file: RouteInputs = { kind: "file", query: anyQuery };
const desk = (inputs: RouteInputs): RouteInputs => ({
  ...inputs,
  always: [["Cookie", `moderator=${placeholder("session", 0)}`]],
});

const inbox = (inputs: RouteInputs): RouteInputs => ({
  ...inputs,
  always: [
    ["Cookie", `member=${placeholder("memberSession", 0)}`],
    ["Sec-Fetch-Site", "same-origin"],
  ],
});

const SAID: Readonly<Record<string, RouteInputs>> = {
  "GET /healthz": api,
  "GET /readyz": api,
  "GET /api/v1/alerts": { ...api, query: restSearch.any },
  "GET /api/v1/alerts/:name": { ...api, names: NAMED_ALERT },
  "GET /api/v1/alerts/:name/matches": {
    ...api,
    names: NAMED_ALERT,
    query: wireValues(matchesInput.omit({ alert: true })).any,
  },
  "GET /api/v1/alerts.geojson": { ...api, query: restSearch.any },
  "GET /map/alerts.json": { kind: "file", query: pageSearch.any },
  "GET /map/cell": { kind: "fragment", query: withMore(pageSearch, placed) },
  "GET /feed.atom": { ...api, query: restSearch.any },
  "GET /api/qr/:code": { ...api, names: ["code"], query: wireValues(qrInput).any },
  "GET /a/:code": { ...page, names: ["code"] },
  "GET /photos/:file": { ...page, names: ["photo"] },

  "GET /api/openapi.json": file,
  "GET /.well-known/api-catalog": file,
  "GET /robots.txt": file,
  "GET /manifest.webmanifest": file,
  "GET /page.webmanifest": file,
  "GET /worker.js": file,
  "GET /icon-192.png": page,
  "GET /icon-512.png": page,
  "GET /icon-maskable-512.png": page,
  "GET /offline": page,
  "GET /sitemap.xml": file,
  "GET /sitemaps/:file": { ...file, names: ["sitemap"] },
  "GET /favicon.ico": file,
  "GET /api/mcp/server-card": file,
  "GET /.well-known/security.txt": file,
  "GET /server.json": file,
  "GET /llms.txt": file,

  "POST /api/mcp": { kind: "mcp", body: rpcBody(), sometimes: rpcHeaders() },
  "OPTIONS /api/mcp": { kind: "mcp", sometimes: rpcHeaders() },

  "GET /api/docs": { ...page, kind: "guide" },
  "GET /about": page,
  "GET /returns": page,
  "GET /imprint": page,
  "GET /privacy": page,
  "GET /terms": page,
  "GET /": {
    ...page,
    query: withMore(pageSearch, { ...placed, lang: fc.constantFrom("fr", "de") }),
  },
  "GET /alerts.csv": { kind: "file", query: withMore(pageSearch, placed) },
  "GET /embed": {
    kind: "frame",
    query: withMore(filters, {
      ...placed,
      limit: fc.constantFrom("5", "20", "21"),
      theme: fc.constantFrom("dark", "x"),
      lang: fc.constant("es"),
    }),
  },
  "GET /towns": {
    kind: "file",
    query: fc.oneof(
      fc.record({ q: fc.oneof(fc.constantFrom("ly", "spring"), oddText) }),
      fc.record({ place: fc.oneof(fc.constantFrom("lyon", "SW1A 1AA"), oddText) }),
    ),
  },

  "GET /alerts/:name": { ...page, names: NAMED_ALERT },
  "GET /alerts/:name/preview.jpg": { ...page, names: NAMED_ALERT },
  "GET /alerts/:name/poster": { ...page, names: NAMED_ALERT, query: anyQuery },
  "GET /alerts/:name/sighting": { ...page, names: NAMED_ALERT },
  "POST /alerts/:name/sighting": posted(
    { ...page, names: NAMED_ALERT },
    form(
      withPlace(
        formValues(sightingInput.omit({ ...NAMED, alert: true, seenAt: true, language: true })),
        keptPhotos,
      ),
      somePhotos,
    ),
  ),
  "GET /alerts/:name/contact": { ...page, names: NAMED_ALERT },
  "POST /alerts/:name/contact": posted(
    { ...page, names: NAMED_ALERT },
    form(
      withMore(formValues(messageInput.omit({ alert: true, language: true })), keptPhotos),
      somePhotos,
    ),
  ),
  "GET /alerts/:name/report": { ...page, names: NAMED_ALERT },
  "POST /alerts/:name/report": posted({ ...page, names: NAMED_ALERT }, form(report.any)),

  "GET /publish": {
    ...page,
    query: withMore(
      wireValues(publishInput.pick({ type: true, species: true, lat: true, lng: true })),
      placed,
    ),
  },
  "POST /publish": posted(
    page,
    form(
      withPlace(formValues(publishInput.omit({ ...NAMED, photoUrls: true, language: true })), {
        photo: fc.nat(5).map((nth) => placeholder("photo", nth)),
        first: oddText,
      }),
      somePhotos,
    ),
  ),
  "GET /waiting/:ticket": opened("ticket"),
  "POST /waiting/:ticket/again": posted(opened("ticket")),
  "POST /waiting/:ticket/address": posted(
    opened("ticket"),
    form(formValues(z.object({ email: emailField })).any),
  ),

  "GET /confirm/:token": opened("confirm"),
  "POST /confirm/:token": posted(opened("confirm"), form(fc.oneof(nothing, editor), somePhotos)),
  "GET /confirm/:token/photos/:file": opened("confirm", "photo"),
  "GET /confirm/:token/not-me": opened("confirm"),
  "POST /confirm/:token/not-me": posted(opened("confirm")),
  "POST /confirm/:token/allow": posted(opened("confirm")),
  "POST /confirm/:token/other-spelling": posted(
    opened("confirm"),
    form(fc.record({ request: oddText })),
  ),

  "GET /manage": page,
  "POST /manage": posted(page, form(formValues(linksInput).any)),
  "GET /manage/:token": opened("manage"),
  "GET /manage/:token/edit": opened("manage"),
  "POST /manage/:token/edit": posted(opened("manage"), form(editor, somePhotos)),
  "POST /manage/:token/resolve": posted(opened("manage")),
  "POST /manage/:token/renew": posted(opened("manage")),
  "POST /manage/:token/reopen": posted(opened("manage")),
  "POST /manage/:token/outcome": posted(opened("manage"), form(formValues(outcomeInput).any)),
  "POST /manage/:token/plan": posted(opened("manage"), form(formValues(planMarkInput).any)),
  "GET /manage/:token/map": opened("manage"),
  "POST /manage/:token/device": posted(opened("manage"), form(subscription)),
  "GET /device": page,
  "POST /device": posted(page, form(subscription)),
  "POST /device/stop": posted(page, form(fc.record({ ...told, subject: oddText }))),
  "GET /manage/:token/remove": opened("manage"),
  "POST /manage/:token/remove": posted(opened("manage")),
  "POST /manage/:token/emails": posted(opened("manage")),
  "POST /manage/:token/sightings/:id/remove": posted(opened("manage", "sighting")),

  "GET /conversation/:token": opened("conversation"),
  "POST /conversation/:token": posted(
    opened("conversation"),
    form(withMore(formValues(z.object({ message: messageText })), keptPhotos), somePhotos),
  ),
  "GET /conversation/:token/photos/:file": opened("conversation", "photo"),
  "GET /conversation/:token/close": opened("conversation"),
  "POST /conversation/:token/close": posted(opened("conversation")),
  "GET /conversation/:token/report": opened("conversation"),
  "POST /conversation/:token/report": posted(opened("conversation"), form(report.any)),

  "GET /pair/:token": opened("pair"),
  "POST /pair/:token": posted(opened("pair")),
  "GET /unsubscribe/:token": opened("unsubscribe"),
  "POST /unsubscribe/:token": posted(
    opened("unsubscribe"),
    form(fc.constantFrom({}, { "List-Unsubscribe": "One-Click" })),
  ),
  "POST /unsubscribe/:token/frequency": posted(
    opened("unsubscribe"),
    form(formValues(frequencyInput).any),
  ),
  "GET /erase": page,
  "POST /erase": posted(page, form(formValues(z.object({ email: emailField })).any)),
  "GET /erase/:token": opened("erase"),
  "POST /erase/:token": posted(opened("erase")),
  "GET /erase/:token/not-me": opened("stoppable"),
  "POST /erase/:token/not-me": posted(opened("stoppable")),
  "POST /erase/:token/allow": posted(opened("stoppable")),
  "GET /subscribe": { ...page, query: withMore(filters, placed) },
  "POST /subscribe": posted(
    page,
    form(
      withPlace(formValues(zoneInput.omit({ language: true })), {
        which: fc.oneof(fc.constantFrom("45.76,4.83", "91,0", ",", "1"), oddText),
      }),
    ),
  ),
  "POST /subscribe/device": posted(
    page,
    form(
      fc
        .tuple(withPlace(formValues(zoneInput.omit({ language: true, email: true }))), subscription)
        .map(([zone, device]) => ({ ...zone, ...device })),
    ),
  ),

  "GET /organisations/:slug": opened("organisation"),
  "GET /inbox": inbox({
    ...page,
    query: formValues(z.object({ page: z.number(), organisation: organisationSlug })).any,
  }),
  "POST /inbox/sign-in": posted(page, form(formValues(signInInput.pick({ email: true })).any)),
  "GET /inbox/enter/:token": opened("inboxEntry"),
  "POST /inbox/enter/:token": posted(opened("inboxEntry")),
  "POST /inbox/sign-out": posted(page),
  "GET /inbox/conversations/:id": inbox(opened("inboxConversation")),
  "POST /inbox/conversations/:id": posted(
    inbox(opened("inboxConversation")),
    form(formValues(z.object({ message: messageText })).any, somePhotos),
  ),
  "POST /inbox/conversations/:id/read": posted(inbox(opened("inboxConversation"))),
  "GET /inbox/conversations/:id/photos/:file": inbox(opened("inboxConversation", "photo")),
  "GET /inbox/alerts": inbox({
    ...page,
    query: formValues(searchInput.pick({ cursor: true, organisation: true })).any,
  }),
  "POST /inbox/alerts": posted(inbox(page), form(formValues(z.object({ alert: z.string() })).any)),
  "GET /inbox/members": inbox(page),
  "POST /inbox/members": posted(inbox(page), form(formValues(memberInput).any)),
  "POST /inbox/members/remove": posted(
    inbox(page),
    form(formValues(memberInput.pick({ email: true })).any),
  ),
  "GET /inbox/leave": inbox(page),
  "POST /inbox/leave": posted(inbox(page)),

  "GET /admin": desk({
    ...page,
    query: formValues(z.object({ reason: z.enum(REPORT_REASONS) })).any,
  }),
  "GET /admin/alerts": desk({
    ...page,
    query: formValues(z.object({ q: alertSearchInput.shape.query, before: lenientTimeField })).any,
  }),
  "GET /admin/alerts/:id": desk(opened("id")),
  "POST /admin/sign-in": posted(page, form(formValues(signInInput.pick({ email: true })).any)),
  "GET /admin/enter/:token": opened("enter"),
  "POST /admin/enter/:token": posted(opened("enter")),
  "POST /admin/sign-out": posted(page),
  "POST /admin/alerts/:id/hide": posted(desk(opened("id"))),
  "POST /admin/alerts/:id/restore": posted(desk(opened("id"))),
  "POST /admin/alerts/:id/dismiss": posted(desk(opened("id"))),
  "GET /admin/alerts/:id/remove": desk(opened("id")),
  "GET /admin/alerts/:id/block": desk(opened("id")),
  "POST /admin/alerts/:id/remove": posted(desk(opened("id"))),
  "POST /admin/alerts/:id/block": posted(desk(opened("id"))),
  "GET /admin/alerts/:id/conversations/:conversation/block": desk(opened("id", "written")),
  "POST /admin/alerts/:id/conversations/:conversation/block": posted(desk(opened("id", "written"))),
  "POST /admin/alerts/:id/sightings/:sighting/remove": posted(desk(opened("id", "sighting"))),
  "GET /admin/photos/:file": desk(opened("photo")),
};

function rpcBody(): fc.Arbitrary<Body> {
  const { toolCall, method, newest, batch, broken } = rpcBodies;
  const json = (body: string): Body => ({ type: "application/json", body });
  return fc.oneof(
    ...Object.values(toolCall).map((arbitrary) => ({ weight: 5, arbitrary: arbitrary.map(json) })),
    { weight: 8, arbitrary: method.map(json) },
    { weight: 20, arbitrary: newest.map(({ body, headers }) => ({ ...json(body), headers })) },
    { weight: 4, arbitrary: batch.map(json) },
    { weight: 4, arbitrary: broken.map(json) },
    { weight: 1, arbitrary: fc.tuple(method, brokenBody).map(([body, bend]) => bend(body)) },
  );
}

function rpcHeaders(): fc.Arbitrary<Header>[] {
  const accepted = [
    "application/json",
    "application/json, text/event-stream",
    "text/event-stream",
    "*/*",
    "text/html",
    "",
  ];
  const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "x"];
  const origins = [
    "http://localhost:3000",
    "http://127.0.0.1:9",
    "null",
    "https://evil.example",
    "",
  ];
  const values = { Accept: accepted, "MCP-Protocol-Version": revisions, Origin: origins };
  return Object.entries(values).map(([name, some]) =>
    fc.constantFrom(...some).map((value): Header => [name, value]),
  );
}
