import { expect, test } from "bun:test";
import fc from "fast-check";
import type { z } from "zod";
import { messageInput } from "../../src/core/conversations/conversation.ts";
import { parse } from "../../src/core/input.ts";
import { matchesInput } from "../../src/core/matches/find-matches.ts";
import { correctionInput, publishInput } from "../../src/core/alerts/publication.ts";
import { searchInput } from "../../src/core/alerts/search.ts";
import { sightingInput } from "../../src/core/sightings/sighting.ts";
import { zoneInput } from "../../src/core/zones/zone.ts";
import { fromWire } from "../../src/http/middleware/field-names.ts";
import { type PlaceholderKind, fillPlaceholders } from "./request.ts";
import { fuzz } from "./fuzz.ts";
import { serviceInProcess } from "./service.ts";
import { DEFECTS, errorsFound } from "./self-test.ts";
import { type Values, formValues, wireValues } from "./values.ts";
import { isNightly, nightlyTest } from "../support/nightly.ts";

// One that finds every defect below within few requests, unless another is asked for.
const SEED = Number(process.env["TEST_SEED"] ?? 20_261_121);
const REQUESTS = isNightly ? 2_000 : 500;
console.log(`Random requests: run them again with TEST_SEED=${SEED}.`);

test(`${REQUESTS} random requests over every route find nothing wrong`, async () => {
  const service = await serviceInProcess(SEED);

  const report = await fuzz({
    service,
    routes: service.routes,
    requests: REQUESTS,
    seed: SEED,
    activityEvery: 100,
    say: () => {},
  });
  await service.end();

  expect(report.errors).toEqual([]);
  expect(report.sent).toBe(REQUESTS);
}, 600_000);

nightlyTest.each(DEFECTS.map((defect) => [defect.name, defect] as const))(
  "a run sees %s",
  async (_, defect) => {
    const errors = await errorsFound(defect, SEED);

    expect(errors.join("\n")).toMatch(defect.expected);
  },
  600_000,
);

test("what is drawn from a schema as valid is taken by it, and of the rest a good part is not", () => {
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
    const takes = (given: Values) =>
      isTaken(input, name === "correctionInput" ? given : fromWire(given));
    const { valid, any } = name === "correctionInput" ? formValues(input) : wireValues(input);

    const refused = fc.sample(valid, { numRuns: 200, seed: SEED }).filter((given) => !takes(given));
    const broken = fc.sample(any, { numRuns: 200, seed: SEED }).filter((given) => !takes(given));

    expect([name, refused]).toEqual([name, []]);
    expect([name, broken.length > 20, broken.length < 150]).toEqual([name, true, true]);
  }
});

function isTaken(input: z.ZodObject, given: Values): boolean {
  const names: Partial<Record<PlaceholderKind, string>> = {
    id: "0190a000-0000-7000-8000-000000000000",
    slug: "lost-cat-x-k7f3q2",
    code: "K7F3Q2",
  };
  const request = {
    route: "",
    method: "",
    target: "",
    headers: [],
    body: JSON.stringify(given),
    from: null,
  };
  const { body } = fillPlaceholders(request, (kind) => names[kind] ?? "");
  try {
    parse(input, JSON.parse(body ?? "{}"));
    return true;
  } catch {
    return false;
  }
}
