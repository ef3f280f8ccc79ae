import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { openShell, type Shell } from "./shell.ts";
import { csv, LOST_DOG, OWNER, tableOf } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

const MAPPING = {
  mapping: "kennel",
  id: "No",
  type: "found",
  species: { column: "Kind", values: { DOG: "dog", CAT: "cat", "*": "other" } },
  date: { column: "In", format: "MM/DD/YYYY" },
  country: "US",
  city: ["Town"],
  near: { lat: 47.5, lng: -122, radiusKm: 90 },
};
const ROW = { No: "1", Kind: "DOG", In: "03/01/2024", Town: "KENT" };
type Row = Readonly<Record<string, string>>;

/** Arguments that import rows by the mapping with changes. */
async function args(rows: readonly Row[], changes: object = {}): Promise<string[]> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    await shell.write("table.csv", csv(rows, columns)),
    ...OWNER,
    "--yes",
    "--mapping",
    await shell.write("mapping.json", JSON.stringify({ ...MAPPING, ...changes })),
  ];
}

/** Imports rows; gives what the command printed. */
async function imports(rows: readonly Row[], changes: object = {}, more: readonly string[] = []) {
  return (await shell.run(importTable, [...(await args(rows, changes)), ...more])).said;
}

describe("the number at the shelter", () => {
  test("is the last line of the description, in the language of the shelter", async () => {
    const rows = [{ ...ROW, Tag: "K24-047892", Notes: "Shy" }];

    await imports(rows, { number: "Tag", description: "Notes" }, ["--language", "de"]);

    expect((await shell.alerts())[0].description).toBe("Shy\nNummer im Tierheim: K24-047892");
  });
});

test("an animal that is neither dog, cat nor bird is named with its breed", async () => {
  const rows = [
    { ...ROW, Kind: "RABBIT", Breed: "DWARF" },
    { ...ROW, No: "2", Kind: "RABBIT", Breed: "Rabbit, lop" },
    { ...ROW, No: "3", Kind: "OTHER", Breed: "FERRET" },
    { ...ROW, No: "4", Kind: "FERRET", Breed: "" },
    { ...ROW, No: "5", Kind: "DOG", Breed: "HUSKY" },
  ];

  await imports(rows, { breed: "Breed" });

  const breeds = (await shell.alerts()).map(({ breed }) => breed);
  expect(breeds.reverse()).toEqual(["Rabbit, Dwarf", "Rabbit, lop", "Ferret", "Ferret", "Husky"]);
});

describe("conditions", () => {
  test("publish only strays without an outcome; the rest is counted by its reason", async () => {
    const rows = [
      { ...ROW, Why: "STRAY", Out: "" },
      { ...ROW, No: "2", Why: "Stray at large", Out: "" },
      { ...ROW, No: "3", Why: "OWNER SURRENDER", Out: "" },
      { ...ROW, No: "4", Why: "STRAY", Out: "EUTHANIZE" },
    ];
    const where = [
      { column: "Why", is: ["stray*"], skip: "not strays" },
      { column: "Out", is: [""] },
    ];

    const said = await imports(rows, { where });

    expect(said).toContain("Published: 0 lost, 2 found.");
    expect(said).toContain("Skipped: 2 (1 not strays, 1 not wanted by Out).");
  });

  test.each([
    [{ column: "Town" }, 'where.0 must have either "is" or "not"'],
    [{ column: "Town", is: [], skip: "x" }, "where.0.is"],
    [{ column: "Nowhere", is: [""] }, 'The table has no column "Nowhere"'],
  ])("that cannot be read as %p are refused", async (condition, words) => {
    const sentence = await shell.failing(importTable, await args([ROW], { where: [condition] }));

    expect(sentence).toContain(words);
  });
});

