import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TableRead } from "../../../src/core/tables/table-read.ts";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

type Row = { readonly id: string; readonly color?: string; readonly eventDate?: string };

/** A good read of a table with these animals. */
function read(rows: readonly Row[], about: Partial<TableRead> = {}) {
  return world.app.operator.syncTable({
    mapping: "kennel",
    email: "desk@shelter.example",
    language: "en",
    rows: rows.map(({ id, color = "black", eventDate = "2026-04-30" }) => ({
      id,
      input: { type: "found", species: "dog", color, lat: 45.76, lng: 4.84, eventDate },
    })),
    kept: [],
    isWhole: true,
    acceptMissing: false,
    dryRun: false,
    ...about,
  });
}

const imported = () => world.app.store.importedAlerts("import:kennel:", null, 5_000);
/** Ids of the rows whose animals the instance shows. */
async function shown(): Promise<string[]> {
  const active = (await imported()).filter(({ alert }) => alert.status === "active");
  return active.map(({ alert }) => alert.source.slice("import:kennel:".length)).sort();
}
const alertOf = async (id: string) =>
  (await imported()).find(({ alert }) => alert.source === `import:kennel:${id}`)!.alert;
const ids = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, nth) => ({ id: String(from + nth) }));

describe("a table in sync", () => {
  test("publishes new rows, changes what has changed and leaves the rest", async () => {
    const first = await read([{ id: "1" }, { id: "2" }]);
    const slug = (await alertOf("1")).slug;
    await world.pass(HOUR);

    const second = await read([{ id: "1", color: "brown" }, { id: "2" }, { id: "3" }]);

    expect(first).toMatchObject({ published: 2, guard: null });
    expect(second).toMatchObject({ published: 1, updated: 1, unchanged: 1 });
    const changed = await alertOf("1");
    expect(changed.color).toBe("brown");
    expect(changed.slug).not.toBe(slug);
    expect((await world.fetch(`/alerts/${changed.slug}`)).status).toBe(200);
  });

  test("tells subscribers nearby of a new animal once, and of no change", async () => {
    const email = "neighbour@example.org";
    await world.tool("subscribe_zone", { lat: 45.76, lng: 4.84, email });
    await world.confirm(email);
    await read([{ id: "1" }]);
    await world.pass(HOUR, MINUTE);
    const before = (await world.emails(email)).length;

    await read([{ id: "1", color: "brown" }]);
    await world.pass(2 * DAY, HOUR);

    expect(before).toBeGreaterThan(1);
    expect(await world.emails(email)).toHaveLength(before);
  });

  test("ends an animal that two good reads in a row lack, as no longer there and not as home again", async () => {
    await read([{ id: "1" }, { id: "2" }]);

    const once = await read([{ id: "2" }]);
    const shownThen = await shown();
    const twice = await read([{ id: "2" }]);

    expect(once).toMatchObject({ missing: 1, ended: 0 });
    expect(shownThen).toEqual(["1", "2"]);
    expect(twice).toMatchObject({ missing: 0, ended: 1 });
    expect((await alertOf("1")).status).toBe("expired");
    expect(await world.app.store.resolvedCount()).toBe(0);
  });

  test("forgives an animal that one read lacked", async () => {
    await read([{ id: "1" }, { id: "2" }]);
    await read([{ id: "2" }]);
    await read([{ id: "1" }, { id: "2" }]);
    await read([{ id: "2" }]);

    expect(await shown()).toEqual(["1", "2"]);
  });

  test("shows an animal again that is back, also after its alert was erased", async () => {
    await read([{ id: "1" }, { id: "2" }]);
    await read([{ id: "2" }]);
    await read([{ id: "2" }]);
    const soon = await read([{ id: "1" }, { id: "2" }]);
    await read([{ id: "2" }]);
    await read([{ id: "2" }]);
    for (let day = 0; day < 40; day++) {
      await world.pass(DAY);
      await read([{ id: "2" }]);
    }

    const late = await read([{ id: "1" }, { id: "2" }]);

    expect(soon).toMatchObject({ reopened: 1, published: 0 });
    expect(late).toMatchObject({ reopened: 0, published: 1 });
    expect(await shown()).toEqual(["1", "2"]);
  });

  test("keeps found animals alive for as long as they wait, without an edit that people see", async () => {
    await read([{ id: "1" }]);
    const { updatedAt } = await alertOf("1");
    for (let day = 0; day < 100; day++) {
      await world.pass(DAY);
      await read([{ id: "1" }]);
    }

    expect(await shown()).toEqual(["1"]);
    expect((await alertOf("1")).updatedAt).toBe(updatedAt);
  });

  test("leaves what people decided: closed, removed, hidden and edited alerts", async () => {
    const rows = ids(1, 5);
    await read(rows);
    const { store } = world.app;
    const [one, two, three, four] = await Promise.all(rows.map(({ id }) => alertOf(id)));
    const change = { status: "resolved", expiresAt: one!.expiresAt, endedAt: world.now() } as const;
    await store.changeStatus(one!, change, world.now());
    await store.removeAlert(two!.id, world.now());
    await world.app.operator.moderate("hide", three!.shortCode);
    await store.editAlert(four!, { ...four!, color: "golden" }, world.now() + 1);

    const result = await read(rows);

    expect(result).toMatchObject({ published: 0, updated: 0, reopened: 0, leftAlone: 3 });
    expect(await shown()).toEqual(["4"]);
    expect((await alertOf("4")).color).toBe("golden");
  });

  test("never touches alerts of another owner or another mapping", async () => {
    await read([{ id: "1" }]);
    await read([{ id: "1" }], { mapping: "other" });

    const foreign = await read([{ id: "1", color: "pink" }, { id: "2" }], {
      email: "stranger@example.org",
    });

    expect(foreign).toMatchObject({ published: 1, updated: 0, ofOthers: 1 });
    expect((await alertOf("1")).color).toBe("black");
  });

  test("takes a refused row, and one that is not to be published, as there", async () => {
    await read(ids(1, 3));
    const broken = [{ id: "1", eventDate: "2999-01-01" }];

    const results = [await read(broken, { kept: ["2"] }), await read(broken, { kept: ["2"] })];

    expect(results[1]).toMatchObject({ missing: 0, ended: 0 });
    expect(results[1]?.refused).toMatchObject([{ id: "1", fields: [{ field: "eventDate" }] }]);
    expect(await shown()).toEqual(["1", "2"]);
  });

  test("changes nothing when more than half and more than five are missing at once, unless told to", async () => {
    await read(ids(0, 12));
    const few = [...ids(0, 5), { id: "new" }];

    const first = await read(few);
    const second = await read(few);
    const shownThen = await shown();
    await read(few, { acceptMissing: true });
    await read(few, { acceptMissing: true });

    expect(first.guard).toEqual({ missing: 7, listed: 12 });
    expect(second.guard).toEqual({ missing: 7, listed: 12 });
    expect(shownThen).toHaveLength(12);
    expect(await shown()).toEqual(["0", "1", "2", "3", "4", "new"]);
  });

  test.each([
    ["without rows", []],
    ["with other numbers only", ids(100, 103)],
  ])(
    "changes nothing of a small shelter after a read %s, unless told to",
    async (_, rows: readonly Row[]) => {
      await read(ids(0, 3));
      const reads = [await read(rows), await read(rows)];
      const then = await shown();
      for (let times = 0; times < 2; times++) await read(rows, { acceptMissing: true });

      expect(reads.map(({ guard }) => guard)).toEqual([
        { missing: 3, listed: 3 },
        { missing: 3, listed: 3 },
      ]);
      expect(then).toEqual(["0", "1", "2"]);
      expect(await shown()).toEqual(rows.map(({ id }) => id));
    },
  );

  test("counts nothing as missing in a read that is not whole", async () => {
    await read(ids(0, 4));
    for (let reads = 0; reads < 3; reads++) await read(ids(0, 3), { isWhole: false });

    expect(await shown()).toHaveLength(4);
  });
});
