import { expect, test } from "bun:test";
import fc from "fast-check";
import type { z } from "zod";
import { messageInput } from "../../src/core/conversation.ts";
import { parse } from "../../src/core/input.ts";
import { matchesInput } from "../../src/core/matching.ts";
import { correctionInput, publishInput } from "../../src/core/publication.ts";
import { searchInput } from "../../src/core/search.ts";
import { sightingInput } from "../../src/core/sighting.ts";
import { zoneInput } from "../../src/core/zone.ts";
import { fromWire } from "../../src/http/wire.ts";
import { type LiveKind, filledIn } from "./ask.ts";
import { fuzz } from "./fuzz.ts";
import { lifeInProcess } from "./life.ts";
import { BENT, foundIn } from "./self-test.ts";
import { type Given, inForms, onTheWire } from "./values.ts";

const SEED = 20_261_121;

test("2,000 random requests over every route find nothing wrong", async () => {
  const life = await lifeInProcess(SEED);

  const report = await fuzz({
    life,
    routes: life.routes,
    requests: 2_000,
    seed: SEED,
    seasonEvery: 500,
    say: () => {},
  });
  await life.end();

  expect(report.faults).toEqual([]);
  expect(report.sent).toBe(2_000);
}, 120_000);

test.each(BENT.map((bent) => [bent.name, bent] as const))(
  "a run sees %s",
  async (_, bent) => {
    const faults = await foundIn(bent, SEED);

    expect(faults.join("\n")).toMatch(bent.says);
  },
  60_000,
);

test("what is drawn from a schema as fitting is taken by it, and of the rest a good part is not", () => {
  const inputs = {
    searchInput,
    publishInput,
    messageInput,
    zoneInput,
    matchesInput,
    sightingInput,
    correctionInput,
  };
  for (const [name, input] of Object.entries<z.ZodObject>(inputs)) {
    const takes = (given: Given) =>
      isTaken(input, name === "correctionInput" ? given : fromWire(given));
    const { fitting, any } = name === "correctionInput" ? inForms(input) : onTheWire(input);

    const refused = fc
      .sample(fitting, { numRuns: 200, seed: SEED })
      .filter((given) => !takes(given));
    const broken = fc.sample(any, { numRuns: 200, seed: SEED }).filter((given) => !takes(given));

    expect([name, refused]).toEqual([name, []]);
    expect([name, broken.length > 20, broken.length < 150]).toEqual([name, true, true]);
  }
});

function isTaken(input: z.ZodObject, given: Given): boolean {
  const names: Partial<Record<LiveKind, string>> = {
    id: "0190a000-0000-7000-8000-000000000000",
    slug: "lost-cat-x-k7f3q2",
    code: "K7F3Q2",
  };
  const ask = {
    door: "",
    method: "",
    target: "",
    headers: [],
    body: JSON.stringify(given),
    from: null,
  };
  const { body } = filledIn(ask, (kind) => names[kind] ?? "");
  try {
    parse(input, JSON.parse(body ?? "{}"));
    return true;
  } catch {
    return false;
  }
}
