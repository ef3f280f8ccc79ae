import { describe, expect, test } from "bun:test";

import { cleanText } from "../../src/core/text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { fc } from "../support/seed.ts";

const oneLine = (text: string) => cleanText(text, { multiline: false });
const lines = (text: string) => cleanText(text, { multiline: true });

describe("what nobody can see is dropped", () => {
  test.each([
    ["control characters", "Mi\u0000m\u0007i\u001b\u009f"],
    ["zero-width characters", "\ufeffMi\u200bm\u200ci\u2060"],
    ["bidirectional characters", "\u202eMi\u2066m\u200fi\u2069\u061c"],
    ["tags that spell a hidden message", "Mimi\u{e0068}\u{e0069}\u{e007f}\u{e0001}"],
    ["variation selectors after letters", "M\ufe0fimi\ufe0e\u{e0100}"],
    ["joiners between letters", "Mi\u200dmi\u200d"],
  ])("%s", (_, text) => {
    expect(oneLine(text)).toBe("Mimi");
    expect(lines(text)).toBe("Mimi");
  });
});

describe("what can be seen stays", () => {
  test.each([
    "Mimi, tigrée (5 ans), très câline !",
    "قطة ضائعة في ليون",
    "cat 🐈 dog 🐕 paws 🐾",
    "I ❤️ her",
    "thumbs 👍🏽 up",
    "the service dog 🐕‍🦺 and the black cat 🐈‍⬛",
    "our family 👨‍👩‍👧‍👦 misses him",
    "a < b & c > d [removed]",
  ])("%s", (text) => {
    expect(oneLine(text)).toBe(text);
  });

  test("letters and their accents are composed", () => {
    expect(oneLine("tigre\u0301e")).toBe("tigrée");
    expect(oneLine("e\u200b\u0301")).toBe("é");
  });
});

describe("white space", () => {
  test("becomes one blank in a text of one line", () => {
    expect(oneLine("  big \t\n\u00a0\u3000 white\r\n\r\ndog\u2028 \u0085")).toBe("big white dog");
  });

  test("keeps line breaks, at most two in a row, in a text of many lines", () => {
    expect(lines("\n\n big \t white  \r\n dog\r\r\r\n\u2029\nshy\v\n")).toBe(
      "big white\ndog\n\nshy",
    );
  });
});

describe("for any text at all", () => {
  const anyText = fc.array(
    fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 4 }),
      fc.constantFrom(
        "\n",
        "\r\n",
        " ",
        "\u200d",
        "\ufe0f",
        "❤",
        "👨",
        "👍🏽",
        "e",
        "\u0301",
        "\ud83d",
      ),
    ),
    { maxLength: 40 },
  );

  test.each([true, false])("cleaning twice changes nothing more (multiline: %p)", (multiline) => {
    fc.assert(
      fc.property(anyText, (parts) => {
        const once = cleanText(parts.join(""), { multiline });

        expect(cleanText(once, { multiline })).toBe(once);
      }),
    );
  });

  test("the result is well-formed, composed, trimmed and without control characters", () => {
    fc.assert(
      fc.property(anyText, (parts) => {
        const clean = lines(parts.join(""));

        expect(clean.isWellFormed()).toBe(true);
        expect(clean.normalize("NFC")).toBe(clean);
        expect(clean.trim()).toBe(clean);
        expect(clean).not.toMatch(/(?!\n)\p{Cc}|[\u{e0000}-\u{e007f}]|\n{3}/u);
      }),
    );
  });

  test("text written to be slow is cleaned all the same", () => {
    const hostile = [
      " ".repeat(5_000),
      "\n ".repeat(5_000),
      "👨‍".repeat(5_000),
      "\u0301".repeat(5_000),
    ];

    for (const text of hostile) expect(lines(`a${text}b`).endsWith("b")).toBe(true);
  });
});
