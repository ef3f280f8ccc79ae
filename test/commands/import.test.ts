import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { importTable } from "../../src/commands/import.ts";
import { bytesIn } from "../support/disk.ts";
import { FROM_SOURCES, run } from "../support/process.ts";
import { get, openShell, type Shell } from "./shell.ts";
import { COLUMNS, csv, FOUND_CAT, importing, LOST_DOG, OWNER, tableOf } from "./shelter.ts";

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

describe("rows that cannot be published", () => {
  const refusal = async (about: Readonly<Record<string, string>>) => {
    const { said } = await importing(shell, FOUND_CAT, { ...LOST_DOG, ...about });
    return said.split("\n").find((line) => line.startsWith("Line "));
  };

  test("are told with the line they begin in, also after quoted line breaks", async () => {
    const { said } = await importing(
      shell,
      FOUND_CAT,
      { ...LOST_DOG, City: "", location_for_map: "\nA\nB" },
      { ...LOST_DOG, impound_no: "X9", Record_Type: "SIGHTED" },
    );

    expect(said).toContain("Line 4 (X1): no coordinates and no town.");
    expect(said).toContain('Line 7 (X9): Record_Type is "SIGHTED", which is not in the mapping.');
    expect(said).toContain("Rejected: 2.");
  });

  test.each([
    [{ Date: "13.02.2017" }, 'Date is "13.02.2017", not a date in the format MM/DD/YYYY'],
    [{ Date: "02/03/1999" }, "Line 4 (X1): Date must not be before 2000-01-01"],
    [{ Date: "02/03/2999" }, "Date must not be in the future"],
    [{ impound_no: "" }, "Line 4: it has no id: impound_no is empty."],
    [{ impound_no: "X2" }, "Line 4 (X2): its impound_no is the same as in line 2"],
    [{ Animal_Name: "x".repeat(61) }, "Line 4 (X1): Animal_Name must have at most 60 characters"],
    [{ City: "NOWHERETON" }, 'no town "NOWHERETON"'],
    [{ City: "LYNWOOD" }, "(did you mean Lynnwood?)"],
  ])("because of %p are refused with the reason", async (about, reason) => {
    expect(await refusal(about)).toContain(reason);
  });

  test("take no longer because a cell is half a megabyte of spaces", async () => {
    const long = `A${" ".repeat(400_000)}B`;
    const { said } = await importing(
      shell,
      { ...LOST_DOG, Animal_Breed: long },
      { ...LOST_DOG, impound_no: "X9", City: "", location_for_map: long },
    );

    expect(said).toContain("Published: 1 lost, 0 found.");
    expect(said).toContain("Line 3 (X9): no coordinates and no town.");
  });

  test("by their number of fields are refused", async () => {
    const table = await shell.write("table.csv", `${csv([FOUND_CAT])}\nX7,too,few`);

    const { code, said } = await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect(code).toBe(0);
    expect(said).toContain("Line 4: it has 19 fields too few.");
  });

  test("with far too many fields are refused, and not taken for the names of the columns", async () => {
    const notes = "friendly,".repeat(60);
    const table = await shell.write("table.csv", `${csv([FOUND_CAT])}\nX7,${notes}`);

    const { code, said } = await shell.run(importTable, [table, ...OWNER, "--yes"]);

    expect(code).toBe(0);
    expect(said).toContain("Published: 0 lost, 1 found.");
    expect(said).toMatch(/Line 4: it has \d+ fields too many\./);
  });

  test("make the command fail where there is no other row", async () => {
    const { code, said } = await importing(shell, { ...LOST_DOG, City: "" });

    expect(code).toBe(1);
    expect(said).toContain("There is nothing to publish.");
  });
});

describe("files that are no table are refused in a sentence:", () => {
  const sentenceFor = async (content: string | Uint8Array) =>
    shell.failing(importTable, [await shell.write("table.csv", content), ...OWNER, "--yes"]);
  const latin1 = () =>
    Buffer.from(csv([LOST_DOG, { ...LOST_DOG, impound_no: "X3", Animal_Name: "Zoë" }]), "latin1");

  test.each([
    ["an empty one", "", "is empty"],
    ["an unknown header", "a,b\n1,2\n", "No included mapping has the columns of this table (a, b)"],
    ["a workbook", Uint8Array.of(0x50, 0x4b, 3, 4), "is a workbook or an archive"],
    ["UTF-16", Uint8Array.of(0xff, 0xfe, 0x61, 0), "is not a CSV file in UTF-8"],
    ["columns twice", `${COLUMNS.join(",")},DATE\n`, 'has two columns called "DATE"'],
    ["an open quote", `${csv([LOST_DOG])}\n"X2,LOST`, "a quote opened in line 3 or later"],
    ["millions of values", `[${"{},".repeat(1_600_000)}{}]`, "more than a million values"],
    [
      "millions of lists",
      `[${`{"a": ${"[".repeat(1_000)}${"]".repeat(1_000)}},`.repeat(1_600)}{}]`,
      "more than a million values",
    ],
    ["a row of a megabyte", `[{"a": "${"x".repeat(2 ** 20)}"}]`, "a row of more than 1 MB"],
    ["thousands of columns", [...Array(3_000).keys()].join(), "more than 2000 columns"],
  ])("%s", async (_, content, words) => {
    expect(await sentenceFor(content)).toContain(words);
  });

  test("Latin-1, before anything is published", async () => {
    expect(await sentenceFor(latin1())).toContain("is not in UTF-8, perhaps in Windows-1252");
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

describe("characters that steer a terminal", () => {
  const STEERING = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202e";

  test("are shown, not sent, wherever text of the table is told", async () => {
    const { said } = await importing(
      shell,
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
