/** Position in degrees (WGS 84). All stored and compared points are snapped. */
export type Point = { readonly lat: number; readonly lng: number };

/** Position known only by its town: anywhere within a radius of the town's centre. */
export type TownArea = { readonly town: string; readonly radiusKm: number };

/** Closed rectangle in degrees with west <= east; one across the date line is split into two. */
export type Box = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/** Distance from its centre up to which a position agrees with the place named with it. */
export const TOWN_REACH_KM = 40;

/** Mean radius of the Earth in km (IUGG: R1 of GRS 80, 6371.0088). */
export const EARTH_RADIUS_KM = 6371.0088;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/**
 * Centre of the public grid cell that contains a position, about 1 km wide: latitude in steps of 0.01 degrees,
 * longitude in steps of 0.01 below 50 degrees of latitude, 0.02 to 70, 0.05 above. The same position always gives
 * the same cell, so repeated requests reveal nothing more. Longitude 180 is written as -180.
 */
export function snap(lat: number, lng: number): Point {
  const snappedLat = Math.round(lat * 100) / 100;
  const stepsPerDegree = longitudeStepsPerDegree(snappedLat);
  const snappedLng = Math.round(lng * stepsPerDegree) / stepsPerDegree;
  return { lat: snappedLat + 0, lng: (snappedLng === 180 ? -180 : snappedLng) + 0 };
}

/** Radius in km of a disc with the area of the grid cell around a snapped point. */
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
 * Rectangles that together contain every point within `radiusKm` of `centre`: one, two where the circle crosses
 * the date line, a full band of longitudes if it contains a pole.
 * Source of the longitude bound: J. P. Matuschek, "Finding points within a distance of a latitude/longitude".
 */
export function boxesAround(centre: Point, radiusKm: number): Box[] {
  // Slightly wider than the circle, so that rounding cannot leave a point on its edge outside.
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
