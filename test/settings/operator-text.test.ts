import { describe, expect, test } from "bun:test";
import { operatorTextFor, parseOperatorTexts } from "../../src/settings/operator-text.ts";

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
