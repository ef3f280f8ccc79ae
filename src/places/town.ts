import type { Box, Point, TownArea } from "../values/point.ts";

export type Town = {
  readonly name: string;
  /** Town of a quarter, village or postcode. */
  readonly city?: string;
  /** Quarter or village in that town. */
  readonly district?: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly point: Point;
  readonly population: number;
};

/** Area with one postcode. */
export type PostcodeArea = {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Middle of its places, on the public grid. */
  readonly point: Point;
  /** Name of its town. */
  readonly town: string;
  /** Postcode, where the text has it with a zero lost. */
  readonly written?: string;
  /** Evidence of the country: its letters, a form that only its postcodes have, or digits alone. */
  readonly says: "country" | "form" | "digits";
};

/** Embedded gazetteer. */
export interface Gazetteer {
  /**
   * Town that a point belongs to: the nearest one, but a quarter yields its city, and a city reaches further than a
   * village.
   */
  nearest(point: Point): Town;
  /** Quarter, of the town that a point belongs to, in which it lies; null where none is known. */
  quarter(point: Point): Town | null;
  /** Town in whose built-up area a point lies, or null. */
  townAround(point: Point): Town | null;
  /** Nearest other city of at least 100,000 people, to tell a town from its namesakes. */
  cityNear(town: Town): Town;
  /**
   * Towns with this name, ignoring case and accents, most populous first, then villages and districts of unknown
   * population. `prefix` also finds longer names of towns that begin with it; `near` restricts the search to a circle,
   * `region` to the states, provinces or parts of a country with this name or abbreviation ("Texas", "TX"). Large cities
   * are also found by their names in other languages, and then carry the name they were found by.
   */
  find(
    name: string,
    options?: {
      readonly countryCode?: string;
      readonly region?: string;
      readonly prefix?: boolean;
      readonly near?: { readonly point: Point; readonly radiusKm: number };
      readonly limit?: number;
    },
  ): Town[];
  /** Areas with a postcode written like this, in any country that the postcode table has. */
  postcodes(text: string): PostcodeArea[];
  /**
   * Town that a snapped point may stand for, because people who know only the town give its centre: the most populous
   * town or quarter with its centre in the point's cell. Null if there is none, or it is no larger than the cell.
   */
  townCentredAt(point: Point): TownArea | null;
  /**
   * People per km² around a point: a mean weighted by a normal distribution with this standard deviation. Includes those
   * who live outside of any town.
   */
  peoplePerKm2(point: Point, spreadKm: number): number;
  /** Rectangle in which nearly all people of a country (ISO 3166-1 alpha-2) live; null for an unknown one. */
  inhabitedBox(countryCode: string): Box | null;
  /** Random town with a probability proportional to its population; `random` is in [0, 1). */
  draw(random: number): Town;
  readonly size: number;
}
