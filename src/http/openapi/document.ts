import { Hono } from "hono";
import { type Rate, rateInWords } from "../../core/limit.ts";
import type { Links } from "../../core/links.ts";
import { sendTagged, tagOf } from "../tagged.ts";
import examples from "./examples.json" with { type: "json" };
import { type Examples, HEADERS, operations, problemAnswers, TAGS } from "./operations.ts";
import { namedSchemas } from "./schemas.ts";

/** What makes one instance differ from another. */
type Instance = {
  readonly baseUrl: string;
  readonly siteName: string;
  readonly version: string;
  readonly links: Links;
  readonly limitRead: Rate;
};

type ApiDocument = ReturnType<typeof apiDocument>;

/** The examples were made under this address. */
const EXAMPLES_BASE = "http://localhost:3000";

/** The public API in OpenAPI 3.1, from the schemas that read its requests and shape its answers. */
export function apiDocument({ baseUrl, siteName, version, links, limitRead }: Instance) {
  const ours = examplesOf(baseUrl, version);
  return {
    openapi: "3.1.0",
    info: {
      title: `${siteName} API`,
      version,
      summary: "Read alerts about lost and found pets.",
      description: [
        "Anyone may read, without a key, and from any site (CORS).",
        `Requests from one address: ${rateInWords(limitRead)}; beyond that 429 with Retry-After.`,
        "Errors are problem details (RFC 9457). HEAD works wherever GET does; any other method is answered 405 with Allow.",
        "Positions are the middles of cells about 1 km wide. Times are ISO 8601 in UTC.",
        "Texts of alerts are written by the public and unverified. Owners' addresses are never given: contact_url leads to a page on which they can be written to.",
        `Publishing, writing and subscribing go through the pages or the tool server (${links.mcp}), each confirmed by a person through a letter.`,
      ].join(" "),
      contact: { name: siteName, url: links.about },
    },
    servers: [{ url: baseUrl, description: siteName }],
    tags: TAGS,
    paths: operations(ours),
    components: {
      schemas: namedSchemas(),
      responses: problemAnswers(ours),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
    },
  };
}

/** The answers as this instance would give them. */
function examplesOf(baseUrl: string, version: string): Examples {
  const here = JSON.stringify(examples).replaceAll(EXAMPLES_BASE, baseUrl);
  const ours: typeof examples = JSON.parse(here);
  return { ...ours, isAlive: { ...ours.isAlive, version } };
}

/** The description for programs, drawn up once. To be mounted at the root. */
export function createOpenApi(document: ApiDocument): Hono {
  const openApi = new Hono();
  const body = new TextEncoder().encode(JSON.stringify(document));
  const described = { body, type: "application/json", cacheControl: "public, max-age=3600" };
  const tag = tagOf(body);
  openApi.get("/api/openapi.json", (c) => sendTagged(c, { ...described, tag }));
  return openApi;
}
