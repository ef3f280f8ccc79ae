import { describe, expect, test } from "bun:test";
import { isDate, mailbox, timestamp, clockTime } from "../../src/core/input.ts";

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
    "a@b.org;v@e.org",
    "a@b.org v@e.org",
    "<a@b.org>",
    "Name <a@b.org>",
    '"a b"@b.org',
    "a@b@c.org",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@localhost",
    "a@b.org\r\nBcc: v@e.org",
    "a@b..org",
    "a..b@c.org",
    ".a@c.org",
    "a@-b.org",
    "a@b.org.",
    "@b.org",
    "a@",
    "",
    "a@b.org\u0000",
    "a@b.org%00",
    `${"a".repeat(65)}@b.org`,
    `a@${"b".repeat(250)}.org`,
    "vïctim@b.org",
    "a(comment)@b.org",
    "group:a@b.org;",
    "a@b.org?x=1",
    "a@b.org/x",
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
