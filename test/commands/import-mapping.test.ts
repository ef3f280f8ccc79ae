import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { organisation } from "../../src/commands/organisation.ts";
import { dateFormatProblem, parseDate } from "../../src/tables/date-format.ts";
import { LATEST } from "../support/make.ts";
import { openShell, type Shell } from "./shell.ts";
import { importing, LOST_DOG, OWNER } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

describe("places and ages", () => {
  test.each([
    ["SEATAC", "SeaTac"],
    ["LAKE FOREST PAR", "Lake Forest Park"],
  ])("%s is %s", async (written, city) => {
    await importing(shell, { ...LOST_DOG, City: written });

    expect((await shell.alerts())[0].city).toBe(city);
  });

  test.each([
    ["1 YEAR 7 MONTHS", "young"],
    ["8 ans", "senior"],
    ["NO AGE", "unknown"],
  ])("age %s is %s", async (written, age) => {
    await importing(shell, { ...LOST_DOG, Age: written });

    expect((await shell.alerts())[0].age).toBe(age);
  });

  test("coordinates outside the mapping's circle do not count", async () => {
    await importing(shell, {
      ...LOST_DOG,
      obfuscated_latitude: "7.5",
      obfuscated_longitude: "-12.2",
    });

    expect((await shell.alerts())[0]).toMatchObject({ city: "Kent", latitude: 47.38 });
  });
});

const OWN_MAPPING = {
  mapping: "tierheim",
  id: "Nr",
  type: "found",
  species: { column: "Art", values: { Hund: "dog", Katze: "cat", "*": "other" } },
  date: { column: "Datum", format: "DD.MM.YYYY" },
  country: "DE",
  city: ["Ort"],
  latitude: "Breite",
  longitude: "Länge",
  color: "Farbe",
  age: { column: "Alter" },
  custody: "shelter",
  description: "Text",
};

