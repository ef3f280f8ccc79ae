import { boxesAround, distanceKm, EARTH_RADIUS_KM, type Point } from "../values/point.ts";

/**
 * Grid cells of 0.01 degree, counted from the South Pole northward and from the date line eastward. Snapped points are
 * exactly on the grid. A cell is packed into one integer: northing * 65536 + easting.
 */
const LAT_STEPS = 9_000;
const LNG_STEPS = 18_000;

/** Cell of a snapped point. */
export function cellOf(point: Point): number {
  const northing = Math.round(point.lat * 100) + LAT_STEPS;
  const easting = Math.round(point.lng * 100) + LNG_STEPS;
  return (northing << 16) | easting;
}

/** Snapped point of a cell. */
export function pointOf(cell: number): Point {
  return {
    lat: (northingOf(cell) - LAT_STEPS) / 100,
    lng: (eastingOf(cell) - LNG_STEPS) / 100,
  };
}

export const northingOf = (cell: number) => cell >>> 16;
export const eastingOf = (cell: number) => cell & 0xffff;

/** Rectangle of cells, bounds included. */
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

/** Circle on the ground. */
export type Circle = {
  /** Disjoint boxes that contain the circle: one, or two where it crosses the date line. */
  readonly boxes: readonly [GridBox, ...GridBox[]];
  /** Box without any covered cell, where the circle is a ring. */
  readonly hole?: GridBox | null;
  /** True if the great-circle distance from the centre to the cell's point is at most the radius. */
  covers(cell: number): boolean;
};

export function circleAround(centre: Point, radiusKm: number): Circle {
  const [box, ...otherBoxes] = boxesAround(centre, radiusKm).map((degrees) => ({
    west: Math.floor(degrees.west * 100) + LNG_STEPS,
    south: Math.floor(degrees.south * 100) + LAT_STEPS,
    east: Math.ceil(degrees.east * 100) + LNG_STEPS,
    north: Math.ceil(degrees.north * 100) + LAT_STEPS,
  }));
  if (box === undefined) throw new Error("A circle has no bounding box");
  const lat = centre.lat * RADIANS;
  const lng = centre.lng * RADIANS;
  const [x, y, z] = [Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)];
  const radiusCosine = cosineOfDistance(radiusKm);

  function covers(cell: number): boolean {
    const northing = northingOf(cell);
    const easting = eastingOf(cell);
    // Dot product of two unit vectors. A cosine is the sine a quarter turn (9,000 steps) further on.
    const cosine =
      SINES[northing + LAT_STEPS]! * z +
      SINES[northing + 2 * LAT_STEPS]! * (SINES[easting + LAT_STEPS]! * x + SINES[easting]! * y);
    if (cosine > radiusCosine + COSINE_ERROR) return true;
    if (cosine < radiusCosine - COSINE_ERROR) return false;
    return distanceKm(centre, pointOf(cell)) <= radiusKm;
  }
  return { boxes: [box, ...otherBoxes], covers };
}

/** Ratio of half a side of the box inside a circle to its radius; below the square root of 1/2, because meridians converge. */
const HALF_SIDE = 0.65;

/** Box of cells that are all within `radiusKm` of the centre; null if it would cross the date line or is near a pole. */
export function boxInside(centre: Point, radiusKm: number): GridBox | null {
  const halfHeight = (HALF_SIDE * radiusKm) / EARTH_RADIUS_KM / RADIANS;
  const halfWidth = halfHeight / Math.cos(centre.lat * RADIANS);
  const south = centre.lat - halfHeight;
  const north = centre.lat + halfHeight;
  const west = centre.lng - halfWidth;
  const east = centre.lng + halfWidth;
  if (south < -90 || north > 90 || west < -180 || east > 180) return null;
  // Corners are the farthest points of a box that is symmetric about the meridian of its centre.
  const cornerKm = Math.max(
    distanceKm(centre, { lat: south, lng: west }),
    distanceKm(centre, { lat: north, lng: west }),
  );
  if (cornerKm > radiusKm) return null;
  return {
    west: Math.ceil(west * 100) + LNG_STEPS,
    south: Math.ceil(south * 100) + LAT_STEPS,
    east: Math.floor(east * 100) + LNG_STEPS,
    north: Math.floor(north * 100) + LAT_STEPS,
  };
}

const RADIANS = Math.PI / 180;

/** Sines from -180 degrees upward, one per step: comparing cosines is much cheaper than `distanceKm`. */
const SINES = Float64Array.from({ length: 45_001 }, (_, step) =>
  Math.sin((step / 100 - 180) * RADIANS),
);

/**
 * About ten times the rounding error of either formula for the cosine of a distance. Within this margin (less than a
 * millimetre for a radius of 5 km) `distanceKm` decides, so that the index always agrees with the distance shown.
 */
const COSINE_ERROR = 1e-14;

/** -2, less than any cosine, for a radius that covers the whole Earth. */
function cosineOfDistance(km: number): number {
  const angle = km / EARTH_RADIUS_KM;
  return angle < Math.PI ? Math.cos(angle) : -2;
}
