import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { openShell, type Shell } from "./shell.ts";
import { csv, OWNER } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

const ROW = { No: "1", Kind: "DOG", In: "03/13/2024", Town: "KENT" };
type Row = Readonly<Record<string, string>>;

describe("--suggest", () => {
  const suggested = async (rows: readonly Row[], more: readonly string[] = []) => {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const table = await shell.write("Our table.csv", csv(rows, columns));
    const { written, aside } = await shell.run(importTable, ["--suggest", table, ...more]);
    return { table, text: written.toString(), aside };
  };
  const published = async (table: string, text: string) => {
    const mapping = await shell.write("suggested.json", text);
    return shell.run(importTable, [table, ...OWNER, "--yes", "--mapping", mapping]);
  };
  /** The mapping of a person who has answered its questions. */
  const decided = (text: string) => {
    const { decide, ...mapping } = JSON.parse(text);
    expect(decide).toBeString();
    return JSON.stringify(mapping);
  };

  test("gives a mapping of intakes and outcomes that publishes what is still there", async () => {
    const row = {
      Animal_Type: "DOG",
      Animal_Breed: "PIT BULL",
      Name: "*REX",
      Intake_Type: "STRAY",
      Intake_Date: "12/21/2023",
      Outcome_Type: "",
      Outcome_Date: "",
      Impound_Number: "K23-1",
      Sex: "Neutered",
      Size: "LARGE",
      DOB: "01/31/2020",
    };
    const { table, text, aside } = await suggested(
      [
        row,
        { ...row, Impound_Number: "K23-2", Animal_Type: "CAT", Intake_Date: "12/22/2023" },
        { ...row, Impound_Number: "K23-3", Intake_Type: "OWNER SURRENDER" },
        { ...row, Impound_Number: "K23-4", Outcome_Type: "DIED", Outcome_Date: "12/31/2023" },
      ],
      ["--place", "Dallas, Texas"],
    );

    const { said } = await published(table, text);

    expect(JSON.parse(text)).toMatchObject({ mapping: "our-table", id: "Impound_Number" });
    expect(aside).toContain("names given by staff");
    expect(said).toContain("Published: 0 lost, 2 found.");
    expect((await shell.alerts())[0]).toMatchObject({
      pet_type: "cat",
      pet_name: null,
      size: "large",
      sex: "male",
      age: "adult",
      city: "Dallas",
    });
  });

  test("reads a French register with a status, a date that does not exist, and words for the young", async () => {
    const row = {
      "N° fiche": "R-1",
      "Entré le": "18/11/26",
      "Trouvé à": "Villeurbanne",
      Animal: "Chienne",
      Robe: "noir et feu",
      Statut: "au refuge",
    };
    const { table, text, aside } = await suggested(
      [
        row,
        { ...row, "N° fiche": "R-2", Animal: "Chaton", Statut: "en famille d'accueil" },
        { ...row, "N° fiche": "R-3", "Entré le": "03/11/26", Statut: "rendu" },
        { ...row, "N° fiche": "R-4", Animal: "Chat", "Entré le": "05/11/26", Statut: "adoptée" },
        { ...row, "N° fiche": "R-5", "Entré le": "07/11/26", Statut: "décédé" },
        { ...row, "N° fiche": "R-6", "Entré le": "31/11/26" },
        { ...row, "N° fiche": "R-7", Animal: "Perruche", "Entré le": "21/11/26" },
      ],
      ["--place", "Lyon"],
    );

    const { said } = await published(table, text);

    expect(aside).toContain("only rows whose Statut is au refuge, en famille d'accueil.");
    expect(aside).toContain("Animals with rendu, adoptée, décédé are taken for gone.");
    expect(aside).not.toContain("No column tells which animals are gone");
    expect(said).toContain("Line 7 (R-6)");
    expect(said).toContain("Published: 0 lost, 3 found.");
    expect(said).toContain("Skipped: 3 (3 no longer there).");
    expect(
      (await shell.alerts()).map(({ pet_type, color, city }) => [pet_type, color, city]),
    ).toEqual(["bird", "cat", "dog"].map((species) => [species, "noir et feu", "Villeurbanne"]));
  });

  test("tells days from months by a single date, and asks where none does", async () => {
    const rows = ["02/03/26", "04/03/26", "05/03/26", "06/03/26"].map((In, nth) => ({
      ...ROW,
      No: `${nth}`,
      In,
    }));

    const { text, aside } = await suggested([...rows, { ...ROW, No: "9", In: "25/03/26" }]);
    const unclear = await suggested(rows);

    expect(JSON.parse(text).date.format).toBe("DD/MM/YY");
    expect(aside).not.toContain("cannot be told apart");
    expect(JSON.parse(unclear.text).decide).toContain("Days and months of In cannot be told apart");
  });

  describe("of a table that does not say which animals are still there", () => {
    const rows = ["STRAY", "OWNER SURRENDER"].map((type, nth) => ({
      "Animal ID": `A${nth}`,
      DateTime: "01/31/2019 04:19:00 PM",
      "Found Location": "2501 Grove Blvd in Austin (TX)",
      "Intake Type": type,
      "Animal Type": "Dog",
    }));

    test("publishes nothing until a person has decided; a dry run shows what would be", async () => {
      const { table, text } = await suggested(rows, ["--place", "Austin, Texas"]);
      const mapping = await shell.write("suggested.json", text);
      const args = [table, ...OWNER, "--mapping", mapping];
      const question = "No column tells which animals are gone. The oldest row is of 2019-01-31.";

      const dry = await shell.run(importTable, [...args, "--dry-run"]);
      const refused = await shell.failing(importTable, [...args, "--yes"]);
      const notSynced = await shell.failing(importTable, [...args, "--yes", "--sync"]);
      const { said } = await published(table, decided(text));

      expect(dry.said).toContain("Would publish 0 lost and 1 found animal");
      for (const sentence of [dry.said, refused, notSynced]) {
        expect(sentence).toContain(`before you decide: ${question}`);
        expect(sentence).toContain('Then delete "decide"');
      }
      expect(said).toContain("Published: 0 lost, 1 found.");
      expect((await shell.alerts())[0].city).toBe("Austin");
    });
  });

  test.each([
    ["Outcome Type", ["In Shelter", "Still in Foster Care", "", "NULL"], ["Adoption", "RTO"]],
    ["Estado actual", ["En albergue", "Disponible para adopción"], ["Adoptado", "Fallecido"]],
    ["Destination", [""], ["Rendu au propriétaire", "Cédé à la SPA", "Euthanasie"]],
    ["Abgangsart", ["noch nicht abgeholt"], ["Rückgabe an Halter", "vermittelt", "verstorben"]],
    ["Date claimed", [""], ["02/20/2024", "02/21/2024"]],
  ])("takes animals for still there by %p: %j, not %j", async (column, there, gone) => {
    const rows = [...there, ...gone].map((value, nth) => ({
      ...ROW,
      No: `${nth + 1}`,
      In: `03/${nth + 13}/2024`,
      [column]: value,
    }));

    const { table, text, aside } = await suggested(rows, ["--place", "Kent, Washington"]);

    expect(aside).not.toContain("DECIDE");
    const { said } = await published(table, text);
    expect(said).toContain(`Published: 0 lost, ${there.length} found.`);
    expect(said).toContain(`${gone.length} no longer there`);
  });

  test("tells reports of lost animals from those of found ones, whatever else the table lists", async () => {
    const rows = ["Lost Report", "Found Report", "Sighting", "Dead animal found"].map(
      (kind, nth) => ({
        "Case #": `C-${nth}`,
        "Report Type": kind,
        "Report Status": "Open",
        "Date Lost/Found": "1/31/2026",
        Species: "Dog",
        City: "Kent",
      }),
    );
    const closed = { ...rows[0]!, "Case #": "C-9", "Report Status": "Closed - Reunited" };

    const { table, text } = await suggested([...rows, closed], ["--place", "Kent, Washington"]);
    const { said } = await published(table, text);

    expect(said).toContain("Published: 1 lost, 1 found.");
    expect(said).toContain("Skipped: 3 (1 sighting, 1 dead, 1 no longer there).");
  });

  test("numbers rows by a number of the animal's own rather than the export's, a phone or a chip", async () => {
    const { text } = await suggested(
      ["1", "2"].map((nth) => ({
        OBJECTID: nth,
        Phone_Number: `555-010${nth}`,
        "Contact number": `555-020${nth}`,
        Microchip_Number: `98514100000000${nth}`,
        AnimalID: `A${nth}`,
        ...ROW,
        No: "",
      })),
    );

    expect(JSON.parse(text)).toMatchObject({ id: "AnimalID", microchip: "Microchip_Number" });
  });

  test("reads a register of dogs only, with titles above its columns", async () => {
    const register =
      "Register of seized dogs,,,\nUpdated 26 November 2026,,,\nRef,Date seized,Place found,Date of disposal\n" +
      'SD1,13/10/2026,"High Street, Otley",\nSD2,14/10/2026,Wetherby,20/10/2026\n';
    const table = await shell.write("stray_dogs.csv", register);
    const place = ["--place", "Leeds, England"];

    const { written, aside } = await shell.run(importTable, ["--suggest", table, ...place]);
    const { said } = await published(table, written.toString());

    expect(aside).toContain("all rows are taken for dogs");
    expect(said).toContain("Published: 0 lost, 1 found.");
    expect((await shell.alerts())[0]).toMatchObject({ pet_type: "dog", city: "Otley" });
  });

  test("is not misled by other columns that hold the same words", async () => {
    const row = {
      Comments: "found near a park, dog friendly",
      "License Status": "Active",
      "Chip Status": "NO CHIP FOUND",
      "Collar present": "no",
      "Date Dispatched": "03/14/2024",
      "Available for adoption on": "03/20/2024",
      Kennel: "STRAY 12",
      Behavior: "returns to handler",
      ...ROW,
      "Intake Type": "STRAY",
      "Outcome Type": "",
    };
    const { table, text, aside } = await suggested(
      [
        row,
        { ...row, No: "2", "License Status": "Expired", Comments: "owner moved", Kennel: "" },
        { ...row, No: "3", "Intake Type": "SURRENDER", "Chip Status": "CHIP FOUND" },
        { ...row, No: "4", "Outcome Type": "ADOPTION", "Collar present": "yes" },
      ],
      ["--place", "Kent, Washington"],
    );

    expect(aside).not.toContain("DECIDE");
    expect(JSON.parse(text).date.column).toBe("In");
    expect((await published(table, text)).said).toContain("Published: 0 lost, 2 found.");
  });

  test.each([
    ["Intake Type", ["Public drop off", "Owner surrender"]],
    ["IMPOUND CD", ["STR", "OS"]],
  ])("asks which animals were found where the words of %p do not say it", async (column, ways) => {
    const rows = ways.map((way, nth) => ({ ...ROW, No: `${nth}`, [column]: way, Outcome: "" }));

    const { aside } = await suggested([...rows, { ...rows[0]!, No: "9", Outcome: "ADOPTED" }]);

    expect(aside).toContain(`DECIDE: Which rows are of found animals? ${column} has ${ways[0]}, `);
  });

  test.each([
    ["DogNo", "DateIn", "CurrentStatus"],
    ["dog_no", "date_in", "current_status"],
  ])("reads names such as %s, and values such as returned_to_owner", async (no, day, status) => {
    const row = { [day]: "13/03/2024", breed: "Lurcher", created: "20/03/2024" };
    const { table, text } = await suggested(
      [
        { ...row, [no]: "K1", [status]: "in_kennel" },
        { ...row, [no]: "K2", [status]: "returned_to_owner" },
      ],
      ["--place", "Bristol, England"],
    );

    expect(JSON.parse(text)).toMatchObject({ id: no, species: "dog", date: { column: day } });
    expect((await published(table, text)).said).toContain("Published: 0 lost, 1 found.");
  });

  test("does not take the name of a person for that of an animal", async () => {
    const row = { Name: "Anna Miller", Phone: "555-0100", ...ROW };

    const { text, aside } = await suggested([row, { ...row, No: "2" }]);
    const ofAnimals = await suggested([
      { ...row, "Pet name": "Rex" },
      { ...row, "Pet name": "Bella", No: "2" },
    ]);
    const ofOwners = await suggested([{ ...ROW, Name: "Rex", "Owner phone": "555-0100" }]);

    expect(JSON.parse(text)).not.toHaveProperty("name");
    expect(aside).toContain('"name" is left out: Name may hold names of people');
    expect(JSON.parse(ofAnimals.text).name).toBe("Pet name");
    expect(ofAnimals.aside).not.toContain("left out: Name");
    expect(JSON.parse(ofOwners.text).name).toBe("Name");
  });

  test("escapes what could take over a terminal", async () => {
    const hostile = "Sta\u009btus\u202e";
    const rows = ["In shelter\u009b31m", "Adopted"].map((value, nth) => ({
      ...ROW,
      No: `${nth}`,
      [hostile]: value,
    }));

    const { table, text } = await suggested(rows, ["--place", "Kent, Washington"]);

    expect(text).not.toMatch(/[\u0080-\u009f\u202e]/);
    expect(JSON.parse(text).where[0]).toMatchObject({ column: hostile, is: [rows[0]![hostile]] });
    expect((await published(table, text)).said).toContain("Published: 0 lost, 1 found.");
  });

  test("gives a mapping that can be read, however long the values, words and lines of dashes of a table", async () => {
    const many = (length: number, value: (nth: number) => string) =>
      Array.from({ length }, (_, nth) => value(nth));
    const values = [
      ...many(20, (nth) => `lab ${nth} ${"x".repeat(180)}`),
      ...many(20, (nth) => `dead ${nth} ${"owner".repeat(3_000)}`),
      ...many(300, (nth) => "-".repeat(Math.min(nth + 1, 21))),
    ];
    const other = { [`found date ${"x".repeat(20_000)}`]: "03/14/2024" };
    const rows = values.map((Status, nth) => ({ ...ROW, No: `${nth}`, Status, ...other }));

    const { table, text, aside } = await suggested(
      [...rows, { ...ROW, No: "A", Status: "Adopted", ...other }],
      ["--place", "Kent, Washington"],
    );

    expect(text.length).toBeLessThan(50_000);
    expect(aside.length).toBeLessThan(5_000);
    expect((await published(table, decided(text))).said).toContain("Published");
  });
});
