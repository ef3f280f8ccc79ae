import { afterEach, beforeEach, expect, test } from "bun:test";
import { HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

/** A good read of a table with these animals. */
function read(rows: readonly { readonly id: string; readonly color: string }[]) {
  return world.app.operator.syncTable({
    mapping: "kennel",
    email: "desk@shelter.example",
    language: "en",
    rows: rows.map(({ id, color }) => ({
      id,
      input: {
        type: "found",
        species: "dog",
        color,
        lat: 45.76,
        lng: 4.84,
        eventDate: "2026-04-30",
      },
    })),
    kept: [],
    isWhole: true,
    acceptMissing: false,
    dryRun: false,
  });
}

const imported = () => world.app.store.importedAlerts("import:kennel:", null, 5_000);
/** Ids of the rows whose animals the instance shows. */
async function shown(): Promise<string[]> {
  const active = (await imported()).filter(({ alert }) => alert.status === "active");
  return active.map(({ alert }) => alert.source.slice("import:kennel:".length)).sort();
}

test("a year of a shelter: on every day exactly the animals in the kennel are shown", async () => {
  const random = seeded(7);
  const kennel = new Map<string, { until: number; color: string }>();
  const left: string[] = [];
  let next = 0;
  for (let day = 0; day < 365; day++) {
    for (const [id, { until }] of kennel)
      if (until <= day) {
        kennel.delete(id);
        left.push(id);
      }
    const arrivals = Math.floor(random() * 4);
    for (let one = 0; one < arrivals; one++) {
      // One in ten was here before.
      const isBack = left.length > 0 && random() < 0.1;
      const id = isBack ? left.splice(Math.floor(random() * left.length), 1)[0]! : `K${next++}`;
      const stay = random() < 0.1 ? 100 : 1 + Math.floor(random() * 25);
      kennel.set(id, { until: day + stay, color: "black" });
    }
    for (const animal of kennel.values()) if (random() < 0.02) animal.color = "brown";

    const rows = [...kennel].map(([id, { color }]) => ({ id, color }));
    // Once a month a table arrives of which nearly everything is missing.
    if (day % 30 === 29 && kennel.size > 10)
      expect((await read(rows.slice(0, 1))).guard).not.toBeNull();
    await read(rows);
    await world.pass(12 * HOUR);
    await read(rows);
    await world.pass(12 * HOUR);

    expect(await shown()).toEqual([...kennel.keys()].sort());
  }
  for (const { alert } of await imported())
    if (alert.status === "active")
      expect(alert.color).toBe(kennel.get(alert.source.slice("import:kennel:".length))!.color);
  expect(next).toBeGreaterThan(300);
}, 300_000);

/** Pseudo-random numbers in [0, 1), mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
