import { describe, expect, test } from "bun:test";
import {
  normalizedMailbox,
  smallMailDomain,
  whereSpelled,
} from "../../../src/core/people/mailbox-spelling.ts";

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
