import { matchesInput } from "../../../core/matches/find-matches.ts";
import { qrInput } from "../qr.ts";
import { feedInput, restSearchInput } from "../alerts.ts";
import { type Parameter, queryParameters, schemaAt, type SchemaName } from "./schemas.ts";
import { RATE_LIMIT_HEADERS } from "../../middleware/response-headers.ts";

/** Response object. */
export type ApiResponse = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: object; example?: unknown }>>;
};
/** Reference to a response that operations share. */
type ResponseRef = { readonly $ref: string };
/** Operation object. */
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ApiResponse | ResponseRef>>;
};
/** Real responses, by operation id or by the status of a problem. */
export type Examples = Readonly<Record<string, unknown>>;

/** Sections of the document. */
export const TAGS = [
  { name: "Alerts", description: "Searching and reading alerts as JSON." },
  { name: "Feeds", description: "The same lists in the formats of maps and feed readers." },
  { name: "Images and links", description: "Images and links for posters and pages." },
  { name: "Health", description: "Checks for monitoring." },
] as const;
type Tag = (typeof TAGS)[number]["name"];

/** Response headers by name. */
export const HEADERS = {
  "Access-Control-Allow-Origin": "Any site may read the response.",
  "Cache-Control": "How long the response may be cached.",
  ETag: "Identifies this version of the response. Send it as If-None-Match to get 304 if nothing has changed.",
  Link: "URLs of the next page (rel=next) and of the API description (rel=service-desc, service-doc, api-catalog).",
  Location: "Page of the alert.",
  "Retry-After": "Seconds to wait before the next request.",
  RateLimit: "Reads left, r, and seconds until the limit starts anew, t.",
  "RateLimit-Policy": "Limit of reads, q, and its seconds, w.",
  "Search-Notes":
    "How the words of the search were read, or why it found nothing; in English, percent-encoded UTF-8. Only where there is something to say.",
  "X-Total-Count":
    "With count=true: the number of matching alerts, on all pages; 1000+ if there are more than 1,000.",
  Vary: "The response is compressed (zstd or gzip) if Accept-Encoding allows it, and then has another ETag.",
} as const;
type HeaderName = keyof typeof HEADERS;
const SEARCH_ONLY = ["Search-Notes", "X-Total-Count"] as const;
/** Headers that some responses carry; each operation says which. Those of the limit are absent without one. */
export const OPTIONAL_HEADERS = [...SEARCH_ONLY, ...RATE_LIMIT_HEADERS];

const CORS_HEADERS = ["Access-Control-Allow-Origin", "Cache-Control"] as const;
const LIST_HEADERS = [...CORS_HEADERS, ...RATE_LIMIT_HEADERS, "Link", "ETag", "Vary"] as const;
const SEARCH_HEADERS = [...LIST_HEADERS, ...SEARCH_ONLY] as const;

const SEARCH_EXAMPLE = { lat: 45.77, lng: 4.83, radius_km: 5, limit: 1 };
const ALERT_NAME: Parameter = {
  name: "name",
  in: "path",
  required: true,
  description: "UUID, slug or short code of the alert",
  schema: { type: "string", maxLength: 300 },
  example: "K7F3Q2",
};
const SHORT_CODE: Parameter = {
  name: "code",
  in: "path",
  required: true,
  description: "Six characters of the short code, in either case",
  schema: { type: "string", minLength: 6, maxLength: 6 },
  example: "K7F3Q2",
};
const PHOTO_FILE: Parameter = {
  name: "file",
  in: "path",
  required: true,
  description:
    "File name from a URL in photos; with -480 for the small version of at most 480 by 480 pixels",
  schema: { type: "string", pattern: "^[0-9a-f]{32}(-480)?\\.webp$" },
};
const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "ETag of the response you have",
  schema: { type: "string" },
};

