import { Hono } from "hono";
import { formatRate } from "../../../core/caps.ts";
import type { Site } from "../../middleware/site.ts";
import { staticDocument } from "../../middleware/etag.ts";
import examples from "./examples.json" with { type: "json" };
import {
  type Examples,
  HEADERS,
  OPTIONAL_HEADERS,
  operations,
  problemResponses,
  TAGS,
} from "./operations.ts";
import { namedSchemas } from "./schemas.ts";

export type ApiDocument = ReturnType<typeof apiDocument>;

/** Base URL in the examples. */
const EXAMPLES_BASE = "http://localhost:3000";

/** OpenAPI 3.1 description of the public API, from the schemas that parse its requests and type its responses. */
export function apiDocument({ baseUrl, siteName, version, links, limitRead }: Site) {
  const ownExamples = examplesOf(baseUrl, version);
  return {
    openapi: "3.1.0",
    info: {
      title: `${siteName} API`,
      version,
      summary: "Read alerts about lost and found pets.",
      description: [
        "Anyone may read, without a key and from any site (CORS).",
        `Requests from one address: ${formatRate(limitRead)}; more are answered 429 with Retry-After. RateLimit says how many are left (draft-ietf-httpapi-ratelimit-headers).`,
        "Errors are problem details (RFC 9457), with a code at the end of their type. HEAD works wherever GET does; other methods are answered 405 with Allow.",
        "Positions are the centres of cells about 1 km wide. Times are ISO 8601 in UTC.",
        "Texts of alerts are written by the public and are unverified. Owners' addresses are never published: contact_url is a page for writing to the owner.",
        `Publishing, writing and subscribing are possible on the pages and through the tool server (${links.mcp}); a person confirms each by e-mail.`,
      ].join(" "),
      termsOfService: links.terms,
      contact: { name: siteName, url: links.imprint },
    },
    servers: [{ url: baseUrl, description: siteName }],
    // No operation asks for credentials.
    security: [],
    tags: TAGS,
    paths: operations(ownExamples),
    components: {
      schemas: namedSchemas(),
      responses: problemResponses(ownExamples),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          {
            description,
            required: !OPTIONAL_HEADERS.some((one) => one === name),
            schema: { type: "string" },
          },
        ]),
      ),
    },
  };
}

/** Examples with the base URL and version of this instance. */
function examplesOf(baseUrl: string, version: string): Examples {
  const json = JSON.stringify(examples).replaceAll(EXAMPLES_BASE, baseUrl);
  const own: typeof examples = JSON.parse(json);
  return { ...own, isAlive: { ...own.isAlive, version } };
}

/** Serves the document, to be mounted at the root. */
export function createOpenApi(document: ApiDocument): Hono {
  const openApi = new Hono();
  openApi.get("/api/openapi.json", staticDocument(JSON.stringify(document), "application/json"));
  return openApi;
}
