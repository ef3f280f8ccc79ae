import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { matchesSchema } from "../../../src/http/api/alert-json.ts";
import { TOOL_LIST } from "../../../src/http/mcp/tool-schemas.ts";
import { countAllTokens } from "../../bench/tokens.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
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

test("summaries are the default, and detail=full adds the other fields of get_alert", async () => {
  const near = { lat: lost.latitude, lng: lost.longitude, type: "lost" };
  const row = async (more: object) =>
    ((await world.tool("search_alerts", { ...near, ...more })) as any).alerts[0];
  const concise = await row({ detail: "concise" });
  const full = await row({ detail: "full" });

  expect(await row({})).toEqual(concise);
  expect(full).toEqual({ ...lost, distance_km: 0, photo: null });
  expect(full).toMatchObject(concise);
});

test("matches have the same scores in either detail, and fit their schema", async () => {
  const concise: any = await world.tool("find_matches", { alert: lost.id });
  const { now: _now, ...full }: any = await world.tool("find_matches", {
    alert: lost.id,
    detail: "full",
  });

  matchesSchema.strict().parse(full);
  expect(concise.matches).toHaveLength(1);
  expect(concise.matches[0].score).toBe(full.matches[0].score);
});

test("a detail that does not exist is refused with the choices", async () => {
  expect(world.tool("search_alerts", { detail: "everything" })).rejects.toThrow(
    "detail must be one of concise, full.",
  );
});

describe("a page that would be too long for a model", () => {
  let crowded: World;
  beforeAll(async () => {
    crowded = await createWorld();
    const description = "Shy, with a white patch on the chest and a notched left ear. ".repeat(12);
    await crowded.app.service.alerts.add(
      Array.from({ length: 100 }, () =>
        makeBulk({
          draft: makeDraft({ description }),
          ownerEmail: null,
          expiresAt: crowded.now() + DAY,
        }),
      ),
    );
  });
  afterAll(() => crowded.end());

  const search = async (args: object): Promise<any> =>
    crowded.tool("search_alerts", { limit: 100, detail: "full", ...args });
  const near = { lat: LOST_CAT.lat, lng: LOST_CAT.lng, radius_km: 500, sort: "nearest" };

  test.each([{}, near])(
    "has fewer rows than its limit, and its cursor leads to every other one: %j",
    async (args) => {
      const seen: string[] = [];
      let pages = 0;
      for (let cursor: string | null = null; ; pages++) {
        const page = await search(cursor === null ? args : { ...args, cursor });
        expect(countTokens(JSON.stringify(page))).toBeLessThanOrEqual(20_000);
        expect(page.total).toBe(100);
        seen.push(...page.alerts.map(({ id }: any) => id));
        if (page.next_cursor === null) break;
        expect(page.alerts.length).toBeLessThan(100);
        expect(page.notes).toContainEqual(expect.stringContaining("Fewer alerts than limit"));
        cursor = page.next_cursor;
      }

      expect(pages).toBeGreaterThan(0);
      expect([seen.length, new Set(seen).size]).toEqual([100, 100]);
    },
  );

  test("is whole if a hundred summaries fit", async () => {
    const page = await search({ detail: "concise" });

    expect(page.alerts).toHaveLength(100);
    expect(page.next_cursor).toBeNull();
  });
});

test("matches that would be too long for a model are fewer than their limit, also in Cyrillic", async () => {
  const town = await createWorld();
  const { id } = await town.publish({});
  const description = "Рыжий кот с белой грудкой и порванным ухом, очень пугливый. ".repeat(30);
  const draft = { type: "found", description } as const;
  const expiresAt = town.now() + DAY;
  await town.app.service.alerts.add(
    Array.from({ length: 20 }, () =>
      makeBulk({ draft: makeDraft(draft), ownerEmail: null, expiresAt }),
    ),
  );

  const asked = { alert: id, detail: "full", limit: 20 };
  const { matches, notes }: any = await town.tool("find_matches", asked);
  await town.end();

  expect(Buffer.byteLength(JSON.stringify(matches))).toBeLessThanOrEqual(54_000 + matches.length);
  expect(matches.length).toBeGreaterThan(1);
  expect(notes).toContainEqual(expect.stringContaining("Fewer matches than limit"));
});

describe("the listed schemas", () => {
  const schemas = TOOL_LIST.flatMap(({ name, inputSchema, outputSchema }) => [
    ...Object.entries(inputSchema.properties).map(([key, schema]) => [`${name} ${key}`, schema]),
    ...Object.entries(outputSchema.properties).map(([key, schema]) => [`${name}: ${key}`, schema]),
  ]) as [string, { type?: unknown; anyOf?: { type: unknown }[] }][];

  test("say the type of every value, each by one word", () => {
    for (const [name, { type, anyOf = [{ type }] }] of schemas)
      for (const one of anyOf) expect([name, typeof one.type]).toEqual([name, "string"]);
  });

  test("allow what the server accepts: numbers as text, and empty texts for what is absent", async () => {
    const spoken = { lat: "45.77", lng: "4.83", radius_km: "20", limit: "5" };
    const blank = { species: "", type: "", since: "", query: "", sort: "", cursor: "", detail: "" };
    const args = { ...spoken, ...blank, place: "", organisation: "" };
    const { inputSchema } = TOOL_LIST.find(({ name }) => name === "search_alerts")!;
    const fits = new Ajv2020({ strict: false }).compile(inputSchema);

    expect([fits(args), fits.errors]).toEqual([true, null]);
    expect(await world.tool("search_alerts", args)).toMatchObject({ total: 2 });
  });
});
