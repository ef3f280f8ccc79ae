import type { Subject } from "../../src/matching/subject.ts";
import { cellRadiusKm, type Point } from "../../src/values/point.ts";

/** Lost cat of which nothing else is known, in Lyon. */
export const BLANK_CAT: Omit<Subject, "radiusKm"> = {
  type: "lost",
  species: "cat",
  point: { lat: 45.77, lng: 4.83 },
  town: null,
  eventDate: "2026-05-01",
  publishedAt: 0,
  name: null,
  breed: "unknown",
  color: "unknown",
  size: "unknown",
  sex: "unknown",
  age: "unknown",
  chipHash: null,
};

/** Lost cat, changed as given; its point stands for its cell unless a radius is given. */
export function catWith(about: Partial<Subject> = {}): Subject {
  const cat = { ...BLANK_CAT, ...about };
  return { radiusKm: cellRadiusKm(cat.point), ...cat };
}

/** Point so many cells north. */
export const north = ({ lat, lng }: Point, cells: number): Point => ({
  lat: Math.round(lat * 100 + cells) / 100,
  lng,
});

/** People per km² of a town without end, for statistics that need no gazetteer. */
export const townPeople = () => 3_000;