describe("a mapping of one's own", () => {
  const importWith = async (mapping: unknown, table: string, args: readonly string[] = []) => [
    await shell.write("table.csv", table),
    ...OWNER,
    "--yes",
    "--mapping",
    await shell.write("mapping.json", JSON.stringify(mapping)),
    ...args,
  ];

  test("reads other columns, semicolons, decimal commas and a byte order mark", async () => {
    const table =
      "\ufeffNr;Art;Datum;Ort;Breite;Länge;Farbe;Alter;Text\n" +
      "1;Hund;3.5.2024;Köln;50,94;6,96;Schwarz;2 Jahre;Sehr lieb; scheu\n".replace("; s", ", s") +
      "2;Igel;04.05.2024;BRÜHL;;;;;\n" +
      '3;Katze;05.05.2024;Köln;50,95;6,97;grau;9 Wochen;"Ruf an: 0221 4710815"\n';

    const { said } = await shell.run(importTable, await importWith(OWN_MAPPING, table));

    const [cat, hedgehog, dog] = await shell.alerts();
    expect(said).toContain("Published: 0 lost, 3 found.");
    expect(dog).toMatchObject({
      pet_type: "dog",
      color: "schwarz",
      age: "adult",
      city: "Köln",
      custody: "shelter",
      event_date: "2024-05-03",
      description: "Sehr lieb, scheu",
    });
    // Of the three towns of that name the one near the other rows.
    expect(hedgehog).toMatchObject({ pet_type: "other", breed: "Igel", city: "Brühl" });
    expect(hedgehog.latitude).toBeWithin(50.7, 50.9);
    expect(cat).toMatchObject({ age: "baby", description: "Ruf an: [removed]" });
  });

  test("reads landmarks and times of day, also behind a day; midnight behind a day is none", async () => {
    const table =
      "Nr;Art;Datum;Ort;Fundort;Uhrzeit\n1;Hund;03.05.2024;Köln;Stadtgarten;13:20\n" +
      "2;Hund;04.05.2024;Köln;-;04.05.2024 9:05\n3;Hund;05.05.2024;Köln;Zoo;05.05.2024 00:00\n" +
      "4;Hund;06.05.2024;Köln;Ruf an: 0221 4710815;mittags\n";
    const { mapping, id, type, species, date, country, city } = OWN_MAPPING;
    const few = { mapping, id, type, species, date, country, city };
    const more = { landmark: "Fundort", time: "Uhrzeit" };

    await shell.run(importTable, await importWith({ ...few, ...more }, table));

    const read = (await shell.alerts()).map(({ landmark, event_time }) => [landmark, event_time]);
    expect(read).toEqual([
      ["Ruf an: [removed]", null],
      ["Zoo", null],
      [null, "09:05"],
      ["Stadtgarten", "13:20"],
    ]);
  });

  test("counts chip numbers that cannot be read; the others are kept", async () => {
    const table =
      "Nr;Art;Datum;Ort;Chip\n1;Hund;03.05.2024;Köln;276 0981\n2;Hund;03.05.2024;Köln;276098100000001\n";
    const { mapping, id, type, species, date, country, city } = OWN_MAPPING;
    const few = { mapping, id, type, species, date, country, city, microchip: "Chip" };

    const { said } = await shell.run(importTable, await importWith(few, table));

    expect(said).toContain("1 chip number could not be read and will be left out (line 2).");
    const chips = await shell.look(async (app) =>
      (await app.store.unannouncedAlerts(9, LATEST)).map(({ chipHash }) => chipHash),
    );
    expect(chips.map((chip) => chip !== null)).toEqual([false, true]);
  });

  test("leads to the animals' pages at the shelter, and names the rows whose page is elsewhere", async () => {
    const table =
      "Nr;Art;Datum;Ort;Breite;Länge;Farbe;Alter;Text;Seite\n" +
      "1;Hund;03.05.2024;Köln;50,94;6,96;;;;https://tierheim.example/1\n" +
      "2;Hund;03.05.2024;Köln;50,94;6,96;;;;http://tierheim.example/2\n" +
      "3;Hund;03.05.2024;Köln;50,94;6,96;;;;\n";
    await shell.look(async () => {});
    const more = ["--name", "Tierheim", ...OWNER, "--page", "https://tierheim.example"];
    await shell.run(organisation, ["add", "tierheim", ...more]);
    const args = await importWith({ ...OWN_MAPPING, page: "Seite" }, table);
    const pages = () =>
      shell.look(async ({ store }) =>
        (await store.importedAlerts("import:tierheim:", null, 9)).map(
          ({ animalPage }) => animalPage,
        ),
      );
    const left =
      "1 alert has no link to the animal's page (line 3): its page is not a complete address that begins with https://.";

    const { said } = await shell.run(importTable, args);
    expect(said).toContain(left);
    expect(await pages()).toEqual(["https://tierheim.example/1", null, null]);

    const moved = table.replace("example/1", "example/one");
    const again = await importWith({ ...OWN_MAPPING, page: "Seite" }, moved, ["--sync", "--json"]);
    const { aside, written } = await shell.run(importTable, again);
    expect(aside).toContain(left);
    expect(JSON.parse(written.toString())).toMatchObject({
      updated: 1,
      pages_left_out: { "its page is not a complete address that begins with https://": 1 },
    });
    expect(await pages()).toEqual(["https://tierheim.example/one", null, null]);
  });

  test("without a circle or coordinates finds only towns that are alone with their name", async () => {
    const table =
      "Nr;Art;Datum;Ort;Breite;Länge;Farbe;Alter;Text\n" +
      "1;Hund;03.05.2024;Köln;;;;;\n" +
      "2;Hund;03.05.2024;Neustadt;;;;;\n";

    const { said } = await shell.run(importTable, await importWith(OWN_MAPPING, table));

    expect(said).toContain('several towns are called "Neustadt"');
    expect((await shell.alerts()).map(({ city }) => city)).toEqual(["Köln"]);
  });

  test.each([
    [{ colour: "Farbe" }, "colour is not a known key"],
    [
      { type: { column: "Art", values: { Hund: "gone" } } },
      'type.values.Hund must be lost, found or {"skip"',
    ],
    [
      { date: { column: "Datum", format: "DD.MM" } },
      "date.format must hold a year (YYYY or YY), a month",
    ],
    [{ mapping: "My shelter" }, "mapping must be 1 to 40 lower-case letters"],
    [{ id: undefined }, "id is missing"],
    [{ size: { column: "Art", values: { "Dead *": "tiny" } } }, 'size.values."Dead *" must be one'],
    [{ near: { lat: 50, lng: 200, radiusKm: 10 } }, ": near.lng must be at most 180"],
  ])("that is wrong in %p is refused with the key", async (wrong, words) => {
    const mapping = { ...OWN_MAPPING, ...wrong };
    const sentence = await shell.failing(
      importTable,
      await importWith(mapping, "Nr;Art\n1;Hund\n"),
    );
    expect(sentence).toContain("mapping.json is not valid");
    expect(sentence).toContain(words);
  });

  test("that names other columns than the table has is refused with both", async () => {
    const sentence = await shell.failing(
      importTable,
      await importWith(OWN_MAPPING, "Nr;Art;Datum\n1;Hund;1.1.2024\n"),
    );
    expect(sentence).toContain('The table has no column "Ort", "Breite"');
    expect(sentence).toContain("Its columns are: Nr, Art, Datum.");
  });
});

describe("a date", () => {
  test.each([
    ["3.5.2024", "DD.MM.YYYY", "2024-05-03"],
    ["2024-05-03T10:30:00.000Z", "YYYY-MM-DD", "2024-05-03"],
    ["05/03/24 1:20 PM", "MM/DD/YY", "2024-05-03"],
    ["3-May-24", "DD-MMM-YY", "2024-05-03"],
    ["May 3, 2024", "MMM DD, YYYY", "2024-05-03"],
    ["3 août 2024", "DD MMM YYYY", "2024-08-03"],
    ["3 de enero de 2024", "DD de MMM de YYYY", "2024-01-03"],
  ])("%s in the format %s is %s", (text, format, date) => {
    expect(dateFormatProblem(format)).toBeNull();
    expect(parseDate(text, format)).toBe(date);
  });

  test.each([
    ["30.02.2024", "DD.MM.YYYY"],
    ["3 jui 2024", "DD MMM YYYY"],
    ["05/03/2024", "MM/DD/YY"],
    ["200111", "YYYYMMDD"],
  ])("%s in the format %s is none", (text, format) => {
    expect(parseDate(text, format)).toBeNull();
  });

  test("with two digits of the year lies in the last century if it would be after the day", () => {
    expect(parseDate("01/31/18", "MM/DD/YY", "2024-03-01")).toBe("2018-01-31");
    expect(parseDate("01/31/98", "MM/DD/YY", "2024-03-01")).toBe("1998-01-31");
  });
});

test.each(["DD.MM", "dd/mm/yyyy", "MM/DD/YYYY hh:mm", "DD.MM.YYYY DD", "YYYY YY-MM-DD"])(
  "the format %s cannot be read",
  (format) => {
    expect(dateFormatProblem(format)).not.toBeNull();
  },
);
