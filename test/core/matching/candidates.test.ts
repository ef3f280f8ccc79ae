import { describe, expect, test } from "bun:test";
import { DAY_MS, dayOf } from "../../../src/core/duration.ts";
import {
  CANDIDATES_MAX,
  NEIGHBOURS_MAX,
  shortlist,
} from "../../../src/core/matching/candidates.ts";
import { rankMatches } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import { type MatchSubject, prepareSubject } from "../../../src/matching/subject.ts";
import { distanceKm, type Point } from "../../../src/core/place.ts";
import type { Nearby } from "../../../src/core/ports.ts";
import { REPORTED } from "../../bench/matching/cities.ts";
import { makeCity } from "../../bench/matching/city.ts";
import { townPeople } from "../../support/people.ts";

const LOST: MatchSubject = {
  type: "lost",
  species: "cat",
  point: { lat: 48.85, lng: 2.35 },
  eventDate: "2026-05-01",
  name: null,
  breed: "Siamese",
  color: "cream with dark points",
  size: "medium",
  sex: "female",
  age: "adult",
  chipHash: null,
};
const FOUND: MatchSubject = { ...LOST, type: "found" };

const THERE = { lat: 48.9, lng: 2.4 };
const NO_TOWN = () => 0;

/** Answer of the index for an alert near `LOST`. */
function nearby(publishedAt: number, km: number, days: number): Nearby {
  return { publishedAt, point: THERE, km, day: dayOf(LOST.eventDate) + days };
}

const keysOf = (neighbours: readonly Nearby[]) => neighbours.map(({ publishedAt }) => publishedAt);

describe("the shortlist", () => {
  test("holds all neighbours if there are no more than the limit", () => {
    const neighbours = [nearby(1, 9, 100), nearby(2, 1, 1)];

    expect(shortlist(neighbours, LOST, createStatistics(townPeople), 2, NO_TOWN)).toEqual(
      neighbours,
    );
  });

  test("prefers neighbours that are closer, found sooner and similar, likeliest first", () => {
    const statistics = createStatistics(townPeople);
    statistics.put(1, { ...FOUND, color: "black", breed: "Persian", sex: "male", age: "baby" });
    for (const key of [2, 3, 4]) statistics.put(key, FOUND);
    const neighbours = [nearby(1, 2, 1), nearby(2, 2, 1), nearby(3, 2, 30), nearby(4, 10, 30)];

    const chosen = shortlist(neighbours, LOST, statistics, 3, NO_TOWN);

    expect(keysOf(chosen)).toEqual([2, 3, 4]);
  });

  test("ranks neighbours unknown to the statistics by place and time alone", () => {
    const neighbours = [nearby(1, 20, 1), nearby(2, 2, 20), nearby(3, 2, 1)];

    const chosen = shortlist(neighbours, LOST, createStatistics(townPeople), 2, NO_TOWN);

    expect(keysOf(chosen)).toEqual([3, 2]);
  });

  test("counts days from the loss to the find for lost and found alerts alike", () => {
    const before = [nearby(1, 2, -3), nearby(2, 2, 3)];

    expect(keysOf(shortlist(before, LOST, createStatistics(townPeople), 1, NO_TOWN))).toEqual([2]);
    expect(keysOf(shortlist(before, FOUND, createStatistics(townPeople), 1, NO_TOWN))).toEqual([1]);
  });

  test("does not rank by distance inside a town if only the town is known", () => {
    const neighbours = [nearby(1, 2, 20), nearby(2, 9, 1)];
    const inTown = { ...LOST, somewhere: { town: "Paris", radiusKm: 10 } };

    expect(keysOf(shortlist(neighbours, LOST, createStatistics(townPeople), 1, NO_TOWN))).toEqual([
      1,
    ]);
    expect(keysOf(shortlist(neighbours, inTown, createStatistics(townPeople), 1, NO_TOWN))).toEqual(
      [2],
    );
    const town = (point: Point) => (point === THERE ? 10 : 0);
    const statistics = createStatistics(townPeople);
    const byTown = [nearby(1, 2, 20), { ...nearby(2, 9, 20), point: LOST.point }];
    expect(keysOf(shortlist(byTown, LOST, statistics, 1, town))).toEqual([2]);
  });
});

describe("in a crowded city", () => {
  const city = makeCity({ ...REPORTED[1]!, lost: 6_000 }, 1);
  const statistics = createStatistics(townPeople);
  const cats = city.alerts
    .map(({ subject }, key) => ({ key, alert: subject, subject: prepareSubject(subject) }))
    .filter(({ alert }) => alert.species === "cat");
  for (const { key, alert } of cats) statistics.put(key, alert);
  const lost = cats.filter(({ alert }) => alert.type === "lost");
  const asked = cats.filter(({ alert }) => alert.type === "found").slice(0, 100);

  test("the shortlist includes the five best matches of all neighbours", () => {
    let [same, all, passedOver] = [0, 0, 0];
    for (const { alert, subject } of asked) {
      const neighbours = lost
        .map(({ key, subject: { point }, alert: { eventDate } }) => ({
          publishedAt: key,
          point,
          km: distanceKm(point, subject.point),
          day: Date.parse(eventDate) / DAY_MS,
        }))
        .sort((one, other) => one.km - other.km)
        .slice(0, NEIGHBOURS_MAX);
      const chosen = new Set(
        keysOf(shortlist(neighbours, alert, statistics, CANDIDATES_MAX, NO_TOWN)),
      );
      const near = new Set(keysOf(neighbours));
      const read = lost.filter(({ key }) => near.has(key));

      const first = rankMatches(subject, read, statistics.context, 5);
      same += first.filter(({ candidate }) => chosen.has(candidate.key)).length;
      all += first.length;
      passedOver += neighbours.length - chosen.size;
    }

    expect(passedOver).toBeGreaterThan(asked.length * CANDIDATES_MAX);
    expect(same / all).toBeGreaterThan(0.995);
  });
});
