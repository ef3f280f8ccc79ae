import { describe, expect, test } from "bun:test";
import { PLAN_MESSAGES } from "../../../src/messages/messages.ts";
import { isoDate } from "../../../src/core/input.ts";
import { planAt, type Planned } from "../../../src/core/plan/plan.ts";
import { PLAN_SOURCES, PLAN_STEP_IDS, PLAN_STEPS } from "../../../src/core/plan/steps.ts";
import { DAWN, DAY } from "../../support/time.ts";
import { ALERT_TYPES, SPECIES } from "../../../src/values/animal.ts";

const HORSE = { species: "other", breed: "Icelandic horse" } as const;
const animals = ALERT_TYPES.flatMap((type) => [
  ...SPECIES.map((species) => ({ type, species, breed: "unknown" })),
  { type, ...HORSE },
]);
const DAYS = Array.from({ length: 120 }, (_, day) => day);
const planOn = (day: number, animal: Planned, done: readonly string[] = []) =>
  planAt(
    { ...animal, eventDate: isoDate(DAWN) },
    PLAN_STEP_IDS.filter((id) => done.includes(id)),
    Date.parse(isoDate(DAWN)) + day * DAY,
  );

describe("the plan of the first days", () => {
  test.each(animals)("has three to five steps on every day: $type $species", (animal) => {
    for (const day of DAYS) {
      const { now } = planOn(day, animal);
      expect([day, now.length >= 3 && now.length <= 5]).toEqual([day, true]);
    }
  });

  test("begins for a cat at home and close by, and goes farther out after a week", () => {
    const cat = { type: "lost", species: "cat" } as const;
    const ids = (day: number) => planOn(day, cat).now.map(({ id }) => id);

    expect(ids(0).slice(0, 2)).toEqual(["search_house", "search_near_cat"]);
    expect(ids(8)).toContain("search_wider_cat");
    expect(ids(8)).not.toContain("search_near_cat");
  });

  test("holds for a finder what the first two days need: safety, chip, doors, report, and keeping it", () => {
    const { now, next } = planOn(0, { type: "found", species: "dog" });

    expect([...now, ...next].map(({ id }) => id)).toEqual([
      "keep_safe",
      "read_chip",
      "ring_doors_dog",
      "report_found",
      "keep_two_days",
      "hang_found_posters",
      "true_owner",
    ]);
  });

  test("moves up what comes next once a step is done, and keeps what was done", () => {
    const cat = { type: "lost", species: "cat" } as const;
    const [first] = planOn(0, cat).now;
    const before = planOn(0, cat);
    const after = planOn(0, cat, [first!.id]);

    expect(after.now).toEqual([...before.now.slice(1), before.next[0]!]);
    expect(after.done).toEqual([first!]);
    expect(planOn(60, cat, ["search_house"]).done.map(({ id }) => id)).toEqual(["search_house"]);
  });
});

describe("the steps", () => {
  test("name a study wherever their text speaks of one, and only there", () => {
    for (const { id, source } of PLAN_STEPS) {
      const speaks = /\b(?:study|survey|Dallas)\b/.test(PLAN_MESSAGES.en[id].text);
      expect([id, speaks]).toEqual([id, source !== null]);
    }
    for (const { address } of Object.values(PLAN_SOURCES)) expect(address).toStartWith("https://");
  });
});

test("a lost horse is looked for along roads and at farms, not under leaves as a hamster is", () => {
  const idsOf = (about: object) =>
    planAt(
      { type: "lost", species: "other", eventDate: isoDate(DAWN), ...about },
      [],
      DAWN,
    ).now.map(({ id }) => id);

  expect(idsOf(HORSE)).toEqual([
    "warn_roads",
    "search_large",
    "ask_farms",
    "report_chip",
    "hang_posters",
  ]);
  expect(idsOf({ breed: "hamster" })).toContain("search_small");
  expect(idsOf({ breed: "hamster" })).not.toContain("search_large");
});
