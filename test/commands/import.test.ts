import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { demo } from "../../src/commands/demo.ts";
import { importTable } from "../../src/commands/import.ts";
import { get, openShell, type Shell } from "./shell.ts";
import { bytesIn } from "../support/disk.ts";
import { FROM_SOURCES, run } from "../support/process.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

/** The columns of the King County export. */
const COLUMNS =
  "impound_no,Animal_ID,Data_Source,Record_Type,Current_Location,Animal_Name,animal_type,Age,Animal_Gender,Animal_Breed,Animal_Color,Date,Date_Type,Obfuscated_Address,City,State,Zip,jurisdiction,obfuscated_latitude,obfuscated_longitude,location_for_map,Memo".split(
    ",",
  );

const LOST_DOG = {
  impound_no: "X1",
  Record_Type: "LOST",
  Current_Location: "LOST",
  Animal_Name: "ROVER",
  animal_type: "Dog",
  Animal_Gender: "Neutered Male",
  Animal_Breed: "Pit Bull / Mix",
  Animal_Color: "Brn Tabby / White",
  Date: "02/13/2017 12:00:00 AM",
  Obfuscated_Address: "4711 SECRET AVE SE",
  City: "KENT",
  State: "WA",
};
const FOUND_CAT = {
  ...LOST_DOG,
  impound_no: "X2",
  Record_Type: "FOUND",
  Current_Location: "In Public Home",
  Animal_Name: "",
  animal_type: "Cat",
  Age: "7 WEEKS",
  Animal_Gender: "Spayed Female",
  Animal_Breed: "DOMESTIC SHORTHAIR",
  Animal_Color: "Tortie Pt / Unknown",
  City: "",
  obfuscated_latitude: "47.597108",
  obfuscated_longitude: "-122.171348",
  location_for_map: "4711 SECRET AVE SE\nBELLEVUE, WA",
};

function csv(rows: readonly Readonly<Record<string, string>>[], columns = COLUMNS): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [
    columns.join(","),
    ...rows.map((row) => columns.map((column) => quoted(row[column] ?? "")).join(",")),
  ].join("\n");
}

const tableOf = (...rows: Readonly<Record<string, string>>[]) =>
  shell.write("table.csv", csv(rows));
const OWNER = ["--email", "shelter@example.org"];
const importing = async (...rows: Readonly<Record<string, string>>[]) =>
  shell.run(importTable, [await tableOf(...rows), ...OWNER, "--yes"]);

