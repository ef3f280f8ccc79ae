import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { importTable } from "../../src/commands/import.ts";
import { bytesIn } from "../support/disk.ts";
import { get, openShell, type Shell } from "./shell.ts";
import { FOUND_CAT, importing, LOST_DOG, OWNER, tableOf } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

describe("a shelter's table", () => {
  test("becomes alerts in our words, by the mapping its header fits", async () => {
    const { code, said } = await importing(shell, LOST_DOG, FOUND_CAT);

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
    const table = await tableOf(shell, LOST_DOG, FOUND_CAT);

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
    const sentence = await shell.failing(importTable, [await tableOf(shell, LOST_DOG), ...OWNER]);

    expect(sentence).toContain("add --yes");
    expect(await shell.alerts()).toEqual([]);
  });

  test("is not published once the operator stopped it", async () => {
    const args = [await tableOf(shell, LOST_DOG), ...OWNER, "--yes"];

    const { code, said } = await shell.run(importTable, args, { stopped: AbortSignal.abort() });

    expect(code).toBe(1);
    expect(said).toContain("Nothing was published.");
    expect(await shell.alerts()).toEqual([]);
  });

  test("imported again changes nothing; a new row is added", async () => {
    await importing(shell, LOST_DOG);

    const again = await importing(shell, LOST_DOG);
    const withMore = await importing(shell, LOST_DOG, FOUND_CAT);

    expect(again.code).toBe(0);
    expect(again.said).toContain("There is nothing new to publish.");
    expect(again.said).toContain("Already published, left as they are: 1.");
    expect(withMore.said).toContain("Published: 0 lost, 1 found.");
    expect(await shell.alerts()).toHaveLength(2);
  });

  test("is read from a day on with --since; what is older is counted", async () => {
    const old = { ...LOST_DOG, impound_no: "X3", Date: "02/12/2017" };
    const args = [
      await tableOf(shell, LOST_DOG, FOUND_CAT, old),
      ...OWNER,
      "--since",
      "2017-02-13",
    ];

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

    const both = await shell.run(importTable, [
      await tableOf(shell, young, old),
      ...OWNER,
      "--dry-run",
    ]);
    const one = await shell.run(importTable, [await tableOf(shell, young), ...OWNER, "--dry-run"]);

    expect(both.said).toStartWith("1 animal was lost or found more than 90 days ago");
    expect(both.said).toMatch(/leave them out, add --since \d{4}-\d\d-\d\d\./);
    expect(one.said).not.toContain("90 days");
  });

  test("leaves out what the mapping skips, and counts it by reason", async () => {
    const { said } = await importing(
      shell,
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
    const args = [await tableOf(shell, LOST_DOG), ...OWNER, "--dry-run", "--links", links];

    const { code, said, asked } = await shell.run(importTable, args);

    expect(code).toBe(0);
    expect(said).toContain("Would publish 1 lost and 0 found animals");
    expect(asked).toEqual([]);
    expect(await shell.alerts()).toEqual([]);
    expect(readdirSync(shell.folder)).not.toContain("links.csv");
  });

  test("leaves no street address in the data folder", async () => {
    await importing(shell, LOST_DOG, FOUND_CAT);

    expect(bytesIn(shell.dataDir)).not.toContain("SECRET AVE");
  });

  test("is cleaned of contact details, as everything published is", async () => {
    const { said } = await importing(shell, { ...LOST_DOG, Animal_Name: "Rex 206-555-0142" });

    const [alert] = await shell.alerts();
    expect(alert.pet_name).toBe("Rex [removed]");
    expect(said).toContain("Contact details were removed from the text of 1.");
  });
});

describe("the links file", () => {
  test("holds the page and manage link of each new alert, for its owner's eyes", async () => {
    const links = join(shell.folder, "links.csv");
    const table = await tableOf(shell, LOST_DOG, FOUND_CAT);
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

  test.each(["=HYPERLINK(1)", "＝1"])(
    "tells a spreadsheet that a number it would carry out is text: %j",
    async (impound_no) => {
      const links = join(shell.folder, "links.csv");
      const table = await tableOf(shell, { ...LOST_DOG, impound_no });

      await shell.run(importTable, [table, ...OWNER, "--yes", "--links", links]);

      const [, dog] = readFileSync(links, "utf8").split("\r\n");
      expect(dog).toStartWith(`'${impound_no},http`);
    },
  );

  test("is announced with the address its links begin with, and a warning where that is not set", async () => {
    const links = join(shell.folder, "links.csv");
    const args = [await tableOf(shell, LOST_DOG), ...OWNER, "--dry-run", "--links", links];

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
    const table = await tableOf(shell, LOST_DOG);

    const args = [table, ...OWNER, "--yes", "--links"];
    expect(await shell.failing(importTable, [...args, links])).toContain("already exists");
    expect(await shell.alerts()).toEqual([]);

    await importing(shell, LOST_DOG);
    const again = await shell.run(importTable, [...args, join(shell.folder, "none.csv")]);
    expect(again.said).toContain("No links were written, because nothing new was published.");
    expect(readFileSync(links, "utf8")).toBe("kept");
    expect(readdirSync(shell.folder)).not.toContain("none.csv");
  });
});

test.each([
  [[], "import takes one file"],
  [["a.csv"], "import needs --email"],
  [["a.csv", "--email", "nobody"], '--email must be one email address, not "nobody"'],
  [["a.csv", ...OWNER, "--language", "it"], "--language must be one of en, fr, es, de"],
  [["a.csv", ...OWNER, "--since", "13.02.2017"], "--since must be a date such as 2026-11-21"],
  [["a.csv", ...OWNER, "--force"], "Usage: pet-alert import"],
])("import %p is refused in words", async (args, words) => {
  expect(await shell.failing(importTable, args)).toContain(words);
});
