/** A position in degrees (WGS 84). Every point the service keeps or compares has been through `snap`. */
export type Point = { readonly lat: number; readonly lng: number };

/** A place of which no more is known than the town: anywhere within so many km of the town's centre alike. */
export type Somewhere = { readonly town: string; readonly radiusKm: number };

/** A closed rectangle in degrees with west <= east; a rectangle over the date line is given as two. */
export type Box = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** Mean radius of the Earth in km (IUGG: R1 of GRS 80, 6371.0088). */
export const EARTH_RADIUS_KM = 6371.0088;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/**
 * The centre of the public grid cell a position falls into, about 1 km wide: latitude in steps of 0.01 degrees,
 * longitude in steps of 0.01 below 50 degrees of latitude, 0.02 to 70, 0.05 above. The same position always gives
 * the same cell, so asking often tells nothing more. Longitude 180 is written as -180.
 */
export function snap(lat: number, lng: number): Point {
  const snappedLat = Math.round(lat * 100) / 100;
  const stepsPerDegree = longitudeStepsPerDegree(snappedLat);
  const snappedLng = Math.round(lng * stepsPerDegree) / stepsPerDegree;
  return { lat: snappedLat + 0, lng: (snappedLng === 180 ? -180 : snappedLng) + 0 };
}

/** The radius in km of a disc as large as the public grid's cell around a snapped point. */
export function cellRadiusKm({ lat }: Point): number {
  const heightKm = (0.01 / DEGREES_PER_RADIAN) * EARTH_RADIUS_KM;
  const widthKm =
    (Math.cos(lat / DEGREES_PER_RADIAN) * 100 * heightKm) / longitudeStepsPerDegree(lat);
  return Math.sqrt((heightKm * widthKm) / Math.PI);
}

function longitudeStepsPerDegree(lat: number): number {
  const distanceFromEquator = Math.abs(lat);
  if (distanceFromEquator < 50) return 100;
  return distanceFromEquator <= 70 ? 50 : 20;
}

/** Great-circle distance in km by the haversine formula (R. W. Sinnott, Sky and Telescope 68:159, 1984). */
export function distanceKm(a: Point, b: Point): number {
  const halfLat = (b.lat - a.lat) / DEGREES_PER_RADIAN / 2;
  const halfLng = (b.lng - a.lng) / DEGREES_PER_RADIAN / 2;
  const h =
    Math.sin(halfLat) ** 2 +
    Math.cos(a.lat / DEGREES_PER_RADIAN) *
      Math.cos(b.lat / DEGREES_PER_RADIAN) *
      Math.sin(halfLng) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/**
 * The rectangles that together hold every point within `radiusKm` of `centre`: one, two where the circle crosses
 * the date line, a full band of longitudes where it holds a pole.
 * Source of the longitude bound: J. P. Matuschek, "Finding points within a distance of a latitude/longitude".
 */
export function boxesAround(centre: Point, radiusKm: number): Box[] {
  // A little wider than the circle, so that rounding never leaves a point on its rim outside the box.
  const radius = (radiusKm / EARTH_RADIUS_KM) * (1 + 1e-9) + 1e-9;
  const lat = centre.lat / DEGREES_PER_RADIAN;
  const south = Math.max(-90, (lat - radius) * DEGREES_PER_RADIAN);
  const north = Math.min(90, (lat + radius) * DEGREES_PER_RADIAN);
  if (south === -90 || north === 90) return [{ west: -180, south, east: 180, north }];

  const halfWidth = Math.asin(Math.sin(radius) / Math.cos(lat)) * DEGREES_PER_RADIAN;
  const west = centre.lng - halfWidth;
  const east = centre.lng + halfWidth;
  if (west < -180) {
    return [
      { west: west + 360, south, east: 180, north },
      { west: -180, south, east, north },
    ];
  }
  if (east > 180) {
    return [
      { west, south, east: 180, north },
      { west: -180, south, east: east - 360, north },
    ];
  }
  return [{ west, south, east, north }];
}