describe("a shelter's table", () => {
  test("becomes alerts in our words, by the mapping its header fits", async () => {
    const { code, said } = await importing(LOST_DOG, FOUND_CAT);

    const [cat, dog] = await shell.alerts();
    expect(code).toBe(0);
    expect(said).toContain("Published: 1 lost, 1 found.");
    expect(dog).toMatchObject({
      alert_type: "lost",
      pet_type: "dog",
      pet_name: "Rover",
      breed: "Pit Bull mix",
      color: "brown tabby / white",
      sex: "male",
      age: "unknown",
      custody: null,
      event_date: "2017-02-13",
      city: "Kent",
      country_code: "US",
      latitude: 47.38,
      longitude: -122.23,
    });
    expect(cat).toMatchObject({
      alert_type: "found",
      pet_type: "cat",
      pet_name: null,
      breed: "Domestic Shorthair",
      color: "tortoiseshell point",
      sex: "female",
      age: "baby",
      custody: "finder",
      city: "Bellevue",
      latitude: 47.6,
      longitude: -122.17,
    });
  });

  test("asks once, and publishes nothing without a yes", async () => {
    const table = await tableOf(LOST_DOG, FOUND_CAT);

    const no = await shell.run(importTable, [table, ...OWNER], { answer: "" });
    const alertsThen = await shell.alerts();
    const yes = await shell.run(importTable, [table, ...OWNER], { answer: "y" });

    expect(no.asked).toEqual(["Publish 1 lost and 1 found animal as shelter@example.org? [y/N]"]);
    expect(no.code).toBe(1);
    expect(alertsThen).toEqual([]);
    expect(yes.code).toBe(0);
    expect(await shell.alerts()).toHaveLength(2);
  });

  test("needs --yes where nobody can be asked", async () => {
    const sentence = await shell.failing(importTable, [await tableOf(LOST_DOG), ...OWNER]);

    expect(sentence).toContain("add --yes");
    expect(await shell.alerts()).toEqual([]);
  });

  test("is not published once the operator stopped it", async () => {
    const args = [await tableOf(LOST_DOG), ...OWNER, "--yes"];

    const { code, said } = await shell.run(importTable, args, { stopped: AbortSignal.abort() });

    expect(code).toBe(1);
    expect(said).toContain("Nothing was published.");
    expect(await shell.alerts()).toEqual([]);
  });

  test("imported again changes nothing; a new row is added", async () => {
    await importing(LOST_DOG);

    const again = await importing(LOST_DOG);
    const withMore = await importing(LOST_DOG, FOUND_CAT);

    expect(again.code).toBe(0);
    expect(again.said).toContain("There is nothing new to publish.");
    expect(again.said).toContain("Already there, left as they are: 1.");
    expect(withMore.said).toContain("Published: 0 lost, 1 found.");
    expect(await shell.alerts()).toHaveLength(2);
  });

  test("counts what is there already as that, before anything is asked", async () => {
    await importing(LOST_DOG);
    const table = await tableOf(LOST_DOG, FOUND_CAT);

    const dry = await shell.run(importTable, [table, ...OWNER, "--dry-run"]);
    const asked = await shell.run(importTable, [table, ...OWNER], { answer: "n" });

    expect(dry.said).toContain("Would publish 0 lost and 1 found animal as");
    expect(dry.said).toContain("Already there, left as they are: 1.");
    expect(asked.asked).toEqual([
      "Publish 0 lost and 1 found animal as shelter@example.org? [y/N]",
    ]);
  });

  test("does not bring back what its owner removed", async () => {
    await importing(LOST_DOG);
    await shell.look(async ({ store, clock }) => {
      await store.removeAlert((await store.unannounced(1))[0]!.id, clock());
    });

    expect((await importing(LOST_DOG)).said).toContain("There is nothing new to publish.");
  });

  test("is read from a day on with --since; what is older is counted", async () => {
    const old = { ...LOST_DOG, impound_no: "X3", Date: "02/12/2017" };
    const args = [await tableOf(LOST_DOG, FOUND_CAT, old), ...OWNER, "--since", "2017-02-13"];

    const { said } = await shell.run(importTable, [...args, "--yes"]);

    expect(said).toContain("Published: 1 lost, 1 found.");
    expect(said).toContain("Skipped: 1 (1 older than 2017-02-13).");
  });

  test("says before it asks how many animals are older than 90 days", async () => {
    const dayBefore = (days: number) =>
      new Date(Date.now() - days * 86_400_000)
        .toISOString()
        .replace(/^(....)-(..)-(..).*/, "$2/$3/$1");
    const young = { ...LOST_DOG, Date: dayBefore(89) };
    const old = { ...FOUND_CAT, Date: dayBefore(92) };

    const both = await shell.run(importTable, [await tableOf(young, old), ...OWNER, "--dry-run"]);
    const one = await shell.run(importTable, [await tableOf(young), ...OWNER, "--dry-run"]);

    expect(both.said).toStartWith("1 animal was lost or found more than 90 days ago");
    expect(both.said).toMatch(/--since \d{4}-\d\d-\d\d leaves them out/);
    expect(one.said).not.toContain("90 days");
  });

  test("leaves out what the mapping skips, and counts it by reason", async () => {
    const { said } = await importing(
      LOST_DOG,
      { ...FOUND_CAT, impound_no: "X3", Record_Type: "ADOPTABLE" },
      { ...FOUND_CAT, impound_no: "X4", animal_type: "Dead Cat" },
      { ...FOUND_CAT, impound_no: "X5", animal_type: "DEAD GOAT" },
    );

    expect(said).toContain("Skipped: 3 (1 adoptable, 2 dead).");
    expect(await shell.alerts()).toHaveLength(1);
  });

  test("with --dry-run is only looked at", async () => {
    const links = join(shell.folder, "links.csv");
    const args = [await tableOf(LOST_DOG), ...OWNER, "--dry-run", "--links", links];

    const { code, said, asked } = await shell.run(importTable, args);

    expect(code).toBe(0);
    expect(said).toContain("Would publish 1 lost and 0 found animals");
    expect(asked).toEqual([]);
    expect(await shell.alerts()).toEqual([]);
    expect(readdirSync(shell.folder)).not.toContain("links.csv");
  });

  test("leaves no street address in the data folder", async () => {
    await importing(LOST_DOG, FOUND_CAT);

    expect(bytesIn(shell.dataDir)).not.toContain("SECRET AVE");
  });

  test("is cleaned of contact details, as everything published is", async () => {
    const { said } = await importing({ ...LOST_DOG, Animal_Name: "Rex 206-555-0142" });

    const [alert] = await shell.alerts();
    expect(alert.pet_name).toBe("Rex [removed]");
    expect(said).toContain("Contact details were taken out of the text of 1.");
  });

  test("waits to be told to the zones around, and belongs to the address given", async () => {
    await importing(LOST_DOG);

    const [alert] = await shell.look((app) => app.store.unannounced(10));
    expect(alert).toMatchObject({ ownerEmail: "shelter@example.org", language: "en" });
  });
});

