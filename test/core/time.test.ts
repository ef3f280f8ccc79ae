import { describe, expect, test } from "bun:test";
import { dayIn, timeIn, timeZoneAt } from "../../src/core/time-zone.ts";
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
    ["7d", "2026-11-20"],
    ["3 days ago", "2026-11-24"],
    ["aujourd’hui", "2026-11-27"],
    ["vorgestern", "2026-11-25"],
    ["أمس", "2026-11-26"],
  ])("%s is a day of the place: %p", (text, day) => {
    expect(read(text)).toBe(day);
  });

  test.each([
    ["yesterday evening", "2026-11-26 evening"],
    ["last night", "2026-11-26 night"],
    ["evening", "2026-11-26 evening"],
    ["tonight", "2026-11-27 night"],
    ["hier soir", "2026-11-26 evening"],
  ])("%s is a part of a day: %s", (text, part) => {
    expect(read(text)).toBe(part);
  });

  test.each([
    ["2026-11-26T19:00", "2026-11-26T19:00-08:00"],
    ["2026-11-26 19:00:05.123456789", "2026-11-26T19:00-08:00"],
    ["yesterday at 7 pm", "2026-11-26T19:00-08:00"],
    ["2026-11-26, 19h30", "2026-11-26T19:30-08:00"],
    ["19:00", "2026-11-26T19:00-08:00"],
    ["2 hours ago", "2026-11-27T08:30-08:00"],
    ["now", "2026-11-27T10:30-08:00"],
  ])("%s is a time by the clocks of the place: %s", (text, time) => {
    expect(read(text)).toBe(time);
  });

  test.each([
    ["2026-11-26T19:00:00Z", "2026-11-26T11:00-08:00"],
    ["2026-11-26T19:00+01:00", "2026-11-26T10:00-08:00"],
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
    "2026-02-30",
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
    ["last night", "2026-11-26"],
    ["19:00", null],
  ])("%s is %p in Seattle", (text, day) => {
    expect(writtenDay(text, SEATTLE, NOW)).toBe(day);
  });
});

test("hours ago are on a day, although they begin as a clock does", () => {
  expect(writtenDay("2 hours ago", SEATTLE, NOW)).toBe("2026-11-27");
  expect(writtenDay("12 hours ago", SEATTLE, NOW)).toBe("2026-11-26");
});

test("a position has the time zone of its country or state", () => {
  expect(timeZoneAt({ lat: 45.76, lng: 4.84 })).toBe("Europe/Paris");
  expect(timeZoneAt({ lat: 40.71, lng: -74.01 })).toBe("America/New_York");
  expect(timeZoneAt({ lat: -36.85, lng: 174.76 })).toBe("Pacific/Auckland");
  expect(timeZoneAt({ lat: 27.7, lng: 85.32 })).toBe("Asia/Kathmandu");
});

test("every position on the grid has a time zone that the runtime knows", () => {
  const zones = new Set<string>();
  for (let lat = -90; lat <= 90; lat += 2.5)
    for (let lng = -180; lng <= 180; lng += 2.5) zones.add(timeZoneAt({ lat, lng }));

  for (const zone of zones) {
    expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
    expect(dayIn(zone, Date.UTC(2026, 10, 21, 12))).toStartWith("2026-11-2");
  }
  expect(zones.size).toBeGreaterThan(200);
});

test("a day is that of the place, which may be tomorrow or yesterday in UTC", () => {
  const evening = Date.UTC(2026, 10, 21, 23, 30);

  expect(dayIn("Europe/Paris", evening)).toBe("2026-11-22");
  expect(dayIn("America/New_York", evening)).toBe("2026-11-21");
  expect(dayIn("America/New_York", Date.UTC(2026, 10, 21, 3))).toBe("2026-11-20");
});

test("a time of day is that of the place, in summer and in winter", () => {
  expect(timeIn("Europe/Paris", "2026-11-21", "13:20")).toBe(Date.UTC(2026, 10, 21, 12, 20));
  expect(timeIn("Europe/Paris", "2026-07-21", "13:20")).toBe(Date.UTC(2026, 6, 21, 11, 20));
});

test("an hour that clocks skip is the one after it, and of a repeated one it is the first", () => {
  expect(timeIn("Europe/Paris", "2026-03-29", "02:30")).toBe(Date.UTC(2026, 2, 29, 1, 30));
  expect(timeIn("Europe/Paris", "2026-10-25", "02:30")).toBe(Date.UTC(2026, 9, 25, 0, 30));
});
