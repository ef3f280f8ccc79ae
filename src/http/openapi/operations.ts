import { matchesInput } from "../../core/matching.ts";
import { qrInput } from "../qr.ts";
import { restSearchInput } from "../rest.ts";
import { type Parameter, queryParameters, schemaAt, type SchemaName } from "./schemas.ts";

/** What one request can be answered with. */
export type Answer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object; example?: unknown }>>;
};
/** One of the answers that many requests share, by where it stands in the document. */
type NamedAnswer = { readonly $ref: string };
/** What can be asked at one path. */
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer | NamedAnswer>>;
};
/** Real answers, by the operation that gave them, or by the status of a problem. */
export type Examples = Readonly<Record<string, unknown>>;

/** The parts the document is read in. */
export const TAGS = [
  { name: "Alerts", description: "Searching and reading alerts as JSON." },
  { name: "Feeds", description: "The same lists in the formats of maps and feed readers." },
  { name: "Images and links", description: "What posters and pages are made with." },
  { name: "Health", description: "For those who watch over the process." },
] as const;
type Tag = (typeof TAGS)[number]["name"];

/** Headers that answers carry, by name. */
export const HEADERS = {
  "Access-Control-Allow-Origin": "Any site may read the answer.",
  "Cache-Control": "How long the answer may be kept.",
  ETag: "Stands for the answer: send it as If-None-Match to hear whether anything changed.",
  Link: "Where the next page is (rel=next), and where this API is described (rel=service-desc, service-doc, api-catalog).",
  Location: "The page of the alert.",
  "Retry-After": "In how many seconds to ask again.",
  Vary: "The answer comes packed (zstd, gzip) to those whose Accept-Encoding takes that, under a tag of its own.",
} as const;
type HeaderName = keyof typeof HEADERS;

const SEARCHED = { lat: 45.77, lng: 4.83, radius_km: 5, limit: 1 };
const OPEN = ["Access-Control-Allow-Origin", "Cache-Control"] as const;
const LISTED = [...OPEN, "Link"] as const;
const TAGGED = [...LISTED, "ETag", "Vary"] as const;

const ALERT_NAME: Parameter = {
  name: "name",
  in: "path",
  required: true,
  description: "The alert's UUID, slug or short code",
  schema: { type: "string", maxLength: 300 },
  example: "K7F3Q2",
};
const SHORT_CODE: Parameter = {
  name: "code",
  in: "path",
  required: true,
  description: "The six characters of the alert's short code, in either case",
  schema: { type: "string", minLength: 6, maxLength: 6 },
  example: "K7F3Q2",
};
const PHOTO_FILE: Parameter = {
  name: "file",
  in: "path",
  required: true,
  description:
    "As the addresses in photos say; with -480 the small one, at most 480 pixels wide and high",
  schema: { type: "string", pattern: "^[0-9a-f]{32}(-480)?\\.webp$" },
};
const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of the answer you hold",
  schema: { type: "string" },
};

const UNCHANGED = { "304": { description: "Nothing changed since the answer you hold." } };