describe("rows that cannot be published", () => {
  const refusal = async (about: Readonly<Record<string, string>>) => {
    const { said } = await importing(FOUND_CAT, { ...LOST_DOG, ...about });
    return said.split("\n").find((line) => line.startsWith("Line "));
  };

  test("are told with the line they begin in, also after quoted line breaks", async () => {
    const { said } = await importing(
      FOUND_CAT,
      { ...LOST_DOG, City: "", location_for_map: "\nA\nB" },
      { ...LOST_DOG, impound_no: "X9", Record_Type: "SIGHTED" },
    );

    expect(said).toContain("Line 4 (X1): no coordinates and no town.");
    expect(said).toContain(
      'Line 7 (X9): Record_Type is "SIGHTED", which the mapping does not know.',
    );
    expect(said).toContain("Refused: 2.");
  });

  test("keep their line numbers where lines end with CR LF", async () => {
    const text = csv([FOUND_CAT, { ...LOST_DOG, City: "" }]).replaceAll("\n", "\r\n");
    const table = await shell.write("table.csv", text);

    const { said } = await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect(said).toContain("Line 4 (X1): ");
  });

  test.each([
    [{ Date: "13.02.2017" }, 'Date is "13.02.2017", not a day as MM/DD/YYYY'],
    [{ Date: "02/30/2017" }, 'Date is "02/30/2017", not a day'],
    [{ Date: "02/03/1999" }, "Line 4 (X1): Date must not be before 2000-01-01"],
    [{ Date: "02/03/2999" }, "Date must not lie in the future"],
    [{ impound_no: "" }, "Line 4: it has no number: impound_no is empty."],
    [{ impound_no: "x".repeat(101) }, "impound_no must have at most 100 characters"],
    [{ impound_no: "X2" }, "Line 4 (X2): its impound_no stands in line 2 already"],
    [{ Animal_Name: "x".repeat(61) }, "Line 4 (X1): Animal_Name must have at most 60 characters"],
    [{ City: "NOWHERETON" }, 'no town "NOWHERETON" is known there'],
    [{ City: "LYNWOOD" }, "(perhaps Lynnwood)"],
    [{ City: "MIL" }, 'no town "MIL" is known there'],
  ])("because of %p are refused with the reason", async (about, reason) => {
    expect(await refusal(about)).toContain(reason);
  });

  test("by their number of fields are refused", async () => {
    const table = await shell.write("table.csv", `${csv([FOUND_CAT])}\nX7,too,few`);

    const { code, said } = await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect(code).toBe(0);
    expect(said).toContain("Line 4: it has 19 fields too few.");
  });

  test("make the command fail where there is no other row", async () => {
    const { code, said } = await importing({ ...LOST_DOG, City: "" });

    expect(code).toBe(1);
    expect(said).toContain("There is nothing to publish.");
  });
});

