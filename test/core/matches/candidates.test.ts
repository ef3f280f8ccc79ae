import { expect, test } from "bun:test";
import { CANDIDATES_MAX, NEIGHBOURS_MAX } from "../../../src/core/matches/candidates.ts";
import { distanceKm } from "../../../src/values/point.ts";
import { firstGlance } from "../../../src/matching/first-glance.ts";
import { looksOf } from "../../../src/matching/looks.ts";
import { score } from "../../../src/matching/score.ts";
import { REPORTED } from "../../bench/matching/cities.ts";
import { makeCity } from "../../bench/matching/city.ts";
import { readCity } from "../../bench/matching/trial.ts";

test("the neighbours that are read at first glance include the five best matches of a crowded city", () => {
  const city = makeCity({ ...REPORTED[1]!, lost: 3_000 }, 1);
  const { subjects, context } = readCity(city);
  const cats = city.alerts
    .filter(({ subject }) => subject.species === "cat")
    .map((alert) => ({ ...alert, prepared: subjects.get(alert)!, looks: looksOf(alert.subject) }));
  const lost = cats.filter(({ subject }) => subject.type === "lost");
  const asked = cats.filter(({ subject }) => subject.type === "found").slice(0, 25);

  let [same, all] = [0, 0];
  for (const find of asked) {
    const neighbours = lost
      .map((one) => ({ one, km: distanceKm(one.subject.point, find.subject.point) }))
      .sort((a, b) => a.km - b.km)
      .slice(0, NEIGHBOURS_MAX);
    const chosen = neighbours
      .map(({ one, km }) => {
        const days = find.prepared.values.time! - one.prepared.values.time!;
        const { radiusKm } = find.subject;
        const about = { species: "cat", km, radiusKm, days } as const;
        return { one, glance: firstGlance({ ...about, looks: [find.looks, one.looks] }) };
      })
      .sort((a, b) => b.glance - a.glance)
      .slice(0, CANDIDATES_MAX);
    const read = new Set(chosen.map(({ one }) => one));
    const best = neighbours
      .map(({ one }) => ({ one, match: score(one.prepared, find.prepared, context) }))
      .filter(({ match }) => match !== null)
      .sort((a, b) => b.match!.logOdds - a.match!.logOdds)
      .slice(0, 5);
    same += best.filter(({ one }) => read.has(one)).length;
    all += best.length;
  }

  expect(same / all).toBeGreaterThan(0.98);
});
