import { describe, expect, test } from "bun:test";
import { clockTime, isDate, mailbox, timestamp } from "../../src/core/input.ts";
import {
  normalizedMailbox,
  smallMailDomain,
  whereSpelled,
} from "../../src/core/people/mailbox-spelling.ts";
import { cleanText } from "../../src/core/text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { fc } from "../support/seed.ts";

describe("mailboxes", () => {
  test.each([
    ["name@example.org", "name@example.org"],
    [" Name.Last+tag@Example.ORG ", "Name.Last+tag@example.org"],
    ["o'neil@sub.domain.example", "o'neil@sub.domain.example"],
    ["x@münchen.example", "x@xn--mnchen-3ya.example"],
  ])("%s is read", (text, address) => {
    expect(mailbox(text)).toBe(address);
  });

  test.each([
    "a@b.org, v@e.org",
    "a@b.org v@e.org",
    "Name <a@b.org>",
    "a@b@c.org",
    "a@[127.0.0.1]",
    "a@localhost",
    "a@b.org\r\nBcc: v@e.org",
    "a@b..org",
    "",
    "a@b.org\u0000",
    `${"a".repeat(65)}@b.org`,
    `a@${"b".repeat(250)}.org`,
    "vïctim@b.org",
    "a@b.org?x=1",
  ])("%p is not exactly one", (text) => {
    expect(mailbox(text)).toBeNull();
  });
});

describe("dates and times", () => {
  test("the calendar is kept", () => {
    expect(["2024-02-29", "2026-11-21"].map(isDate)).toEqual([true, true]);
    expect(
      [
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-1",
        "20260101",
        "",
        "2026-01-01T00:00:00Z",
      ].map(isDate),
    ).not.toContain(true);
  });

  test("times of day are read as people and programs write them", () => {
    const read = ["13:20", "9", "09:05:30", "13 h 20", "13h", "8.15", "1:20 pm", "12 a.m.", "12pm"];
    const wrong = ["", "24:00", "13:60", "13:2", "13 pm", "0:30 am", "noon", "-1", "1320", "١٣"];

    expect(read.map(clockTime)).toEqual([
      "13:20",
      "09:00",
      "09:05",
      "13:20",
      "13:00",
      "08:15",
      "13:20",
      "00:00",
      "12:00",
    ]);
    expect(wrong.filter((text) => clockTime(text) !== null)).toEqual([]);
  });

  test("timestamps carry their offset", () => {
    expect(timestamp("2026-11-21")).toBe(Date.UTC(2026, 10, 21));
    expect(timestamp("2026-11-21T07:30:00.123Z")).toBe(Date.UTC(2026, 10, 21, 7, 30, 0, 123));
    expect(timestamp("2026-11-21T07:30:00+02:00")).toBe(Date.UTC(2026, 10, 21, 5, 30));
    expect(
      [
        "2026-11-21T07:30:00",
        "2026-02-30T00:00:00Z",
        "2026-11-21T25:00:00Z",
        "now",
        "1732174200000",
      ].map(timestamp),
    ).toEqual([null, null, null, null, null]);
  });
});

const SPELLINGS: readonly (readonly [mailbox: string, ...spellings: string[]])[] = [
  ["victim@gmail.com", "v.i.c.t.i.m@gmail.com", "victim+a@googlemail.com", "VICTIM@GMAIL.COM"],
  ["annarye@proton.me", "anna-rye@pm.me", "Anna_Rye@protonmail.com", "a.nnarye+x@protonmail.ch"],
  ["anna.rye@icloud.com", "anna.rye@me.com", "Anna.Rye+cat@mac.com"],
  ["anna.rye@yandex.ru", "anna-rye@ya.ru", "anna.rye+cat@yandex.com.tr"],
  ["anna@fastmail.com", "shop@anna.fastmail.com", "anna+shop@fastmail.com"],
  ["anna@outlook.com", "Anna+cat@outlook.com"],
  ["anna@example.org", "ANNA@example.org", "anna+cat@example.org"],
];
const EACH = SPELLINGS.flatMap(([mailbox, ...spellings]) =>
  spellings.map((spelling) => [spelling, mailbox] as const),
);

describe("spellings of a mailbox", () => {
  test.each(EACH)("%s is counted as %s, and found where its spellings are", (spelling, mailbox) => {
    expect(normalizedMailbox(spelling)).toBe(mailbox);
    expect(normalizedMailbox(mailbox)).toBe(mailbox);
    const { ranges, ending } = whereSpelled(mailbox);
    const isFound = (address: string) =>
      ranges.some(({ from, below }) => from <= address && address < below) ||
      (ending !== null && address.endsWith(ending));
    expect(isFound(spelling.toLowerCase())).toBe(true);
    expect(isFound("zoe@example.org")).toBe(false);
  });

  test.each([
    ["a.b@example.org", "ab@example.org"],
    ["a.b@icloud.com", "ab@icloud.com"],
    ["a-b@outlook.com", "ab@outlook.com"],
    ["a.b@yandex.ru", "ab@yandex.ru"],
    ["anna@fastmail.com", "anna@fastmail.fm"],
    ["anna@mail.example.org", "anna@example.org"],
    ["anna@gmail.com", "anna@yandex.ru"],
    ["..@gmail.com", "...@gmail.com"],
  ])("%s and %s are two mailboxes", (one, other) => {
    expect(normalizedMailbox(one)).not.toBe(normalizedMailbox(other));
  });
});

describe("mail domains", () => {
  test.each(["shelter.org", "mail.shelter.org"])("%s may be one person's", (domain) => {
    expect(smallMailDomain(`Anna+cat@${domain}`)).toBe(domain);
  });

  test.each(["gmail.com", "pm.me", "anna.fastmail.com", "yahoo.com", "web.de", "orange.fr"])(
    "%s is a large provider's",
    (domain) => {
      expect(smallMailDomain(`anna@${domain}`)).toBeNull();
    },
  );
});

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