describe("places and ages", () => {
  test.each([
    ["SEATAC", "SeaTac"],
    ["FEDERAL WAY", "Federal Way"],
    ["LAKE FOREST PAR", "Lake Forest Park"],
  ])("%s is %s", async (written, city) => {
    await importing({ ...LOST_DOG, City: written });

    expect((await shell.alerts())[0].city).toBe(city);
  });

  test.each([
    ["1 YEAR 7 MONTHS", "young"],
    ["3 wks", "baby"],
    ["8 ans", "senior"],
    ["NO AGE", "unknown"],
    ["2 dogs", "unknown"],
  ])("age %s is %s", async (written, age) => {
    await importing({ ...LOST_DOG, Age: written });

    expect((await shell.alerts())[0].age).toBe(age);
  });

  test("coordinates outside the mapping's circle do not count", async () => {
    await importing({ ...LOST_DOG, obfuscated_latitude: "7.5", obfuscated_longitude: "-12.2" });

    expect((await shell.alerts())[0]).toMatchObject({ city: "Kent", latitude: 47.38 });
  });
});

describe("characters that steer a terminal", () => {
  const STEERING = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e";

  test("are shown, not sent, wherever text of the table is told", async () => {
    const { said } = await importing(
      { ...LOST_DOG, impound_no: `${STEERING}A`, Record_Type: "LOST", Date: `${STEERING}` },
      { ...LOST_DOG, impound_no: "B\nPublished: 9,000 lost", Date: "" },
    );

    expect(said).toContain("\\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{9b}31m\\u{202e}");
    expect(said).toContain("(B\\u{a}Published: 9,000 lost)");
    expect(said).not.toMatch(/[\p{Cc}\p{Bidi_Control}](?<!\n)/u);
  });

  test("are shown in the sentence about a table that cannot be read, too", async () => {
    const columns = [`${STEERING}a`, "b\nc"];
    const odd = await shell.write(
      "odd.csv",
      csv(
        [],
        columns.map((one) => `"${one}"`),
      ),
    );
    const twice = await shell.write("twice.csv", `"${STEERING}",b,"${STEERING}"\n`);

    for (const table of [odd, twice]) {
      const sentence = await shell.failing(importTable, [table, ...OWNER, "--yes"]);

      expect(sentence).toContain("\\u{1b}]0;owned");
      expect(sentence).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  test("never reach the terminal, whatever the program says", async () => {
    const { errors } = await run(FROM_SOURCES, ["import", `${STEERING}.csv`, ...OWNER]);

    expect(errors).toBe(
      "There is no file \\u{1b}]0;owned\\u{7}\\u{1b}[2J\\u{9b}31m\\u{202e}.csv.\n",
    );
  });
});

describe("the links file", () => {
  test("holds the page and manage link of each new alert, for its owner's eyes", async () => {
    const links = join(shell.folder, "links.csv");
    const table = await tableOf(LOST_DOG, FOUND_CAT);
    await shell.run(importTable, [table, ...OWNER, "--yes", "--links", links]);

    const [header, dog] = readFileSync(links, "utf8").split("\r\n");
    expect(statSync(links).mode & 0o777).toBe(0o600);
    expect(header).toBe("external_id,page,manage_link");
    const [id, page, manage] = dog!.split(",");
    expect(id).toBe("X1");
    await shell.look(async (app) => {
      expect((await get(app, page!)).status).toBe(200);
      expect((await get(app, manage!)).status).toBe(200);
    });
  });

  test.each(["=HYPERLINK(1)", "+1", "-2", "@SUM(1)", "＝1"])(
    "tells a spreadsheet that a number it would carry out is text: %j",
    async (impound_no) => {
      const links = join(shell.folder, "links.csv");
      const table = await tableOf({ ...LOST_DOG, impound_no });

      await shell.run(importTable, [table, ...OWNER, "--yes", "--links", links]);

      const [, dog] = readFileSync(links, "utf8").split("\r\n");
      expect(dog).toStartWith(`'${impound_no},http`);
    },
  );

  test("is announced with the address its links begin with, and a warning where that is not set", async () => {
    const links = join(shell.folder, "links.csv");
    const args = [await tableOf(LOST_DOG), ...OWNER, "--dry-run", "--links", links];

    const unset = await shell.run(importTable, args, { settings: { PORT: "8080" } });
    const settings = { BASE_URL: "https://pets.example.org" };
    const set = await shell.run(importTable, args, { settings });

    expect(unset.said).toContain("links.csv begin with http://localhost:8080.");
    expect(unset.said).toContain("BASE_URL is not set");
    expect(set.said).toContain("links.csv begin with https://pets.example.org.");
    expect(set.said).not.toContain("BASE_URL is not set");
  });

  test("is never written over, and not left where nothing was published", async () => {
    const links = await shell.write("links.csv", "kept");
    const table = await tableOf(LOST_DOG);

    const args = [table, ...OWNER, "--yes", "--links"];
    expect(await shell.failing(importTable, [...args, links])).toContain("is there already");
    expect(await shell.alerts()).toEqual([]);

    await importing(LOST_DOG);
    const again = await shell.run(importTable, [...args, join(shell.folder, "none.csv")]);
    expect(again.said).toContain("No file of links was written: nothing new was published.");
    expect(readFileSync(links, "utf8")).toBe("kept");
    expect(readdirSync(shell.folder)).not.toContain("none.csv");
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

  test("counts chip numbers that cannot be read; the others are kept", async () => {
    const table =
      "Nr;Art;Datum;Ort;Chip\n1;Hund;03.05.2024;Köln;276 0981\n2;Hund;03.05.2024;Köln;276098100000001\n";
    const { mapping, id, type, species, date, country, city } = OWN_MAPPING;
    const few = { mapping, id, type, species, date, country, city, microchip: "Chip" };

    const { said } = await shell.run(importTable, await importWith(few, table));

    expect(said).toContain("1 chip number could not be read, and will be left out (line 2).");
    const chips = await shell.look(async (app) =>
      (await app.store.unannounced(9)).map(({ chipHash }) => chipHash),
    );
    expect(chips.map((chip) => chip !== null)).toEqual([false, true]);
  });

  test("without a circle or coordinates finds only towns that are alone with their name", async () => {
    const table =
      "Nr;Art;Datum;Ort;Breite;Länge;Farbe;Alter;Text\n" +
      "1;Hund;03.05.2024;Köln;;;;;\n" +
      "2;Hund;03.05.2024;Neustadt;;;;;\n";

    const { said } = await shell.run(importTable, await importWith(OWN_MAPPING, table));

    expect(said).toContain('there are several towns called "Neustadt"');
    expect((await shell.alerts()).map(({ city }) => city)).toEqual(["Köln"]);
  });

  test.each([
    [{ colour: "Farbe" }, "colour is not a known key"],
    [
      { type: { column: "Art", values: { Hund: "gone" } } },
      'type.values.Hund must be lost, found or {"skip"',
    ],
    [{ date: { column: "Datum", format: "DD.MM" } }, "date.format must hold YYYY, MM and DD"],
    [{ country: "Germany" }, ": country must be two capitals"],
    [{ mapping: "My shelter" }, "mapping must be 1 to 40 lower-case letters"],
    [{ id: undefined }, "id is missing"],
    [{ id: 7 }, "id must be a text"],
    [{ id: "" }, "id must not be empty"],
    [{ type: undefined }, ": type is missing"],
    [{ type: "gone" }, ': type must be lost, found or {"skip"'],
    [{ type: { values: { Hund: "lost" } } }, "type.column is missing"],
    [{ size: { column: "Art", values: { "Dead *": "tiny" } } }, 'size.values."Dead *" must be one'],
    [{ near: { lat: 50, lng: 200, radiusKm: 10 } }, ": near.lng must be at most 180"],
    [{ near: { lat: 50, lng: 20, radiusKm: 0 } }, "near.radiusKm must be more than 0"],
    [{ near: { lat: 50, lng: 20 } }, "near.radiusKm is missing"],
    [{ near: { lat: 50, lng: 20, radiusKm: 9, km: 9 } }, "near.km is not a known key"],
    [{ city: "Ort" }, "city must be a list"],
    [{ date: "Datum" }, "date must be an object"],
  ])("that is wrong in %p is refused with the key", async (wrong, words) => {
    const mapping = { ...OWN_MAPPING, ...wrong };
    const sentence = await shell.failing(
      importTable,
      await importWith(mapping, "Nr;Art\n1;Hund\n"),
    );
    expect(sentence).toContain("mapping.json cannot be used");
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

  test("that is not there, or not JSON, is refused", async () => {
    const table = await tableOf(LOST_DOG);
    const broken = await shell.write("broken.json", "{");

    const nowhere = await shell.failing(importTable, [table, ...OWNER, "--mapping", "nowhere"]);
    const notJson = await shell.failing(importTable, [table, ...OWNER, "--mapping", broken]);

    expect(nowhere).toContain("neither an included one (king-county) nor a file");
    expect(notJson).toContain("is not JSON");
  });
});

describe("files that are no table are refused in a sentence:", () => {
  const sentenceFor = async (content: string | Uint8Array) =>
    shell.failing(importTable, [await shell.write("table.csv", content), ...OWNER, "--yes"]);
  const latin1 = () =>
    Buffer.from(csv([LOST_DOG, { ...LOST_DOG, impound_no: "X3", Animal_Name: "Zoë" }]), "latin1");

  test.each([
    ["an empty one", "", "is empty"],
    ["one that is not CSV", "hello\nworld\n", "does not look like a table"],
    [
      "an unknown header",
      "a,b\n1,2\n",
      "No included mapping fits the columns of this table (a, b)",
    ],
    ["a workbook", Uint8Array.of(0x50, 0x4b, 3, 4), "is a workbook or an archive"],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x61, 0), "is not a CSV file in UTF-8"],
    ["columns twice", `${COLUMNS.join(",")},DATE\n`, 'has two columns called "DATE"'],
    ["an open quote", `${csv([LOST_DOG])}\n"X2,LOST`, "a quote that opens in line 3 or after it"],
    ["a stray quote", `${csv([LOST_DOG])}\nX2,"a"b"`, "a quote stands inside a field"],
  ])("%s", async (_, content, words) => {
    expect(await sentenceFor(content)).toContain(words);
  });

  test("Latin-1, before anything is published", async () => {
    expect(await sentenceFor(latin1())).toContain("is not in UTF-8, perhaps in Latin-1");
    expect(await shell.alerts()).toEqual([]);
  });

  test("one of more than 200 MB", async () => {
    const path = await shell.write("table.csv", csv([LOST_DOG]));
    truncateSync(path, 200 * 1024 * 1024 + 1);

    expect(await shell.failing(importTable, [path, ...OWNER])).toContain("larger than 200 MB");
  });

  test("one that is not there, and a folder", async () => {
    const nothing = await shell.failing(importTable, ["/nowhere.csv", ...OWNER]);
    const folder = await shell.failing(importTable, [shell.folder, ...OWNER]);

    expect(nothing).toBe("There is no file /nowhere.csv.");
    expect(folder).toContain("is not a file");
  });
});

test.each([
  [[], "import takes one file"],
  [["a.csv"], "import needs --email"],
  [["a.csv", "--email", "nobody"], '--email must be one address, not "nobody"'],
  [["a.csv", ...OWNER, "--language", "it"], "--language must be one of en, fr, es, de"],
  [["a.csv", ...OWNER, "--since", "13.02.2017"], "--since must be a day, such as 2026-11-21"],
  [["a.csv", ...OWNER, "--force"], "Usage: pet-alert import"],
])("import %p is refused in words", async (args, words) => {
  expect(await shell.failing(importTable, args)).toContain(words);
});

test.each([importTable, demo])(
  "--help of $name names what the addresses it gives depend on",
  ({ help }) => {
    for (const setting of ["DATA_DIR", "BASE_URL", "PORT"]) expect(help).toContain(setting);
  },
);
