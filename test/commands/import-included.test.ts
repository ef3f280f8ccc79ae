import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { openShell, type Shell } from "./shell.ts";
import { csv, OWNER } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

describe("the included mappings", () => {
  const asm3 = {
    SPECIESNAME: "Dog",
    BREEDNAME: "Boxer",
    BASECOLOURNAME: "Brown",
    SEXNAME: "Male",
    AGEGROUP: "Senior",
    OWNERNAME: "SECRET NAME",
  };

  test("read strays of asm3, which have no place of their own", async () => {
    const stray = {
      ...asm3,
      SHELTERCODE: "D20240001",
      ARCHIVED: 0,
      DECEASEDDATE: null,
      DATEBROUGHTIN: "2024-03-01T10:30:00",
      DATEOFBIRTH: "2020-01-01T00:00:00",
      SIZENAME: "Very Large",
      MARKINGS: "White chest",
      IDENTICHIPNUMBER: "",
    };
    const table = await shell.write("strays.json", JSON.stringify([stray]));
    const more = [...OWNER, "--yes", "--mapping", "asm3-stray"];

    const refused = await shell.run(importTable, [table, ...more]);
    await shell.run(importTable, [table, ...more, "--place", "Kent, Washington"]);

    expect(refused.said).toContain("Line 1 (D20240001): no coordinates and no town.");
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
  ])("read the %s animals of asm3 by their header", async (type, area, about) => {
    const row = {
      ...asm3,
      ...about,
      LFID: 3,
      [area]: "4711 Secret Street",
      AREAPOSTCODE: "98005",
      AREALATLONG: "47.38,-122.23,4711SecretStreet",
      DISTFEAT: "Limps",
      MICROCHIPNUMBER: "",
    };
    const table = await shell.write("list.json", JSON.stringify([row]));

    await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect((await shell.alerts())[0]).toMatchObject({
      alert_type: type,
      age: "senior",
      city: "Kent",
    });
  });

  test("read the table of Sonoma: strays without an outcome, by their jurisdiction", async () => {
    const row = {
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
    };
    const out = { "Impound Number": "K99-2", "Outcome Type": "DIED", "Outcome Date": "2024-03-11" };
    const table = await shell.write("table.csv", csv([row, { ...row, ...out }], Object.keys(row)));

    const { said } = await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect(said).toContain("Skipped: 1 (1 no longer there).");
    expect(await shell.alerts()).toMatchObject([
      {
        pet_name: null,
        breed: "Domestic Shorthair",
        color: "brown tabby / white",
        age: "young",
        city: "Windsor",
        description: "Number at the shelter: K99-1",
      },
    ]);
  });
});

describe("the included mappings of programs of which no export was at hand", () => {
  test("read the report of all animals of RescueGroups: those found that are still there", async () => {
    const row = {
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
    };
    const rows = [
      row,
      { ...row, "Animal ID": "7002", Found: "No" },
      { ...row, "Animal ID": "7003", Status: "Adopted" },
      { ...row, "Animal ID": "7004", Status: "Returned to Owner" },
    ];
    const table = await shell.write("animals.csv", csv(rows, Object.keys(row)));

    const { said } = await shell.run(importTable, [
      table,
      ...OWNER,
      "--yes",
      "--place",
      "Kent, WA",
    ]);

    expect(said).toContain("Skipped: 3 (1 not found animals, 2 no longer there).");
    expect(await shell.alerts()).toMatchObject([
      {
        alert_type: "found",
        pet_type: "dog",
        pet_name: null,
        breed: "Beagle",
        size: "medium",
        age: "young",
        event_date: "2024-03-01",
      },
    ]);
  });

  test("read the extended intake report of PetPoint: strays without an outcome", async () => {
    const row = {
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
    };
    const rows = [
      row,
      { ...row, "Animal #": "A48000124", "Intake Type": "Owner/Guardian Surrender" },
      { ...row, "Animal #": "A48000125", "Outcome Type": "Adoption", "Outcome Date": "02/20/2024" },
    ];
    const table = await shell.write("intake.csv", csv(rows, Object.keys(row)));

    const { said } = await shell.run(importTable, [
      table,
      ...OWNER,
      "--yes",
      "--place",
      "Kent, WA",
    ]);

    expect(said).toContain("Skipped: 2 (1 not strays, 1 no longer there).");
    expect(await shell.alerts()).toMatchObject([
      {
        pet_type: "cat",
        pet_name: null,
        sex: "female",
        age: "adult",
        description: "White tip of the tail\nNumber at the shelter: A48000123",
      },
    ]);
  });
});