/** Every public route that programs read, by its path. All of them are GET; HEAD goes wherever GET does. */
export function operations(examples: Examples): Record<string, { readonly get: Operation }> {
  const problems = (...statuses: (keyof typeof PROBLEMS)[]) =>
    Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/${PROBLEMS[status]}` }]),
    );
  const answer = (id: string, schema: SchemaName, description: string, type = JSON_TYPE) => ({
    description,
    content: {
      [type]: { schema: { $ref: schemaAt(schema) }, example: examples[id] },
    },
  });

  return {
    "/api/v1/alerts": described("searchAlerts", "Alerts", {
      summary: "Search active alerts",
      description:
        "Newest first, within a circle or everywhere. A page ends with next_cursor, and a Link header names the next page. Unknown parameters are ignored.",
      parameters: [...queryParameters(restSearchInput, SEARCHED), IF_NONE_MATCH],
      responses: {
        "200": {
          ...answer("searchAlerts", "AlertPage", "A page of alerts."),
          headers: headers(TAGGED),
        },
        ...UNCHANGED,
        ...problems("400", "429", "500"),
      },
    }),
    "/api/v1/alerts/{name}": described("getAlert", "Alerts", {
      summary: "Read one alert",
      description: "Active or ended. Removed ones answer 410.",
      parameters: [ALERT_NAME, IF_NONE_MATCH],
      responses: {
        "200": {
          ...answer("getAlert", "Alert", "The alert."),
          headers: headers(TAGGED),
        },
        ...UNCHANGED,
        ...problems("404", "410", "429", "500"),
      },
    }),
    "/api/v1/alerts/{name}/matches": described("findMatches", "Alerts", {
      summary: "Find what could be the same animal",
      description:
        "Found alerts for a lost one, lost alerts for a found one, likeliest first: those near enough in place and time, each with a probability and reasons.",
      parameters: [
        ALERT_NAME,
        ...queryParameters(matchesInput.omit({ alert: true }), { limit: 1 }),
        IF_NONE_MATCH,
      ],
      responses: {
        "200": {
          ...answer("findMatches", "Matches", "The likeliest matches."),
          headers: headers(TAGGED),
        },
        ...UNCHANGED,
        ...problems("400", "404", "410", "429", "500"),
      },
    }),
    "/api/v1/alerts.geojson": described("listGeoJson", "Feeds", {
      summary: "Active alerts as GeoJSON",
      description: "For maps (RFC 7946): each alert is the middle of a cell about 1 km wide.",
      parameters: [...queryParameters(restSearchInput, SEARCHED), IF_NONE_MATCH],
      responses: {
        "200": {
          ...answer(
            "listGeoJson",
            "FeatureCollection",
            "A page of alerts as features.",
            "application/geo+json",
          ),
          headers: headers(TAGGED),
        },
        ...UNCHANGED,
        ...problems("400", "429", "500"),
      },
    }),
    "/feed.atom": described("readFeed", "Feeds", {
      summary: "Active alerts as an Atom feed",
      description: "For feed readers (RFC 4287). The next page is a link inside the feed.",
      parameters: [...queryParameters(restSearchInput, SEARCHED), IF_NONE_MATCH],
      responses: {
        "200": {
          description: "A page of alerts as entries.",
          headers: headers([...OPEN, "ETag", "Vary"]),
          content: {
            "application/atom+xml": {
              schema: { type: "string" },
              example: examples["readFeed"],
            },
          },
        },
        ...UNCHANGED,
        ...problems("400", "429", "500"),
      },
    }),
    "/api/qr/{code}": described("drawQr", "Images and links", {
      summary: "QR code of an alert's short link",
      description: "For posters. A code has its image from the moment it was given out.",
      parameters: [SHORT_CODE, ...queryParameters(qrInput, { size: 256 }), IF_NONE_MATCH],
      responses: {
        "200": {
          description: "The image, exactly as wide and high as asked for.",
          headers: headers([...OPEN, "ETag"]),
          content: { "image/png": {} },
        },
        ...UNCHANGED,
        ...problems("400", "404", "429", "500"),
      },
    }),
    "/a/{code}": described("followShortLink", "Images and links", {
      summary: "Follow a short link",
      description:
        "What posters say: leads to the alert's page. Made for people, so errors are pages.",
      parameters: [SHORT_CODE],
      responses: {
        "302": { description: "To the alert's page.", headers: headers(["Location"]) },
        ...pages("404", "410", "429", "500"),
      },
    }),
    "/photos/{file}": described("readPhoto", "Images and links", {
      summary: "Read a photo",
      description:
        "Its address never shows another picture. It answers as long as an alert that can be seen shows it. Errors are pages.",
      parameters: [PHOTO_FILE],
      responses: {
        "200": {
          description: "The picture, without anything its camera wrote into it.",
          headers: headers(OPEN),
          content: { "image/webp": {} },
        },
        ...pages("404", "429", "500"),
      },
    }),
    "/healthz": described("isAlive", "Health", {
      summary: "Whether the process runs",
      description: "Not counted against the limit on reading.",
      parameters: [],
      responses: { "200": answer("isAlive", "Alive", "It runs.") },
    }),
    "/readyz": described("isReady", "Health", {
      summary: "Whether store and index answer",
      description: "Not counted against the limit on reading.",
      parameters: [],
      responses: {
        "200": answer("isReady", "Ready", "They answer."),
        "503": {
          description: "The store does not answer.",
          content: { [JSON_TYPE]: { schema: { $ref: schemaAt("Ready") } } },
        },
        ...problems("500"),
      },
    }),
  };
}

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

/** Faults that programs are told as problem details, by the name of their part of the document. */
const PROBLEMS = {
  "400": "BadRequest",
  "404": "NotFound",
  "410": "Gone",
  "429": "TooManyRequests",
  "500": "Broken",
} as const;
const MEANING: Readonly<Record<keyof typeof PROBLEMS, string>> = {
  "400": "A parameter is out of range, malformed, empty or given twice.",
  "404": "There is none by that name.",
  "410": "The alert was removed.",
  "429": "Too many requests from your address.",
  "500": "A fault of the server; nothing more is told.",
};

/** The answers that operations have in common. */
export function problemAnswers(examples: Examples): Readonly<Record<string, Answer>> {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, name]) => [
      name,
      {
        description: MEANING[status as keyof typeof PROBLEMS],
        ...(status === "429" ? { headers: headers(["Retry-After"]) } : {}),
        content: {
          [PROBLEM_TYPE]: { schema: { $ref: schemaAt("Problem") }, example: examples[status] },
        },
      },
    ]),
  );
}

function pages(...statuses: (keyof typeof PROBLEMS)[]): Record<string, Answer> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: MEANING[status],
        ...(status === "429" ? { headers: headers(["Retry-After"]) } : {}),
        content: { "text/html": { schema: { type: "string" } } },
      },
    ]),
  );
}

function described(
  operationId: string,
  tag: Tag,
  about: Omit<Operation, "operationId" | "tags">,
): { readonly get: Operation } {
  return { get: { operationId, tags: [tag], ...about } };
}

function headers(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
