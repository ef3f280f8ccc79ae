import { afterEach, beforeEach, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { openShell, type Shell } from "./shell.ts";
import { csv, OWNER } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

type Row = Readonly<Record<string, unknown>>;

/** Imports rows as JSON or as CSV, and gives what the command said. */
async function imported(rows: readonly Row[], ...more: readonly string[]): Promise<string> {
  const isJson = Object.values(rows[0]!).some((value) => typeof value !== "string");
  const table = isJson
    ? await shell.write("table.json", JSON.stringify(rows))
    : await shell.write(
        "table.csv",
        csv(rows as readonly Record<string, string>[], Object.keys(rows[0]!)),
      );
  return (await shell.run(importTable, [table, ...OWNER, "--yes", ...more])).said;
}

const ASM3 = {
  SPECIESNAME: "Dog",
  BREEDNAME: "Boxer",
  BASECOLOURNAME: "Brown",
  SEXNAME: "Male",
  AGEGROUP: "Senior",
  OWNERNAME: "SECRET NAME",
};

test("strays of asm3 are read, which have no place of their own", async () => {
  const stray = {
    ...ASM3,
    SHELTERCODE: "D20240001",
    ARCHIVED: 0,
    DECEASEDDATE: null,
    DATEBROUGHTIN: "2024-03-01T10:30:00",
    DATEOFBIRTH: "2020-01-01T00:00:00",
    SIZENAME: "Very Large",
    MARKINGS: "White chest",
    IDENTICHIPNUMBER: "",
  };
  const mapping = ["--mapping", "asm3-stray"];

  const refused = await imported([stray], ...mapping);
  await imported([stray], ...mapping, "--place", "Kent, Washington");

  expect(refused).toContain("Line 1 (D20240001): no coordinates and no town.");
  expect((await shell.alerts())[0]).toMatchObject({
    alert_type: "found",
    breed: "Boxer",
    size: "xlarge",
    age: "adult",
    custody: "shelter",
    city: "Kent",
    description: "White chest",
    event_date: "2024-03-01",
  });
});

test.each([
  ["found", "AREAFOUND", { DATEFOUND: "2024-03-01T00:00:00", RETURNTOOWNERDATE: null }],
  ["lost", "AREALOST", { DATELOST: "2024-03-01T00:00:00", DATEFOUND: null }],
])("%s animals of asm3 are read by their header", async (type, area, about) => {
  await imported([
    {
      ...ASM3,
      ...about,
      LFID: 3,
      [area]: "4711 Secret Street",
      AREAPOSTCODE: "98005",
      AREALATLONG: "47.38,-122.23,4711SecretStreet",
      DISTFEAT: "Limps",
      MICROCHIPNUMBER: "",
    },
  ]);

  expect((await shell.alerts())[0]).toMatchObject({
    alert_type: type,
    age: "senior",
    city: "Kent",
  });
});

/** Tables by the header of which their mapping is known: a row that is published, and how others differ that are not. */
const TABLES: readonly [string, Row, readonly Row[], string, object][] = [
  [
    "Sonoma: strays without an outcome, by their jurisdiction",
    {
      Name: "*HOLMES",
      Type: "CAT",
      Breed: "DOMESTIC SH",
      Color: "BRN TABBY/WHITE",
      Sex: "Spayed",
      Size: "SMALL",
      "Date Of Birth": "03/01/2023",
      "Impound Number": "K99-1",
      "Intake Date": "2024-03-10T00:00:00.000Z",
      "Outcome Date": "",
      "Intake Type": "STRAY",
      "Outcome Type": "",
      "Intake Jurisdiction": "*WINDSOR",
    },
    [{ "Impound Number": "K99-2", "Outcome Type": "DIED", "Outcome Date": "2024-03-11" }],
    "Skipped: 1 (1 no longer there).",
    {
      pet_name: null,
      breed: "Domestic Shorthair",
      color: "brown tabby / white",
      age: "young",
      city: "Windsor",
      description: "Number at the shelter: K99-1",
    },
  ],
  [
    "RescueGroups, all animals: those found that are still there",
    {
      "Animal ID": "7001",
      Status: "Available",
      Species: "Dog",
      Name: "Sunny",
      "Primary Breed": "Beagle",
      "Secondary Breed": "",
      "Color (General)": "Tricolor",
      Sex: "Female",
      "General Age": "Young",
      "Size Potential (General)": "Medium",
      Found: "Yes",
      "Found date": "03/01/2024",
      "Found zip/postal code": "98032",
      "Microchip Number": "985112001234567",
    },
    [
      { "Animal ID": "7002", Found: "No" },
      { "Animal ID": "7003", Status: "Adopted" },
      { "Animal ID": "7004", Status: "Returned to Owner" },
    ],
    "Skipped: 3 (1 not found animals, 2 no longer there).",
    {
      alert_type: "found",
      pet_type: "dog",
      pet_name: null,
      breed: "Beagle",
      size: "medium",
      age: "young",
      event_date: "2024-03-01",
    },
  ],
  [
    "PetPoint, extended intakes: strays without an outcome",
    {
      "Animal #": "A48000123",
      ARN: "",
      "Animal Name": "Biscuit",
      Species: "Cat",
      "Primary Breed": "Domestic Shorthair",
      "Secondary Breed": "Mix",
      Gender: "F",
      "Date Of Birth": "03/01/2020",
      "Intake Date": "02/11/2024 10:15 AM",
      "Intake Type": "Stray",
      "Outcome Type": "",
      "Outcome Date": "",
      "Distinguishing Markings": "White tip of the tail",
      "Microchip Number": "",
      "Street Address": "4711 Secret Street",
    },
    [
      { "Animal #": "A48000124", "Intake Type": "Owner/Guardian Surrender" },
      { "Animal #": "A48000125", "Outcome Type": "Adoption", "Outcome Date": "02/20/2024" },
    ],
    "Skipped: 2 (1 not strays, 1 no longer there).",
    {
      pet_type: "cat",
      pet_name: null,
      sex: "female",
      age: "adult",
      description: "White tip of the tail\nNumber at the shelter: A48000123",
    },
  ],
];

test.each(TABLES)("the table of %s", async (_, row, others, skipped, alert) => {
  const rows = [row, ...others.map((other) => ({ ...row, ...other }))];

  expect(await imported(rows, "--place", "Kent, WA")).toContain(skipped);
  expect(await shell.alerts()).toMatchObject([alert]);
});
