import { expect, test } from "bun:test";
import { dayIn, timeIn, timeZoneAt } from "../../src/core/time-zone.ts";

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
