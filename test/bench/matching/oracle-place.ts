import type { Point } from "../../../src/values/point.ts";
import { randomFrom } from "../../../src/commands/demo/random.ts";
import {
  ANYWHERE_SHARE,
  type BenchAlert,
  type City,
  drawnHome,
  KM_PER_DEGREE,
  losses,
  placeOf,
  straysPerDay,
} from "./city.ts";
import type { BenchSpecies, DistanceLaw } from "./parameters.ts";

const RINGS_PER_E = 16;
const RING_KM_MIN = 0.003;
const RING_KM_MAX = 60;
const BEARING_KM = 0.2;
const BEARINGS_MIN = 24;
/** Beyond this distance the centre of a cell is used. */
const EXACT_KM_MAX = 8;

/** Density per km² of a find in one cell after a loss in another, by the city's own laws. */
export function landing(
  city: City,
  species: BenchSpecies,
): (lost: BenchAlert, found: BenchAlert) => number {
  const groups = city.plan.figures.distances[species];
  const nearer = (km: number) =>
    groups.reduce((sum, law) => sum + law.share * nearerThan(km, law), 0);
  const cells = new Map<string, number>();
  const height = 0.01 * KM_PER_DEGREE;
  const step = Math.abs(city.plan.centre.lat) < 50 ? 0.01 : 0.02;
  const width = step * KM_PER_DEGREE * Math.cos((city.plan.centre.lat * Math.PI) / 180);

  return ({ subject: lost }, { subject: found }) => {
    const rows = Math.abs(Math.round((found.point.lat - lost.point.lat) * 100));
    const columns = Math.abs(Math.round((found.point.lng - lost.point.lng) / step));
    const key = `${rows} ${columns}`;
    const known = cells.get(key);
    if (known !== undefined) return known;
    const density = cellDensity(columns * width, rows * height);
    cells.set(key, density);
    return density;
  };

  function cellDensity(east: number, north: number): number {
    const km = Math.hypot(east, north);
    if (km > EXACT_KM_MAX) return ringDensity(nearer, km);
    let density = 0;
    let inner = 0;
    const rings = Math.ceil(Math.log(RING_KM_MAX / RING_KM_MIN) * RINGS_PER_E);
    for (let ring = 0; ring <= rings; ring++) {
      const outer = RING_KM_MIN * Math.exp(ring / RINGS_PER_E);
      const middle = (inner + outer) / 2;
      if (Math.abs(middle - km) <= Math.hypot(width, height)) {
        density += (nearer(outer) - nearer(inner)) * meanTriangle(east, north, middle);
      }
      inner = outer;
    }
    return density;
  }

  function meanTriangle(east: number, north: number, stepKm: number): number {
    const bearings = Math.max(BEARINGS_MIN, Math.ceil((2 * Math.PI * stepKm) / BEARING_KM));
    let total = 0;
    for (let nth = 0; nth < bearings; nth++) {
      const bearing = ((nth + 0.37) / bearings) * 2 * Math.PI;
      const x = Math.abs(east - stepKm * Math.cos(bearing)) / width;
      const y = Math.abs(north - stepKm * Math.sin(bearing)) / height;
      total += Math.max(0, 1 - x) * Math.max(0, 1 - y);
    }
    return total / bearings / (width * height);
  }
}

function nearerThan(km: number, law: DistanceLaw): number {
  switch (law.law) {
    case "weibull":
      return 1 - Math.exp(-((km / law.scaleKm) ** law.shape));
    case "log-uniform":
      return Math.min(1, Math.max(0, Math.log(km / law.fromKm) / Math.log(law.toKm / law.fromKm)));
  }
}

/** A find farther than this from its home is not where people live, but anywhere around. */
const NEAR_KM = 2;
const HOMES = 400;

/** Unrelated finds per day and km² at a place: strays, and other lost animals that wandered there. */
export function unrelatedFinds(city: City, species: BenchSpecies): (point: Point) => number {
  const { plan } = city;
  const missed = losses(plan, species).perDay * plan.figures.foundAndPosted[species];
  const strays = straysPerDay(plan, species);
  const laws = plan.figures.distances[species];
  const nearer = (km: number) =>
    laws.reduce((sum, law) => sum + law.share * nearerThan(km, law), 0);
  const near = nearer(NEAR_KM);
  const random = randomFrom("homes");
  const homes = Array.from({ length: HOMES }, () => drawnHome(plan, city.quarters, random));
  const cells = new Map<string, number>();

  return (point) => {
    const key = `${point.lat} ${point.lng}`;
    const known = cells.get(key);
    if (known !== undefined) return known;
    const { east, north } = placeOf(plan.centre, point);
    const far = homes.reduce((sum, home) => {
      const km = Math.hypot(east - home.east, north - home.north);
      return km < NEAR_KM ? sum : sum + ringDensity(nearer, km) / HOMES;
    }, 0);
    const density = (strays + missed * near) * homesPerKm2(city, east, north) + missed * far;
    cells.set(key, density);
    return density;
  };
}

function ringDensity(nearer: (km: number) => number, km: number): number {
  const [inner, outer] = [km / 1.02, km * 1.02];
  return (nearer(outer) - nearer(inner)) / (Math.PI * (outer ** 2 - inner ** 2));
}

function homesPerKm2({ plan, quarters }: City, east: number, north: number): number {
  const inside = Math.hypot(east, north) <= plan.radiusKm ? 1 / (Math.PI * plan.radiusKm ** 2) : 0;
  return quarters.reduce(
    (sum, one) =>
      sum + one.share * bell(Math.hypot(east - one.east, north - one.north), one.spreadKm),
    ANYWHERE_SHARE * inside,
  );
}

function bell(km: number, spreadKm: number): number {
  return Math.exp(-((km / spreadKm) ** 2) / 2) / (2 * Math.PI * spreadKm ** 2);
}
