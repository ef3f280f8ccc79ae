import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { createApp } from "../../../src/http/app.ts";
import { apiDocument } from "../../../src/http/api/openapi/document.ts";
import { createPages } from "../../../src/http/web/routes.tsx";
import { realExamples, requestOf } from "../../support/api-examples.ts";
import { siteOf } from "../../support/site.ts";
import { MINUTE } from "../../support/time.ts";
import { BASE_URL, createWorld, form, linkIn, type World } from "../../support/world.ts";

// The OpenAPI description against the behaviour of the API.

/** Routes for programs that have other descriptions, and the descriptions themselves. */
const DESCRIBED_ELSEWHERE = [
  "/api/mcp",
  "/api/mcp/server-card",
  "/api/openapi.json",
  "/api/docs",
  "/embed",
  // For the map of the pages, without names of alerts.
  "/map/alerts.json",
  "/llms.txt",
  "/robots.txt",
  "/.well-known/security.txt",
  "/sitemap.xml",
  "/sitemaps/:file",
  "/server.json",
  "/.well-known/api-catalog",
];

let world: World;
let api: any;
let lost: any;
let removed: any;
beforeAll(async () => {
  world = await createWorld({ LIMIT_READ: "100000/m" });
  removed = await world.publish({ email: "gone@example.org" });
  const email = (await world.emails("gone@example.org")).at(-1);
  await world.fetch(`${linkIn(email, "/manage/")}/remove`, { method: "POST", ...form({}) });
  lost = await world.publish({ description: "Shy.\n<b>&\u{1f408}", email: "a@example.org" });
  await world.pass(MINUTE);
  await world.publish({ type: "found", custody: "vet", name: undefined, email: "b@example.org" });
  api = await world.json("/api/openapi.json");
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("the OpenAPI description", () => {
  test("covers every route for programs, and no other", () => {
    const site = siteOf(world);
    const pages = new Set(createPages({ ...site, api }).routes.map(({ path }) => path));
    const routes = createApp(site)
      .routes.filter(({ method }) => method !== "ALL")
      .map(({ path }) => path)
      .filter((path) => !DESCRIBED_ELSEWHERE.includes(path));
    const described = Object.keys(api.paths);
    const isForPrograms = (path: string) => !pages.has(path) || described.includes(inBraces(path));

    expect([...new Set(routes.filter(isForPrograms).map(inBraces))].toSorted()).toEqual(
      described.toSorted(),
    );
  });

  test("contains real responses and real problems as examples", async () => {
    const shown = Object.values<any>(api.paths).flatMap(({ get }) =>
      examplesIn(get.responses["200"]).map((example) => [get.operationId, example]),
    );
    const problems = Object.values<any>(api.components.responses).flatMap((answer) =>
      examplesIn(answer).map((example: any) => [String(example.status), example]),
    );

    expect(Object.fromEntries([...shown, ...problems])).toEqual(await realExamples());
  });

  test("contains the base URL and version of the instance that serves it, and no other", () => {
    const document = apiDocument(siteOf(world, "https://pets.example"));
    const text = JSON.stringify(document);
    expect(api.openapi).toBe("3.1.0");

    expect(document.servers).toEqual([{ url: "https://pets.example", description: "Pet Alert" }]);
    expect(text).toContain("https://pets.example/api/qr/K7F3Q2");
    expect(text).toContain('{"status":"ok","version":"9.8.7"}');
    expect(text).not.toContain("localhost");
  });
});

describe("responses", () => {
  const requests = () => [
    "/api/v1/alerts",
    "/api/v1/alerts?limit=1",
    "/api/v1/alerts?lat=45.77&lng=4.83&q=mimi",
    "/api/v1/alerts?lat=45.77&lng=4.83&sort=nearest&limit=1&count=true",
    "/api/v1/alerts?lat=91&lng=0&limit=x",
    `/api/v1/alerts/${lost.id}`,
    `/api/v1/alerts/${lost.slug}`,
    "/api/v1/alerts/nothing-here",
    `/api/v1/alerts/${removed.short_code}`,
    `/api/v1/alerts/${lost.slug}/matches`,
    `/api/v1/alerts/${lost.slug}/matches?limit=51`,
    "/api/v1/alerts/nothing-here/matches",
    `/api/v1/alerts/${removed.slug}/matches`,
    "/api/v1/alerts.geojson",
    "/api/v1/alerts.geojson?lat=45.77&lng=4.83&limit=1",
    "/api/v1/alerts.geojson?lat=45.77&lng=4.83&sort=nearest&limit=1&count=true",
    "/api/v1/alerts.geojson?radius_km=5",
    "/feed.atom?limit=1",
    "/feed.atom?since=yesterday",
    `/api/qr/${lost.short_code}`,
    `/api/qr/${lost.short_code}?size=63`,
    "/api/qr/ZZZZZZ",
    `/a/${lost.short_code.toLowerCase()}`,
    "/a/ZZZZZZ",
    `/a/${removed.short_code}`,
    "/photos/0123456789abcdef0123456789abcdef.webp",
    "/healthz",
    "/readyz",
  ];

  test("have the described status, media type, headers and fields, and no others", async () => {
    for (const request of requests()) {
      const { get, status, description, answer } = await responseTo(request);

      expect([request, status, Object.keys(get.responses)]).toEqual([
        request,
        status,
        expect.arrayContaining([status]),
      ]);
      const type = answer.headers.get("Content-Type")?.split(";")[0];
      const forms = Object.keys(description.content ?? {});
      if (forms.length > 0) expect([request, ...forms]).toEqual([request, String(type)]);
      for (const name of Object.keys(description.headers ?? {})) {
        // These requests find alerts by their words as written: there is nothing to note.
        const isSent =
          name === "X-Total-Count" ? request.includes("count=true") : name !== "Search-Notes";
        expect([request, name, answer.headers.has(name)]).toEqual([request, name, isSent]);
      }
      if (type?.endsWith("json"))
        expect([request, errorsIn(description, await answer.json())]).toEqual([request, null]);
    }
  });

  test("occur in every described status except server errors", async () => {
    const seen = new Set<string>();
    for (const request of requests()) {
      const { get, status } = await responseTo(request);
      seen.add(`${get.operationId} ${status}`);
    }
    for (const { get } of Object.values<any>(api.paths)) {
      if (!("304" in get.responses)) continue;
      const path = pathOf(get.operationId).replace(/\{\w+\}/, lost.short_code);
      const tag = (await world.fetch(path)).headers.get("ETag") ?? "";
      const again = await world.fetch(path, { headers: { "If-None-Match": tag } });
      seen.add(`${get.operationId} ${again.status}`);
    }
    const busy = await createWorld({ LIMIT_READ: "1/m" });
    await busy.fetch("/");
    for (const [path, { get }] of Object.entries<any>(api.paths)) {
      const { status, headers } = await busy.fetch(path.replace(/\{\w+\}/, "K7F3Q2"));
      seen.add(`${get.operationId} ${status}`);
      expect([path, headers.has("Retry-After")]).toEqual([path, status === 429]);
    }
    await busy.end();

    const described = Object.values<any>(api.paths).flatMap(({ get }) =>
      Object.keys(get.responses).map((status) => `${get.operationId} ${status}`),
    );
    // Photos have tests of their own, and so have server errors.
    const elsewhere = /^readPhoto 200$| 50[03]$/;
    expect(described.filter((one) => !elsewhere.test(one) && !seen.has(one))).toEqual([]);
  });

  async function responseTo(request: string) {
    const answer = await world.fetch(request, { headers: { Origin: "https://a.test" } });
    const path = request.split("?")[0] ?? "";
    const [, operation] =
      Object.entries<any>(api.paths).find(([template]) =>
        new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/, "[^/]+")}$`).test(path),
      ) ?? [];
    const status = String(answer.status);
    const described = operation.get.responses[status] ?? {};
    return { get: operation.get, status, description: resolved(described), answer };
  }
});

describe("parameters", () => {
  test("accept values up to the described bounds, and none beyond", async () => {
    for (const [path, { get }] of Object.entries<any>(api.paths)) {
      const parameters = get.parameters.filter((one: any) => one.in === "query");
      for (const { name, schema } of parameters) {
        const { valid, invalid } = name === "organisation" ? SLUGS : valuesAround(schema);
        const statusFor = async (value: string) => {
          const query = new URLSearchParams(withPartner(name, value));
          const filled = path.replace(/\{\w+\}/, lost.short_code);
          return (await world.fetch(`${filled}?${query}`)).status;
        };
        for (const value of valid)
          expect([path, name, value, await statusFor(value)]).toEqual([path, name, value, 200]);
        for (const value of invalid)
          expect([path, name, value, await statusFor(value)]).toEqual([path, name, value, 400]);
      }
    }
  });

  /** Query of a parameter, with those it requires. */
  function withPartner(name: string, value: string): Record<string, string> {
    if (name === "lat") return { lat: value, lng: "0" };
    if (name === "lng") return { lat: "0", lng: value };
    const needsCentre = name === "radius_km" || name === "sort";
    return { ...(needsCentre ? { lat: "0", lng: "0" } : {}), [name]: value };
  }

  const SLUGS = {
    valid: ["happy-paws", "a".repeat(40)],
    invalid: ["", "Happy Paws", "happy--paws", "a".repeat(41)],
  };

  function valuesAround(schema: any): { valid: string[]; invalid: string[] } {
    if (schema.enum !== undefined) return { valid: schema.enum, invalid: ["", "none-of-them"] };
    if (schema.type === "string") {
      const long = "a".repeat(schema.maxLength + 1);
      // Short strings are dates and timestamps.
      return schema.maxLength > 100
        ? { valid: [long.slice(1)], invalid: ["", long] }
        : { valid: ["2026-05-01", "2026-05-01T07:30:00.000Z"], invalid: ["", "yesterday", long] };
    }
    const step = schema.type === "integer" ? 1 : 0.001;
    const low = schema.minimum ?? schema.exclusiveMinimum + step;
    return {
      valid: [String(low), String(schema.maximum)],
      invalid: ["", "x", String(low - step), String(schema.maximum + step)],
    };
  }
});

describe("the documentation page", () => {
  test("shows every operation with its parameters, an example request and its response", async () => {
    const page = await textOf("/api/docs");

    for (const [path, { get }] of Object.entries<any>(api.paths)) {
      expect(page).toContain(`GET ${path}`);
      expect(page).toContain(get.description);
      for (const { name, description } of get.parameters) {
        expect(page).toContain(`>${name}</th>`);
        expect(page).toContain(description);
      }
      const request = requestOf(path, get.parameters);
      if (!request.includes("{")) expect(page).toContain(`curl '${BASE_URL}${request}'`);
      for (const example of examplesIn(get.responses["200"]))
        expect(page).toContain(
          typeof example === "string" ? example.trim() : JSON.stringify(example, null, 2),
        );
    }
  });

  async function textOf(path: string): Promise<string> {
    const page = await (await world.fetch(path)).text();
    return page
      .replaceAll("<wbr/>", "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  }
});

/** `/alerts/:name` as `/alerts/{name}`. */
function inBraces(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function pathOf(operationId: string): string {
  const [path = ""] =
    Object.entries<any>(api.paths).find(([, { get }]) => get.operationId === operationId) ?? [];
  return path;
}

function resolved(answer: any): any {
  return answer.$ref === undefined
    ? answer
    : api.components.responses[answer.$ref.split("/").at(-1)];
}

function examplesIn(answer: any): any[] {
  return Object.values<any>(answer?.content ?? {}).flatMap(({ example }) =>
    example === undefined ? [] : [example],
  );
}

/** Validation errors of a body, with no additional properties allowed; null if it is valid. */
function errorsIn(answer: any, body: unknown): string | null {
  const [{ schema }] = Object.values<any>(answer.content) as [{ schema: { $ref: string } }];
  const check = checks.get(schema.$ref) ?? checkFor(schema);
  checks.set(schema.$ref, check);
  return check(body) ? null : JSON.stringify(check.errors);
}
const checks = new Map<string, ValidateFunction>();

function checkFor(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats(ajv);
  return ajv.compile(closed({ ...schema, $defs: api.components.schemas }));
}

function closed(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/"),
    (_, value) =>
      value?.type === "object" && value.properties !== undefined
        ? { ...value, additionalProperties: false }
        : value,
  );
}