/** Operations of all public routes for programs, by path. All are GET; HEAD works wherever GET does. */
export function operations(examples: Examples): Record<string, { readonly get: Operation }> {
  const jsonBody = (operationId: string, schema: SchemaName, type = JSON_TYPE) => ({
    [type]: { schema: { $ref: schemaAt(schema) }, example: examples[operationId] },
  });

  return {
    "/api/v1/alerts": revalidated("searchAlerts", "Alerts", {
      summary: "Search active alerts",
      description:
        "Newest first, within a circle or everywhere, or nearest first around a centre. next_cursor and the Link header lead to the next page. If no alert has the words as written, a word may be read with one letter corrected; the Search-Notes header says so, or says which word or filter excluded every alert (percent-encoded UTF-8). Unknown parameters are ignored.",
      parameters: queryParameters(restSearchInput, SEARCH_EXAMPLE),
      success: "A page of alerts.",
      headers: SEARCH_HEADERS,
      content: jsonBody("searchAlerts", "AlertPage"),
      errors: ["400", "429", "500"],
    }),
    "/api/v1/alerts/{name}": revalidated("getAlert", "Alerts", {
      summary: "Read one alert",
      description: "Active or ended. A removed alert is answered 410.",
      parameters: [ALERT_NAME],
      success: "The alert.",
      headers: LIST_HEADERS,
      content: jsonBody("getAlert", "Alert"),
      errors: ["404", "410", "429", "500"],
    }),
    "/api/v1/alerts/{name}/matches": revalidated("findMatches", "Alerts", {
      summary: "Find alerts that could be about the same animal",
      description:
        "Found alerts for a lost one and lost alerts for a found one, the likeliest first: those close enough in place and time, each with a probability, a sentence that says why, and reasons.",
      parameters: [
        ALERT_NAME,
        ...queryParameters(matchesInput.omit({ alert: true }), { limit: 1 }),
      ],
      success: "The likeliest matches.",
      headers: LIST_HEADERS,
      content: jsonBody("findMatches", "Matches"),
      errors: ["400", "404", "410", "429", "500"],
    }),
    "/api/v1/alerts.geojson": revalidated("listGeoJson", "Feeds", {
      summary: "Active alerts as GeoJSON",
      description:
        "For maps (RFC 7946): each alert is a point at the centre of a cell about 1 km wide.",
      parameters: queryParameters(restSearchInput, SEARCH_EXAMPLE),
      success: "A page of alerts as features.",
      headers: [...LIST_HEADERS, "X-Total-Count"],
      content: jsonBody("listGeoJson", "FeatureCollection", "application/geo+json"),
      errors: ["400", "429", "500"],
    }),
    "/feed.atom": revalidated("readFeed", "Feeds", {
      summary: "Active alerts as an Atom feed",
      description:
        "For feed readers (RFC 4287), newest first. The next page is a link inside the feed.",
      parameters: queryParameters(feedInput, SEARCH_EXAMPLE),
      success: "A page of alerts as entries.",
      headers: [...CORS_HEADERS, ...RATE_LIMIT_HEADERS, "ETag", "Vary"],
      content: {
        "application/atom+xml": { schema: { type: "string" }, example: examples["readFeed"] },
      },
      errors: ["400", "429", "500"],
    }),
    "/api/qr/{code}": revalidated("drawQr", "Images and links", {
      summary: "QR code of an alert's short link",
      description:
        "For posters. The image is available as soon as the short code is assigned, before the alert is confirmed.",
      parameters: [SHORT_CODE, ...queryParameters(qrInput, { size: 256 })],
      success: "The image in the requested size.",
      headers: [...CORS_HEADERS, "ETag"],
      content: { "image/png": {} },
      errors: ["400", "404", "429", "500"],
    }),
    "/a/{code}": operation("followShortLink", "Images and links", {
      summary: "Follow a short link",
      description:
        "Printed on posters; redirects to the alert's page. Made for people, so errors are HTML pages.",
      parameters: [SHORT_CODE],
      responses: {
        "302": { description: "Redirect to the alert's page.", headers: headers(["Location"]) },
        ...errorPages("404", "410", "429", "500"),
      },
    }),
    "/photos/{file}": operation("readPhoto", "Images and links", {
      summary: "Read a photo",
      description:
        "A URL never changes its photo. It is available as long as a visible alert shows it. Errors are HTML pages.",
      parameters: [PHOTO_FILE],
      responses: {
        "200": {
          description: "The photo, without the metadata of the camera.",
          headers: headers(CORS_HEADERS),
          content: { "image/webp": {} },
        },
        ...errorPages("404", "429", "500"),
      },
    }),
    "/healthz": operation("isAlive", "Health", {
      summary: "Check that the process runs",
      description: "Does not count against the rate limit.",
      parameters: [],
      responses: {
        "200": { description: "The process runs.", content: jsonBody("isAlive", "Alive") },
      },
    }),
    "/readyz": operation("isReady", "Health", {
      summary: "Check that the store and the index answer",
      description: "Does not count against the rate limit.",
      parameters: [],
      responses: {
        "200": {
          description: "The store and the index answer.",
          content: jsonBody("isReady", "Ready"),
        },
        "503": {
          description: "The store does not answer.",
          content: { [JSON_TYPE]: { schema: { $ref: schemaAt("Ready") } } },
        },
        ...problems("500"),
      },
    }),
  };
}

