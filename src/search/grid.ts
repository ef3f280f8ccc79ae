import { boxesAround, distanceKm, EARTH_RADIUS_KM, type Point } from "../core/place.ts";

/**
 * The index counts in hundredths of a degree, from the South Pole up and from the date line eastward: snapped points
 * lie on whole ones. A place is one number: northing * 65536 + easting.
 */
const LAT_STEPS = 9_000;
const LNG_STEPS = 18_000;

/** The place of a snapped point. */
export function placeOf(point: Point): number {
  const northing = Math.round(point.lat * 100) + LAT_STEPS;
  const easting = Math.round(point.lng * 100) + LNG_STEPS;
  return (northing << 16) | easting;
}

/** The snapped point of a place. */
export function pointOf(place: number): Point {
  return {
    lat: (northingOf(place) - LAT_STEPS) / 100,
    lng: (eastingOf(place) - LNG_STEPS) / 100,
  };
}

export const northingOf = (place: number) => place >>> 16;
export const eastingOf = (place: number) => place & 0xffff;

/** A closed rectangle in steps of the grid. */
export type GridBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

export const WHOLE_EARTH: GridBox = {
  west: 0,
  south: 0,
  east: 2 * LNG_STEPS,
  north: 2 * LAT_STEPS,
};

/** A circle on the ground. */
export type Circle = {
  /** Boxes that hold all of it and do not overlap: one, or two where it crosses the date line. */
  readonly boxes: readonly [GridBox, ...GridBox[]];
  /** Whether the great-circle distance from the centre is at most the radius. */
  covers(place: number): boolean;
};

export function circleAround(centre: Point, radiusKm: number): Circle {
  const [box, ...otherBoxes] = boxesAround(centre, radiusKm).map((degrees) => ({
    west: Math.floor(degrees.west * 100) + LNG_STEPS,
    south: Math.floor(degrees.south * 100) + LAT_STEPS,
    east: Math.ceil(degrees.east * 100) + LNG_STEPS,
    north: Math.ceil(degrees.north * 100) + LAT_STEPS,
  }));
  if (box === undefined) throw new Error("A circle lies in no box");
  const lat = centre.lat * RADIANS;
  const lng = centre.lng * RADIANS;
  const [x, y, z] = [Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)];
  const rim = cosineOfDistance(radiusKm);

  function covers(place: number): boolean {
    const northing = northingOf(place);
    const easting = eastingOf(place);
    // The sine of a latitude, and of a longitude; a quarter turn further on stand their cosines.
    const cosine =
      SINES[northing + LAT_STEPS]! * z +
      SINES[northing + 2 * LAT_STEPS]! * (SINES[easting + LAT_STEPS]! * x + SINES[easting]! * y);
    if (cosine > rim + DOUBT) return true;
    if (cosine < rim - DOUBT) return false;
    return distanceKm(centre, pointOf(place)) <= radiusKm;
  }
  return { boxes: [box, ...otherBoxes], covers };
}

const RADIANS = Math.PI / 180;

/** Sines of -180 degrees and on, by the step: comparing cosines of distances is much cheaper than `distanceKm`. */
const SINES = Float64Array.from({ length: 45_001 }, (_, step) =>
  Math.sin((step / 100 - 180) * RADIANS),
);

/**
 * Some ten times the rounding error of either way to the cosine of a distance. Closer to the rim than this (less
 * than a millimetre at 5 km) `distanceKm` decides, so that the index never disagrees with the distance shown.
 */
const DOUBT = 1e-14;

/** -2, less than any cosine, for a radius that reaches round the Earth. */
function cosineOfDistance(km: number): number {
  const angle = km / EARTH_RADIUS_KM;
  return angle < Math.PI ? Math.cos(angle) : -2;
}
