import { describe, expect, test } from "bun:test";
import { localTime, writtenDay, writtenTime } from "../../src/core/written-time.ts";

const SEATTLE = "America/Los_Angeles";
/** 27 November, 10:30 in Seattle. */
const NOW = Date.UTC(2026, 10, 27, 18, 30);
const read = (text: string, timeZone = SEATTLE) => {
  const time = writtenTime(text, timeZone, NOW);
  return time === null ? null : localTime(time, timeZone);
};

describe("a time as people write it", () => {
  test.each([
    ["2026-11-26", "2026-11-26"],
    ["today", "2026-11-27"],
    ["Yesterday", "2026-11-26"],
    ["day before yesterday", "2026-11-25"],
    ["7d", "2026-11-20"],
    ["3 days ago", "2026-11-24"],
    ["2026-11", "2026-11-01"],
    ["hier", "2026-11-26"],
    ["aujourd’hui", "2026-11-27"],
    ["ayer", "2026-11-26"],
    ["vorgestern", "2026-11-25"],
    ["أمس", "2026-11-26"],
  ])("%s is a day of the place: %p", (text, day) => {
    expect(read(text)).toBe(day);
  });

  test.each([
    ["yesterday evening", "2026-11-26 evening"],
    ["2026-11-26 in the morning", "2026-11-26 morning"],
    ["last night", "2026-11-26 night"],
    ["this morning", "2026-11-27 morning"],
    ["evening", "2026-11-26 evening"],
    ["tonight", "2026-11-27 night"],
    ["hier soir", "2026-11-26 evening"],
    ["ayer por la noche", "2026-11-26 night"],
    ["gestern Abend", "2026-11-26 evening"],
  ])("%s is a part of a day: %s", (text, part) => {
    expect(read(text)).toBe(part);
  });

  test.each([
    ["2026-11-26T19:00", "2026-11-26T19:00-08:00"],
    ["2026-11-26 19:00:05.123456789", "2026-11-26T19:00-08:00"],
    ["yesterday at 7 pm", "2026-11-26T19:00-08:00"],
    ["2026-11-26, 19h30", "2026-11-26T19:30-08:00"],
    ["19:00", "2026-11-26T19:00-08:00"],
    ["9:00", "2026-11-27T09:00-08:00"],
    ["2 hours ago", "2026-11-27T08:30-08:00"],
    ["an hour ago", "2026-11-27T09:30-08:00"],
    ["30 minutes ago", "2026-11-27T10:00-08:00"],
    ["now", "2026-11-27T10:30-08:00"],
  ])("%s is a time by the clocks of the place: %s", (text, time) => {
    expect(read(text)).toBe(time);
  });

  test.each([
    ["2026-11-26T19:00:00Z", "2026-11-26T11:00-08:00"],
    ["2026-11-26T19:00+01:00", "2026-11-26T10:00-08:00"],
    ["1795719600", "2026-11-26T11:00-08:00"],
    ["1795719600000", "2026-11-26T11:00-08:00"],
  ])("%s is a moment, whatever the place: %s", (text, time) => {
    expect(read(text)).toBe(time);
    expect(writtenTime(text, "Asia/Tokyo", NOW)!.at).toBe(writtenTime(text, SEATTLE, NOW)!.at);
  });

  test.each([
    "",
    "soon",
    "5",
    "tomorrow",
    "mañana",
    "Morgen",
    "2026-02-30",
    "26/11/2026",
    "25:00",
    "2026-11-26 25:00",
    "constructor",
  ])("%p is none", (text) => {
    expect(read(text)).toBeNull();
    expect(writtenDay(text, SEATTLE, NOW)).toBeNull();
  });

  test("a day begins and ends by the clocks of its place", () => {
    const from = (timeZone: string) =>
      new Date(writtenTime("2026-11-26", timeZone, NOW)!.from).toISOString();

    expect(from(SEATTLE)).toBe("2026-11-26T08:00:00.000Z");
    expect(from("UTC")).toBe("2026-11-26T00:00:00.000Z");
    expect(from("Pacific/Auckland")).toBe("2026-11-25T11:00:00.000Z");
    expect(read("today", "Pacific/Auckland")).toBe("2026-11-28");
  });
});

describe("a day as programs write it", () => {
  test.each([
    ["2026-11-26T00:00:00.000Z", "2026-11-26"],
    ["2026-11-26T00:00:00-08:00", "2026-11-26"],
    ["2026-11-27T02:00:00Z", "2026-11-26"],
    ["2026-11-26T23:30", "2026-11-26"],
    ["last night", "2026-11-26"],
    ["2026-11", null],
    ["19:00", null],
  ])("%s is %p in Seattle", (text, day) => {
    expect(writtenDay(text, SEATTLE, NOW)).toBe(day);
  });
});

test("hours ago are on a day, although they begin as a clock does", () => {
  expect(writtenDay("2 hours ago", SEATTLE, NOW)).toBe("2026-11-27");
  expect(writtenDay("12 hours ago", SEATTLE, NOW)).toBe("2026-11-26");
});
