import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { Fault } from "../../src/core/fault.ts";
import { jpeg } from "../support/picture.ts";
import { HOUR } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";
import { openShell } from "./shell.ts";
import { csv, OWNER } from "./shelter.ts";

const KENT = { lat: 47.38, lng: -122.23 };
const photo = (name: string) => `https://photos.example/${name}.jpg`;

describe("photos of rows, by their addresses", () => {
  let world: World;
  let asked: string[];
  let isDown: boolean;
  let isBusy: boolean;
  beforeEach(async () => {
    asked = [];
    isDown = false;
    isBusy = false;
    const bytes = await jpeg({ width: 64, height: 48 });
    world = await createWorld(
      {},
      {
        async fetchPhoto(address) {
          asked.push(address);
          if (isBusy && address.includes("b"))
            throw new Fault("unavailable", "Too many photos are waiting.");
          if (isDown || address.includes("missing"))
            throw new Fault("bad_input", "photos.example has no photo there (status 404).");
          return bytes;
        },
      },
    );
  });
  afterEach(async () => {
    expect(world.logged).toEqual([]);
    await world.end();
  });

  function sync(rows: readonly { id: string; photoUrls?: readonly string[]; color?: string }[]) {
    return world.app.operator.syncTable({
      mapping: "kennel",
      email: "desk@shelter.example",
      language: "en",
      rows: rows.map(({ id, photoUrls, color = "black" }) => ({
        id,
        input: {
          type: "found",
          species: "dog",
          color,
          eventDate: "2026-04-30",
          ...KENT,
          ...(photoUrls === undefined ? {} : { photoUrls }),
        },
      })),
      kept: [],
      isWhole: true,
      acceptMissing: false,
      dryRun: false,
    });
  }
  /** Number of photos of each active alert of the table, by id. */
  async function shown(): Promise<Record<string, number>> {
    const all = await world.app.store.importedAlerts("import:kennel:", null, 1_000);
    return Object.fromEntries(
      all.map(({ alert }) => [alert.source.split(":")[2], alert.photos.length]),
    );
  }

  test("are there as soon as the alert is, and are not fetched again", async () => {
    const rows = [{ id: "1", photoUrls: [photo("a")] }, { id: "2" }];

    const first = await sync(rows);
    await world.pass(12 * HOUR);
    const second = await sync(rows);

    expect(first.photos).toEqual({ fetched: 1, waiting: 0, failed: [] });
    expect(second.photos.fetched).toBe(0);
    expect(asked).toEqual([photo("a")]);
    expect(await shown()).toEqual({ "1": 1, "2": 0 });
  });

  test("that fail are reported, and refuse neither the row nor its other photos", async () => {
    const { published, refused, photos } = await sync([
      { id: "1", photoUrls: [photo("missing"), photo("b")] },
    ]);

    expect([published, refused]).toEqual([1, []]);
    expect(photos.failed).toEqual([
      { id: "1", why: "photo 1: photos.example has no photo there (status 404)" },
    ]);
    expect(await shown()).toEqual({ "1": 1 });
  });

  test("follow their addresses, and the text that people edited stays", async () => {
    await sync([{ id: "1", photoUrls: [photo("a")] }]);
    const [one] = await world.app.store.importedAlerts("import:kennel:", null, 1);
    await world.app.store.editAlert(
      one!.alert,
      { ...one!.alert, description: "Answers to Rex" },
      world.now(),
    );

    await sync([{ id: "1", photoUrls: [photo("a"), photo("b")] }]);
    const [changed] = await world.app.store.importedAlerts("import:kennel:", null, 1);
    expect(changed!.alert).toMatchObject({ description: "Answers to Rex" });
    expect(asked).toEqual([photo("a"), photo("a"), photo("b")]);

    await sync([{ id: "1" }]);
    expect(await shown()).toEqual({ "1": 0 });
  });
});

test("import reads photo columns, and names the rows whose photos fail", async () => {
  const shell = openShell();
  try {
    const mapping = {
      mapping: "kennel",
      id: "No",
      type: "found",
      species: "dog",
      date: { column: "In", format: "YYYY-MM-DD" },
      place: { ...KENT, city: "Kent" },
      photos: ["Photo", "More"],
    };
    const rows = [
      { No: "1", In: "2024-03-01", Photo: "https://127.0.0.1/a.jpg", More: "" },
      { No: "2", In: "2024-03-01", Photo: "", More: "http://photos.example/a.jpg ftp://b" },
    ];
    const { said } = await shell.run(importTable, [
      await shell.write("table.csv", csv(rows, Object.keys(rows[0]!))),
      ...OWNER,
      "--yes",
      "--mapping",
      await shell.write("mapping.json", JSON.stringify(mapping)),
    ]);

    expect(said).toContain("Published: 0 lost, 2 found.");
    expect(said).toContain("Line 2 (1): photo 1: A photo's URL must have a public host");
    expect(said).toContain("Line 3 (2): photo 1: A photo's URL must begin with https://.");
    expect(said).toContain("Line 3 (2): photo 2: A photo's URL must begin with https://.");
  } finally {
    shell.end();
  }
});
