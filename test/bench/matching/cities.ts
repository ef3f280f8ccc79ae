import { type Figures, SOURCES } from "./parameters.ts";
import { randomFrom } from "../../../src/commands/demo/random.ts";
import type { CityPlan } from "./city.ts";

/** Of all finds some 60 % are posted. */
const PEOPLE_FOR_EACH_LOSS = 900;

/** Cities that constants were fitted on (`fit.ts`). Their figures differ, to avoid overfitting to one set. */
export const FITTED_ON: readonly CityPlan[] = [
  city("old town", { lat: 48.2, lng: 16.4 }, 6.5, 12, 650, {}),
  city("suburbs", { lat: 40.4, lng: -3.7 }, 14, 20, 650, { noise: 1.3, lookalikes: 0.08 }),
  city("valley", { lat: 45.2, lng: 5.7 }, 28, 14, 600, {
    noise: 0.9,
    foundAndPosted: { dog: 0.45, cat: 0.3 },
    ownerPosted: 0.45,
  }),
  city("quiet town", { lat: 53.1, lng: 8.8 }, 10, 10, 600, {
    noise: 1.1,
    foundAndPosted: { dog: 0.28, cat: 0.2 },
    ownerPosted: 0.32,
  }),
];

/** Cities that are reported: other densities, noise, positions on the grid and seeds. */
export const REPORTED: readonly CityPlan[] = [
  city("dense", { lat: 47.6, lng: -122.3 }, 8, 16, 650, {}),
  city("very dense, noisy", { lat: 41.4, lng: 2.2 }, 4.5, 10, 700, { noise: 1.6, lookalikes: 0.1 }),
  city("sparse", { lat: 52.4, lng: 13.1 }, 45, 30, 600, {}),
  city("far from the sources", { lat: 35.2, lng: -80.8 }, 16, 18, 650, {
    noise: 1.25,
    distances: stretched(1.8),
    delays: { dog: { median: 3, upper: 30 }, cat: { median: 8, upper: 90 } },
    foundAndPosted: { dog: 0.25, cat: 0.17 },
    ownerPosted: 0.3,
  }),
];

/** Cities of no one's choosing: everything that the others differ in is drawn. */
export function drawnCities(seed: number, count: number): CityPlan[] {
  const random = randomFrom(`cities ${seed}`);
  /** Even in logarithms. */
  const between = (least: number, most: number) => least * (most / least) ** random.next();
  return Array.from({ length: count }, (_, nth) => {
    const found = between(0.6, 1.2);
    return city(
      `drawn ${nth + 1}`,
      { lat: between(15, 48), lng: between(2, 120) },
      Math.round(between(5, 40)),
      Math.round(between(8, 30)),
      Math.round(between(300, 800)),
      {
        noise: between(0.8, 1.6),
        lookalikes: between(0.02, 0.12),
        distances: stretched(between(0.6, 1.7)),
        foundAndPosted: { dog: 0.35 * found, cat: 0.25 * found },
        ownerPosted: between(0.28, 0.5),
      },
    );
  });
}

function city(
  name: string,
  centre: CityPlan["centre"],
  radiusKm: number,
  quarters: number,
  lost: number,
  other: Partial<Figures>,
): CityPlan {
  const figures = { ...SOURCES, ...other };
  return {
    name,
    centre,
    radiusKm,
    quarters,
    lost,
    figures,
    people: Math.round(lost * PEOPLE_FOR_EACH_LOSS),
  };
}

export function stretched(by: number): Figures["distances"] {
  const stretch = (laws: Figures["distances"]["dog"]) =>
    laws.map((law) =>
      law.law === "weibull"
        ? { ...law, scaleKm: law.scaleKm * by }
        : { ...law, fromKm: law.fromKm * by, toKm: law.toKm * by },
    );
  return { dog: stretch(SOURCES.distances.dog), cat: stretch(SOURCES.distances.cat) };
}
