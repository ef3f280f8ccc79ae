import { Hono } from "hono";
import { problem } from "../../src/http/middleware/faults.ts";
import { operations } from "../../src/http/api/openapi/operations.ts";
import { MINUTE } from "./time.ts";
import { createWorld, form, linkIn, type World } from "./world.ts";

// `bun test/support/api-examples.ts` writes the answers that the description of the API shows; a test compares them.

const FILE = "src/http/api/openapi/examples.json";
/** Names are drawn by lot: in the examples, these stand for them. */
const LOST = { id: "019de2a1-3b40-7c11-9f02-6d1e5a7b8c90", code: "K7F3Q2" };
const FOUND = { id: "019de2a2-2610-7d52-8a44-17c3f9e0b6d5", code: "M4X9TR" };
const LOST_CAT = {
  name: "Mimi",
  breed: "European Shorthair",
  sex: "female",
  age: "adult",
  size: "small",
  description: "Shy. White tip on the tail.",
  collar: "red collar with bell",
  event_date: "2026-04-30",
  event_time: "13:20",
  landmark: "parc de la Tête d’Or",
  email: "owner@example.org",
};
const FOUND_CAT = {
  type: "found",
  name: undefined,
  custody: "finder",
  sex: "female",
  age: "adult",
  size: "small",
  lat: 45.774,
  lng: 4.834,
  event_date: "2026-05-01",
  email: "finder@example.org",
};

/** Real answers of the described operations to their example requests, and one problem of each kind. */
export async function realExamples(): Promise<Record<string, unknown>> {
  const world = await createWorld();
  const lost = await world.publish(LOST_CAT);
  await world.pass(MINUTE);
  const found = await world.publish(FOUND_CAT);
  await world.pass(MINUTE);
  const names = [
    [lost.id, LOST.id],
    [lost.short_code, LOST.code],
    [found.id, FOUND.id],
    [found.short_code, FOUND.code],
  ] as const;
  const answer = async (path: string, from: World = world) => {
    const real = names.reduce((so, [drawn, shown]) => so.replaceAll(shown, drawn), path);
    const said = await (await from.fetch(real)).text();
    const text = names.reduce(
      (so, [drawn, shown]) =>
        so.replaceAll(drawn, shown).replaceAll(drawn.toLowerCase(), shown.toLowerCase()),
      said,
    );
    return text.startsWith("{") ? JSON.parse(text) : text;
  };

  const examples: Record<string, unknown> = {};
  for (const [path, { get }] of Object.entries(operations({}))) {
    const good = get.responses["200"];
    const types = good !== undefined && "content" in good ? Object.keys(good.content ?? {}) : [];
    const isText = types.some((type) => /json|xml/.test(type));
    if (isText) examples[get.operationId] = await answer(requestOf(path, get.parameters));
  }
  examples["400"] = await answer("/api/v1/alerts?lat=91&lng=4.83");
  examples["404"] = await answer("/api/v1/alerts/unknown-name");
  await remove(world, LOST_CAT.email);
  examples["410"] = await answer(`/api/v1/alerts/${LOST.code}`);
  examples["429"] = await refusedOften();
  examples["500"] = await brokenAnswer();
  await world.end();
  return examples;
}

/** The request that an operation's example parameters make up. */
export function requestOf(
  path: string,
  parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[],
): string {
  const given = parameters.filter(({ example }) => example !== undefined);
  const filled = given.reduce(
    (so, { name, example }) => so.replace(`{${name}}`, String(example)),
    path,
  );
  const query = new URLSearchParams(
    given
      .filter((parameter) => parameter.in === "query")
      .map(({ name, example }): [string, string] => [name, String(example)]),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

async function remove(world: World, owner: string): Promise<void> {
  const email = (await world.emails(owner)).find((one) => one.text?.includes("/manage/"));
  await world.fetch(`${linkIn(email, "/manage/")}/remove`, { method: "POST", ...form({}) });
}

async function refusedOften(): Promise<unknown> {
  const world = await createWorld({ LIMIT_READ: "1/m" });
  await world.fetch("/api/v1/alerts");
  const refused = await world.json("/api/v1/alerts");
  await world.end();
  return refused;
}

async function brokenAnswer(): Promise<unknown> {
  const broken = new Hono()
    .get("/", () => {
      throw new Error("inner words");
    })
    .onError((error, c) => problem(c, error, "http://localhost:3000/api/docs"));
  return (await broken.request("/")).json();
}

if (import.meta.main) {
  await Bun.write(FILE, `${JSON.stringify(await realExamples(), null, 2)}\n`);
  Bun.spawnSync([process.execPath, "fmt", FILE]);
}
