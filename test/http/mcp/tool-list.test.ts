import { afterAll, beforeAll, expect, test } from "bun:test";
import { matchesSchema, alertSchema, summarySchema } from "../../../src/http/api/alert-json.ts";
import { TOOL_LIST } from "../../../src/http/mcp/tool-list.ts";
import { countAllTokens } from "../../bench/tokens.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const LIST_TOKENS_MAX = 3_000;

let world: World;
let lost: any;
beforeAll(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
  lost = await world.publish({ description: "Shy." });
  await world.publish({ ...LOST_CAT, type: "found", name: undefined, email: "f@example.org" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

test("the list of tools has at most 3,000 tokens, and a concise page fewer than a full one", async () => {
  const { list, answers } = await countAllTokens();

  expect(list).toBeLessThanOrEqual(LIST_TOKENS_MAX);
  expect(answers["concise"]).toBeLessThan(answers["full"]! * 0.7);
});

test("every input of every tool is described", () => {
  const bare = TOOL_LIST.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties).flatMap(([input, schema]) =>
      "description" in schema ? [] : [`${name}.${input}`],
    ),
  );

  expect(bare).toEqual([]);
});

test("a search returns summaries, and with detail=full also every other field of get_alert", async () => {
  const near = { lat: lost.latitude, lng: lost.longitude, type: "lost" };
  const row = async (more: object) =>
    ((await world.tool("search_alerts", { ...near, ...more })) as any).alerts[0];

  const [byDefault, concise, full] = [
    await row({}),
    await row({ detail: "concise" }),
    await row({ detail: "full" }),
  ];

  expect(byDefault).toEqual(concise);
  summarySchema.strict().parse(concise);
  expect(full).toEqual({ ...lost, distance_km: 0, photo: null });
  expect(full).toMatchObject(concise);
});

test("matches hold summaries, and with detail=full whole alerts, with the same scores", async () => {
  const concise: any = await world.tool("find_matches", { alert: lost.id });
  const full: any = await world.tool("find_matches", { alert: lost.id, detail: "full" });

  matchesSchema.strict().parse(full);
  alertSchema.strict().parse(full.alert);
  for (const { alert } of [concise, ...concise.matches]) summarySchema.strict().parse(alert);
  expect(concise.matches.map(({ score }: any) => score)).toEqual(
    full.matches.map(({ score }: any) => score),
  );
  expect(concise.matches).toHaveLength(1);
});

test("a detail that does not exist is refused with the choices", async () => {
  expect(world.tool("search_alerts", { detail: "everything" })).rejects.toThrow(
    "detail must be one of concise, full.",
  );
});