describe("places", () => {
  test.each([
    [{ coordinates: "Where" }, "98005(47.6097108, -122.1712153)", "Bellevue"],
    [{ coordinates: "Where" }, "POINT (-122.17 47.61)", "Bellevue"],
    [{ postcode: "Where" }, "98005-1234", "Bellevue"],
    [{ place: "Bellevue" }, "", "Bellevue"],
    [{ place: { column: "Where", values: { N: "Bellevue", "*": "Kent" } } }, "N", "Bellevue"],
    [{ city: ["Where"] }, "100 BLK KENT AVE, BELLEVUE, WA 98005", "Bellevue"],
    [{ city: ["Where"] }, "12 Bellevue Way, Renton", "Renton"],
    [{ city: ["Where"], place: "Kent" }, "BELLEVUE WAY", "Kent"],
  ])("%j reads %p as %s", async (changes, Where, city) => {
    const said = await imports([{ ...ROW, Town: "", Where }], changes);

    expect(said).toContain("Published: 0 lost, 1 found.");
    expect((await shell.alerts())[0].city).toBe(city);
  });

  test("of last resort are counted, and take no animal whose own place is known", async () => {
    const said = await imports([ROW, { ...ROW, No: "2", Town: "COUNTY" }], { place: "Bellevue" });

    expect(said).toContain('1 animal has no known place and will be put at "place".');
    expect(said).toContain('Line 3 (2): no coordinates, and there is no town "COUNTY"');
    expect((await shell.alerts()).map(({ city }) => city)).toEqual(["Bellevue", "Kent"]);
  });

  test("of last resort can be given with the command, as a town or a position", async () => {
    const rows = [{ ...ROW, Town: "" }];
    await imports(rows, { near: undefined }, ["--place", "Kent, Washington"]);
    await imports(rows, { mapping: "other" }, ["--place", "47.6,-122.17"]);

    expect((await shell.alerts()).map(({ city }) => city)).toEqual(["Bellevue", "Kent"]);
  });

  test("of last resort that nobody knows stop the import before the first row", async () => {
    const sentence = await shell.failing(importTable, await args([ROW], { place: "Nowherium" }));

    expect(sentence).toContain('The place "Nowherium", for rows without one, is not known');
    expect(await shell.alerts()).toEqual([]);
  });

  test("misspelt are refused with the town that may be meant, which --accept-towns takes", async () => {
    const rows = [{ ...ROW, Town: "LYNWOOD" }];

    const refused = await shell.run(importTable, await args(rows));
    const taken = await imports(rows, {}, ["--accept-towns"]);

    expect(refused.said).toContain("did you mean Lynnwood?");
    expect(taken).toContain("Published: 0 lost, 1 found.");
  });

  test("misspelt are named where they are put at the place of last resort", async () => {
    const row = { ...ROW, Town: "LYNWOOD" };
    const table = await args([row, { ...row, No: "2", Town: "" }], { place: "Kent" });

    const { said } = await shell.run(importTable, [...table, "--dry-run"]);
    const synced = await shell.run(importTable, [...table, "--sync"]);
    const accepted = await shell.run(importTable, [...table, "--sync", "--accept-towns"]);

    for (const text of [said, synced.said]) {
      expect(text).toContain('2 animals have no known place and will be put at "place".');
      expect(text).toContain('there is no town "LYNWOOD" (did you mean Lynnwood?).');
      expect(text).toContain("--accept-towns");
    }
    expect(accepted.said).toContain('1 animal has no known place and will be put at "place".');
    expect(accepted.said).not.toContain("LYNWOOD");
  });
});

describe("an animal", () => {
  test.each([
    ["02/01/2024", "baby"],
    ["03/01/2020", "adult"],
    ["03/02/2024", "unknown"],
    ["", "unknown"],
  ])("found on 1 March 2024 and born on %p is %s", async (Born, age) => {
    await imports([{ ...ROW, Born }], { birthDate: { column: "Born", format: "MM/DD/YYYY" } });

    expect((await shell.alerts())[0].age).toBe(age);
  });

  test("keeps its own name; those by staff are left out", async () => {
    const rows = [
      { ...ROW, Name: "*BELLA" },
      { ...ROW, No: "2", Name: "REX" },
    ];
    await imports(rows, { name: "Name", staffNames: "*" });
    await imports(rows, { name: "Name", staffNames: "found", mapping: "other" });

    const names = (await shell.alerts()).map(({ pet_name }) => pet_name);
    expect(names).toEqual([null, null, "Rex", null]);
  });

  test("has its breed and colours written out", async () => {
    await imports([{ ...ROW, Breed: "GERM SHEPHERD/MIX", Color: "BLK / WHT" }], {
      breed: "Breed",
      breedWords: { Germ: "German" },
      color: "Color",
      colorWords: { Blk: "black", wht: "white" },
    });

    expect((await shell.alerts())[0]).toMatchObject({
      breed: "German Shepherd mix",
      color: "black / white",
    });
  });
});

describe("a JSON list", () => {
  test("is read as a table: keys are columns, null is empty", async () => {
    const list = [{ ...ROW, No: 7, Town: null }, { ...ROW }];
    const [, ...rest] = await args([ROW], { place: "Bellevue" });
    const table = await shell.write("table.json", JSON.stringify(list));

    const { said } = await shell.run(importTable, [table, ...rest]);

    expect(said).toContain("Published: 0 lost, 2 found.");
  });

  test.each([[{ lat: 47.61, lon: -122.17 }], [{ type: "Point", coordinates: [-122.17, 47.61] }]])(
    "may hold positions as %j",
    async (Where) => {
      const [, ...rest] = await args([{ ...ROW, Where: "" }], { coordinates: "Where" });
      const table = await shell.write("table.json", JSON.stringify([{ ...ROW, Town: "", Where }]));

      await shell.run(importTable, [table, ...rest]);

      expect((await shell.alerts())[0].city).toBe("Bellevue");
    },
  );

  test.each([
    ['[{"No": 1}', "is not valid JSON: it may have been cut off"],
    ["[{}, 3]", "is JSON, but not a list of objects"],
  ])("%p is refused", async (text, words) => {
    const [, ...rest] = await args([ROW]);
    const table = await shell.write("table.json", text);

    expect(await shell.failing(importTable, [table, ...rest])).toContain(words);
  });
});

test("the header that fits no mapping names --suggest", async () => {
  const table = await tableOf(shell, LOST_DOG);
  await Bun.write(table, "No,Kind\n1,DOG\n");

  expect(await shell.failing(importTable, [table, ...OWNER])).toContain("import --suggest FILE");
});
