import { prepare } from "../../../src/matching/fields.ts";
import { score } from "../../../src/matching/score.ts";
import { createStatistics } from "../../../src/matching/statistics.ts";
import type { Subject } from "../../../src/matching/subject.ts";
import { cellRadiusKm, type Point, snap } from "../../../src/values/point.ts";
import { pointAt } from "./city.ts";
import type { Gazetteer } from "../../../src/places/town.ts";

/** Places of the pairs on the first day; the points are in the middle of real towns. */
export const FIRST_DAY_PLACES: readonly {
  readonly name: string;
  readonly centre: Point;
  /** Radius in km within which the other alerts are. */
  readonly radiusKm: number;
}[] = [
  { name: "open country (Lozère)", centre: { lat: 44.5, lng: 3.4 }, radiusKm: 15 },
  { name: "town of 50,000 (Annecy)", centre: { lat: 45.9, lng: 6.12 }, radiusKm: 2 },
  { name: "city of 500,000 (Lyon)", centre: { lat: 45.76, lng: 4.84 }, radiusKm: 6 },
  {
    name: "city of 5,000,000 (Saint Petersburg)",
    centre: { lat: 59.94, lng: 30.32 },
    radiusKm: 18,
  },
];
export const FIRST_DAY_ALERTS = [2, 10, 50, 200] as const;

const ANIMAL = {
  name: null,
  breed: "unknown",
  color: "grey tabby",
  size: "small",
  sex: "female",
  age: "adult",
  chipHash: null,
  town: null,
} as const;
/** 20 May 2026, in days since 1970. */
const TODAY = 20_593;
const COLORS = ["black", "black and white", "grey tabby", "orange", "white", "brown"];

export type FirstDayScores = {
  readonly contradiction: number;
  readonly stranger: number;
  readonly twin: number;
  /** Twin in the next cell. */
  readonly twinBeside: number;
};

/** Scores of four finds, each the only one of its kind among the alerts: cats and dogs, the worst of both. */
export function firstDayScores(
  gazetteer: Pick<Gazetteer, "peoplePerKm2">,
  { centre, radiusKm }: (typeof FIRST_DAY_PLACES)[number],
  alerts: number,
): FirstDayScores {
  const point = snap(centre.lat, centre.lng);
  const scores = (["cat", "dog"] as const).map((species) => {
    const at = { point, radiusKm: cellRadiusKm(point), publishedAt: 0 };
    const lost: Subject = { ...ANIMAL, ...at, type: "lost", species, eventDate: "2026-05-01" };
    const found = { ...lost, type: "found", eventDate: "2026-05-02", publishedAt: 1 } as const;
    const scoreOf = (find: Subject) => {
      const statistics = createStatistics(gazetteer.peoplePerKm2, 30);
      const others = Array.from({ length: alerts - 2 }, (_, nth): Subject => ({
        ...lost,
        type: nth % 2 === 0 ? "found" : "lost",
        color: COLORS[nth % COLORS.length]!,
        point: around(centre, radiusKm, nth, alerts),
      }));
      const all = [lost, find, ...others];
      for (const one of all) if (one.type === "found") statistics.density.add(one);
      const prepared = all.map(prepare);
      const founds = prepared.filter(({ type }) => type === "found");
      const losses = prepared.filter(({ type }) => type === "lost");
      const pairs = losses.map((one) => ({ lost: one, founds }));
      statistics.learn(species, pairs, TODAY);
      return score(prepared[0]!, prepared[1]!, statistics.context)!.score;
    };
    return {
      contradiction: scoreOf({ ...found, color: "black", size: "large", sex: "male" }),
      stranger: scoreOf({
        ...found,
        color: "unknown",
        size: "unknown",
        sex: "unknown",
        age: "unknown",
      }),
      twin: scoreOf(found),
      twinBeside: scoreOf({ ...found, point: snap(point.lat + 0.01, point.lng) }),
    };
  });
  return {
    contradiction: Math.max(...scores.map((one) => one.contradiction)),
    stranger: Math.max(...scores.map((one) => one.stranger)),
    twin: Math.min(...scores.map((one) => one.twin)),
    twinBeside: Math.min(...scores.map((one) => one.twinBeside)),
  };
}

/** The nth of many points that are spread evenly over a disc: H. Vogel's sunflower, 1979. */
function around(centre: Point, radiusKm: number, nth: number, points: number): Point {
  const km = radiusKm * Math.sqrt((nth + 0.5) / points);
  const bearing = nth * Math.PI * (3 - Math.sqrt(5));
  const { lat, lng } = pointAt(centre, {
    east: km * Math.cos(bearing),
    north: km * Math.sin(bearing),
  });
  return snap(lat, lng);
}