type Details = Omit<Operation, "operationId" | "tags">;

function operation(operationId: string, tag: Tag, details: Details): { readonly get: Operation } {
  return { get: { operationId, tags: [tag], ...details } };
}

type RevalidatedDetails = Omit<Details, "responses"> & {
  /** Description of the response with 200. */
  readonly success: string;
  readonly headers: readonly HeaderName[];
  readonly content: NonNullable<ApiResponse["content"]>;
  readonly errors: readonly ProblemStatus[];
};

/** Operation whose response can be revalidated by its ETag. */
function revalidated(
  operationId: string,
  tag: Tag,
  { success, headers: names, content, errors, ...details }: RevalidatedDetails,
) {
  return operation(operationId, tag, {
    ...details,
    parameters: [...details.parameters, IF_NONE_MATCH],
    responses: {
      "200": { description: success, headers: headers(names), content },
      ...problems(...errors),
      "304": { description: "Nothing has changed since the response you have." },
    },
  });
}

function headers(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

/** Error responses by status: their names in the document and their descriptions. */
const PROBLEMS = {
  "400": {
    name: "BadRequest",
    description: "A parameter is out of range, malformed, empty or given twice.",
  },
  "404": { name: "NotFound", description: "Nothing by that name exists." },
  "410": { name: "Gone", description: "The alert was removed." },
  "429": { name: "TooManyRequests", description: "Too many requests from your address." },
  "500": { name: "Broken", description: "Internal server error; the details are only logged." },
} as const;
type ProblemStatus = keyof typeof PROBLEMS;

/** Error responses of all operations, as problem details. */
export function problemResponses(examples: Examples): Readonly<Record<string, ApiResponse>> {
  const schema = { $ref: schemaAt("Problem") };
  return Object.fromEntries(
    (Object.keys(PROBLEMS) as ProblemStatus[]).map((status) => [
      PROBLEMS[status].name,
      errorResponse(status, { [PROBLEM_TYPE]: { schema, example: examples[status] } }),
    ]),
  );
}

function problems(...statuses: readonly ProblemStatus[]): Record<string, ResponseRef> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${PROBLEMS[status].name}` }]),
  );
}

function errorPages(...statuses: readonly ProblemStatus[]): Record<string, ApiResponse> {
  const content = { "text/html": { schema: { type: "string" } } };
  return Object.fromEntries(statuses.map((status) => [status, errorResponse(status, content)]));
}

function errorResponse(
  status: ProblemStatus,
  content: NonNullable<ApiResponse["content"]>,
): ApiResponse {
  const { description } = PROBLEMS[status];
  return {
    description,
    ...(status === "429" ? { headers: headers(["Retry-After"]) } : {}),
    content,
  };
}
