import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HELP_FILE, readHelpFile } from "../../src/settings/help-file.ts";
import { operatorTextFor, parseOperatorTexts } from "../../src/settings/operator-text.ts";
import { createWorld } from "../support/world.ts";

const HEADER = "name,kind,lat,lng,phone,url";
const GOOD = "Refuge,shelter,45.8,4.9,+33 4 72 00 00 00,https://refuge.example/";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-help-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(...lines: readonly string[]) {
  writeFileSync(join(folder, HELP_FILE), lines.join("\n"));
  return readHelpFile(join(folder, HELP_FILE));
}

/** Rows that are wrong, each in a way of its own, and the beginning of what is said about them. */
const BROKEN: readonly (readonly [row: string, why: string])[] = [
  [",shelter,45.8,4.9,04 72 00 00 00,", "name"],
  [`${"x".repeat(121)},shelter,45.8,4.9,04 72 00 00 00,`, "name"],
  ["Refuge,zoo,45.8,4.9,04 72 00 00 00,", "kind"],
  ["Refuge,,45.8,4.9,04 72 00 00 00,", "kind"],
  ["Refuge,shelter,95,4.9,04 72 00 00 00,", "lat"],
  ["Refuge,shelter,north,4.9,04 72 00 00 00,", "lat"],
  ["Refuge,shelter,45.8,,04 72 00 00 00,", "lng"],
  ["Refuge,shelter,45.8,181,04 72 00 00 00,", "lng"],
  ["Refuge,shelter,45.8,4.9,,", "phone"],
  ["Refuge,shelter,45.8,4.9,call us,", "phone"],
  ["Refuge,shelter,45.8,4.9,,javascript:alert(1)", "url"],
  ["Refuge,shelter", "lat"],
  ['"Refuge,shelter,45.8,4.9,04 72 00 00 00,', "a quotation mark"],
  ["Refuge,shelter,45,8,4,9,04 72 00 00 00,", "it has 8 cells, and the first line 6"],
];

test("a list of people to call is read, with commas, semicolons or a decimal comma", async () => {
  const expected = {
    refused: [],
    places: [
      {
        name: "Refuge",
        kind: "shelter",
        point: { lat: 45.8, lng: 4.9 },
        phone: "+33 4 72 00 00 00",
        url: "https://refuge.example/",
      },
    ],
  };
  expect(await read(HEADER, GOOD)).toEqual(expected as never);
  const semicolons = GOOD.replaceAll(",", ";").replace("45.8", "45,8");
  expect(await read(`\ufeff${HEADER.replaceAll(",", ";")}`, semicolons)).toEqual(expected as never);
});

test("of a file with 40 broken rows each is named by its line, and the others are shown", async () => {
  const broken = Array.from({ length: 40 }, (_, at) => BROKEN[at % BROKEN.length]!);
  const lines = [HEADER, ...broken.flatMap(([row]) => [row, GOOD])];
  const file = await read(...lines);

  expect(file?.places).toHaveLength(40);
  expect(file?.refused.map(({ line }) => lines[line - 1]!)).toEqual(broken.map(([row]) => row));
  for (const [at, { why }] of (file?.refused ?? []).entries())
    expect(why).toStartWith(broken[at]![1]);
});

test("the service starts with the good rows, and its log names the lines of the others, not their content", async () => {
  await read(HEADER, "Geheim,zoo,45.8,4.9,04 72 00 00 00,", GOOD);
  const world = await createWorld({ CONFIG_DIR: folder });
  const log = world.logged.join("\n");
  await world.end();

  expect(log).toContain("help.csv, line 2: kind must be one of shelter, vet, authority, rescue.");
  expect(log).not.toContain("Geheim");
});

test("more than 2,000 rows are cut, and said to be", async () => {
  const file = await read(HEADER, ...Array.from({ length: 2_001 }, () => GOOD));

  expect(file?.places).toHaveLength(2_000);
  expect(file?.refused).toEqual([{ line: 2_002, why: "only the first 2000 rows are read" }]);
});

test("a file that is no such table stops the start with a sentence, and none at all is fine", async () => {
  expect(await readHelpFile(join(folder, HELP_FILE))).toBeNull();
  expect(read("name;phone", "Refuge;1")).rejects.toThrow("lacks the columns kind, lat, lng, url");
  writeFileSync(join(folder, HELP_FILE), new Uint8Array([0xff, 0xfe, 0x00]));
  expect(readHelpFile(join(folder, HELP_FILE))).rejects.toThrow("UTF-8");
});

describe("the operator's file", () => {
  test("is split into the texts of its pages, with headings, lists and paragraphs", () => {
    const file = [
      "\uFEFF# Imprint",
      "Registered in Lyon,",
      "number 123.",
      "",
      "",
      "Second paragraph",
      "## Board",
      "- Ana",
      "* Luz",
      "After the list",
      "# privacy DE",
      "Hoster: example",
    ].join("\r\n");

    expect(parseOperatorTexts(file)).toEqual([
      {
        page: "imprint",
        language: null,
        blocks: [
          { kind: "paragraph", text: "Registered in Lyon,\nnumber 123." },
          { kind: "paragraph", text: "Second paragraph" },
          { kind: "heading", text: "Board" },
          { kind: "list", items: ["Ana", "Luz"] },
          { kind: "paragraph", text: "After the list" },
        ],
      },
      {
        page: "privacy",
        language: "de",
        blocks: [{ kind: "paragraph", text: "Hoster: example" }],
      },
    ]);
  });

  test("may be empty", () => {
    expect(parseOperatorTexts(" \n\n")).toEqual([]);
  });

  test.each([
    ["Hello", "must begin with a line such as # Imprint"],
    ["# Imprint\nx\n# Cookies", "has a title in line 3"],
    ["# Terms it", "has a title in line 1"],
    ["# Terms en fr", "has a title in line 1"],
  ])("%j is refused in a sentence", (file, words) => {
    expect(() => parseOperatorTexts(file)).toThrow(
      new RegExp(`^The file of the setting LEGAL_FILE ${words}.*\\.$`),
    );
  });
});

test("readers get the text in their language, else the one without a language, else the first", () => {
  const texts = parseOperatorTexts("# Terms de\nA\n# Terms\nB\n# Terms fr\nC\n# Imprint es\nD");
  const shown = (...where: [page: "imprint" | "privacy" | "terms", language: "en" | "de" | "fr"]) =>
    operatorTextFor(texts, ...where)?.blocks;
  const paragraph = (text: string) => [{ kind: "paragraph" as const, text }];

  expect(shown("terms", "fr")).toEqual(paragraph("C"));
  expect(shown("terms", "en")).toEqual(paragraph("B"));
  expect(shown("imprint", "en")).toEqual(paragraph("D"));
  expect(shown("privacy", "de")).toBeUndefined();
});
