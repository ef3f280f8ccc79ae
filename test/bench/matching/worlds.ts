import { randomFrom } from "../../../src/commands/demo/random.ts";
import { COUNTRY_DENSITY } from "../../../src/places/extent.ts";
import { stretched } from "./cities.ts";
import { type City, type CityPlan, makeCity } from "./city.ts";
import { SOURCES } from "./parameters.ts";

/**
 * Services that few or many people use. Apart: owners and finders post independently of each other, so a lost animal's
 * find is posted as often as any find. Together: half of them are, as in a village where everybody knows the service.
 */
export type World = {
  readonly name: string;
  readonly use: "apart" | "together";
  /** Share of all strays found that are posted. */
  readonly coverage: number;
  readonly people: number;
  /** Posted losses of an instance. */
  readonly lost: number;
  readonly instances: number;
  /** Whether one mailbox published every alert, of which the instance then learns little. */
  readonly oneOwner?: boolean;
};

/** Stray dogs or cats a year for 1,000 people: figures of 2019 (`density.ts`), a little below what the score assumes. */
const STRAYS_A_YEAR = 4.75;
/** Share of the lost animals that somebody finds; the score assumes two in five. */
const FOUND_SHARE = { dog: 0.5, cat: 0.35 };
/** Share of the finds of posted losses that are posted where people use the service together. */
const POSTED_TOGETHER = 0.5;

const COVERAGES = [
  { coverage: 0.01, lost: 27, instances: 24 },
  { coverage: 0.05, lost: 120, instances: 8 },
  { coverage: 0.25, lost: 600, instances: 2 },
  { coverage: 0.6, lost: 1_000, instances: 1 },
  { coverage: 1, lost: 1_000, instances: 1 },
] as const;

/** Every share of all finds that is posted, apart and together; from 60 % on, together is apart. */
export const WORLDS: readonly World[] = [
  ...COVERAGES.flatMap((world) =>
    (["apart", "together"] as const)
      .filter((use) => use === "apart" || world.coverage <= POSTED_TOGETHER)
      .map((use) => ({
        ...world,
        use,
        name: `${100 * world.coverage}% posted, ${use}`,
        people: 850_000,
      })),
  ),
  ...(["apart", "together"] as const).flatMap((use) => [
    { name: `12 losses, ${use}`, use, coverage: 0.02, people: 2_000_000, lost: 12, instances: 40 },
    { name: `village, ${use}`, use, coverage: 0.3, people: 3_000, lost: 12, instances: 60 },
  ]),
  ...[COVERAGES[2], COVERAGES[4]].map((world) => ({
    ...world,
    use: "apart" as const,
    name: `${100 * world.coverage}% posted, one owner`,
    people: 850_000,
    oneOwner: true,
  })),
];

/** An instance of a world: radius, noise, lookalikes, distances and how many are found differ. */
export function instanceOf(world: World, seed: number): City {
  const random = randomFrom(`world ${world.name} ${seed}`);
  /** Even in logarithms. */
  const between = (least: number, most: number) => least * (most / least) ** random.next();
  const radiusKm = Math.max(2, Math.sqrt(world.people / Math.PI / between(700, 6_000)));
  const found = between(0.7, 1.3);
  const posted = world.use === "apart" ? world.coverage : Math.max(world.coverage, POSTED_TOGETHER);
  const people = world.people + COUNTRY_DENSITY * Math.PI * radiusKm ** 2;
  const plan: CityPlan = {
    name: world.name,
    centre: { lat: between(20, 48), lng: between(2, 120) },
    radiusKm,
    quarters: 14,
    lost: world.lost,
    people: world.people,
    straysPerDay: ((people * STRAYS_A_YEAR) / 1000 / 365) * world.coverage,
    figures: {
      ...SOURCES,
      noise: between(0.9, 1.6),
      lookalikes: between(0.02, 0.12),
      distances: stretched(between(0.7, 1.5)),
      foundAndPosted: {
        dog: FOUND_SHARE.dog * found * posted,
        cat: FOUND_SHARE.cat * found * posted,
      },
    },
  };
  return makeCity(plan, seed);
}
