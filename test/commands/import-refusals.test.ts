import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { truncateSync } from "node:fs";
import { importTable } from "../../src/commands/import.ts";
import { FROM_SOURCES, run } from "../support/process.ts";
import { openShell, type Shell } from "./shell.ts";
import { COLUMNS, csv, FOUND_CAT, importing, LOST_DOG, OWNER } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

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
