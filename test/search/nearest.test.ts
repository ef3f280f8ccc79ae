import { expect, test } from "bun:test";
import { distanceKm, snap } from "../../src/values/point.ts";
import { createAlertIndex } from "../../src/search/alert-index.ts";
import { fc } from "../support/seed.ts";
import { ALERT_TYPES, SPECIES } from "../../src/values/animal.ts";
import type { IndexedAlert } from "../../src/search/indexes.ts";

// Clustered, with the poles and the date line among the clusters.
const position = fc.oneof(
  fc.record({
    lat: fc.double({ min: 45, max: 45.3, noNaN: true }),
    lng: fc.double({ min: 4.7, max: 5, noNaN: true }),
  }),
  fc.record({
    lat: fc.double({ min: -1, max: 1, noNaN: true }),
    lng: fc.constantFrom(-180, -179.99, 179.99, 180),
  }),
  fc.record({
    lat: fc.constantFrom(-90, -89.97, 89.95, 90),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
);
const point = position.map(({ lat, lng }) => snap(lat, lng));
const eventDate = fc.constantFrom("2000-01-01", "2026-05-01", "2026-05-02", "2026-05-03");
const alert = fc.record({
  point,
  species: fc.constantFrom(...SPECIES.slice(0, 2)),
  type: fc.constantFrom(...ALERT_TYPES),
  eventDate,
});
const day = (date: string) => Date.parse(date) / 86_400_000;

test("the nearest alerts of a kind and period are those that a test of every alert finds, nearest first, then by difference in days, after any puts and drops", () => {
  const story = fc.record({
    alerts: fc.array(alert, { maxLength: 120, size: "max" }),
    dropped: fc.array(fc.nat(119), { maxLength: 40, size: "max" }),
    back: fc.array(fc.nat(119), { maxLength: 10, size: "max" }),
    edited: fc.array(fc.record({ key: fc.nat(119), eventDate }), { maxLength: 10, size: "max" }),
    point,
    radiusKm: fc.constantFrom(0.5, 3, 20, 100, 500),
    limit: fc.constantFrom(1, 5, 50, 1_000),
    days: fc.constantFrom(
      { first: 0, last: day("2026-06-01"), own: day("2026-05-02") },
      { first: day("2026-05-01"), last: day("2026-05-02"), own: day("2026-05-01") },
      { first: day("2026-05-03"), last: day("2026-05-03"), own: day("2026-05-01") },
    ),
  });
  fc.assert(
    fc.property(story, ({ alerts, dropped, back, edited, ...query }) => {
      const index = createAlertIndex();
      const active = new Map<number, IndexedAlert>();
      const put = (key: number, edit = {}) => {
        const made = alerts[key];
        if (made === undefined) return;
        const indexed = { ...made, ...edit, publishedAt: key, texts: [] };
        active.set(key, indexed);
        index.apply([{ kind: "put", alert: indexed }]);
      };
      for (const key of alerts.keys()) put(key);
      for (const key of dropped) {
        active.delete(key);
        index.apply([{ kind: "drop", publishedAt: key }]);
      }
      for (const key of back) put(key);
      for (const { key, eventDate } of edited) put(key, { eventDate });

      const found = index.nearest({ ...query, species: "cat", type: "found" });

      const apart = (one: { day: number }) => Math.abs(one.day - query.days.own);
      const scanned = [...active.values()]
        .filter(({ species, type }) => species === "cat" && type === "found")
        .map(({ publishedAt, point: at, eventDate }) => ({
          publishedAt,
          point: at,
          km: distanceKm(query.point, at),
          day: day(eventDate),
          looks: { colors: 0, groups: 0 },
        }))
        .filter((one) => one.km <= query.radiusKm)
        .filter((one) => one.day >= query.days.first && one.day <= query.days.last)
        .sort((a, b) => a.km - b.km || apart(a) - apart(b) || b.publishedAt - a.publishedAt);
      expect(found).toEqual(scanned.slice(0, query.limit));
      for (const key of alerts.keys()) expect(index.mark(key) !== null).toBe(active.has(key));
    }),
    { numRuns: 400 },
  );
});
