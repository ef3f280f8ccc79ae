import type { BaseColor, BreedGroup, Looks } from "../matching/matching.ts";
import type { AlertType, Species } from "../values/animal.ts";
import type { Point } from "../values/point.ts";

/** Words that stand for one idea. Matches alerts of its species, and those that match an alternative. */
export type Concept = {
  readonly species: Species | null;
  readonly alternatives: readonly Alternative[];
};
/** Matches alerts that have all these terms as whole words, and none of the others. */
export type Alternative = { readonly all: readonly string[]; readonly none: readonly string[] };

/** Fields of an active alert that the index stores. `publishedAt` is the key. */
export type IndexedAlert = {
  readonly publishedAt: number;
  readonly point: Point;
  readonly species: Species;
  readonly type: AlertType;
  /** YYYY-MM-DD. */
  readonly eventDate: string;
  /** Searchable texts: name, breed, colour, quarter, city. Terms do not span texts. */
  readonly texts: readonly string[];
  /** Read for the filters by colour and breed group; unknown if absent. */
  readonly color?: string;
  readonly breed?: string;
  /** Slug of its organisation; none if absent. */
  readonly organisation?: string | null;
};

/** Latest state of an alert: stored in the index while active, removed otherwise. */
export type IndexChange =
  | { readonly kind: "put"; readonly alert: IndexedAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

/** Search query, parsed and within limits. A condition that is absent accepts all alerts. */
export type IndexQuery = {
  readonly near?: { readonly point: Point; readonly radiusKm: number } | undefined;
  readonly species?: Species | undefined;
  readonly type?: AlertType | undefined;
  /** Published at or after. */
  readonly since?: number | undefined;
  /** Terms from `tokenize`, each of which must be a prefix of a term of the alert. */
  readonly words?: readonly string[] | undefined;
  /** Each of them must match. */
  readonly concepts?: readonly Concept[] | undefined;
  /** Only animals of this base colour. */
  readonly color?: BaseColor | undefined;
  /** Only animals of this breed group, and so of its species. */
  readonly breedGroup?: BreedGroup | undefined;
  /** Only alerts of the organisation with this slug. */
  readonly organisation?: string | undefined;
  /** Only alerts published strictly before. */
  readonly before?: number | undefined;
  readonly limit: number;
};

/** Search query for the nearest alerts. `after` is the last alert of the page before. */
export type DistanceQuery = Omit<IndexQuery, "near" | "before"> & {
  readonly near: NonNullable<IndexQuery["near"]>;
  readonly after: AlertDistance | null;
};
/** Alert as a mark on a map, without anything that names it. */
export type AlertMark = Pick<IndexedAlert, "point" | "species" | "type">;

/** Key of an alert and its distance. */
export type AlertDistance = { readonly publishedAt: number; readonly km: number };

/** Query for the alerts nearest to a point. */
export type NearestQuery = {
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species;
  readonly type: AlertType;
  /**
   * Range of the event day, inclusive, in days since 1970. Alerts at the same distance are sorted by closeness to `own`.
   */
  readonly days: { readonly first: number; readonly last: number; readonly own: number };
  readonly limit: number;
};
export type Nearby = {
  /** Key of the alert. */
  readonly publishedAt: number;
  readonly point: Point;
  readonly km: number;
  /** Event day, in days since 1970. */
  readonly day: number;
  readonly looks: Looks;
};

/** In-memory index of all active alerts. A projection of the store that can be rebuilt at any time. */
export interface AlertIndex {
  /** `more`: further changes follow at once, so maintenance may be deferred. */
  apply(changes: readonly IndexChange[], options?: { readonly more: boolean }): void;
  /** Keys of the newest matching alerts, newest first. */
  search(query: IndexQuery): number[];
  /** Matching alerts by distance from the centre; at equal distance the newest first. */
  searchByDistance(query: DistanceQuery): readonly AlertDistance[];
  /** Number of matching alerts, of all pages, as far as `max`. */
  count(query: Omit<IndexQuery, "before" | "limit">, max: number): number;
  /** Marks of the newest matching alerts, newest first. */
  marks(query: IndexQuery): AlertMark[];
  /** Mark of an alert; null if there is none with this key. */
  mark(publishedAt: number): AlertMark | null;
  /** Those of the terms that an alert has, or lately had. */
  knownTerms(terms: readonly string[]): string[];
  /** Matching alerts, nearest first. */
  nearest(query: NearestQuery): Nearby[];
  readonly size: number;
}

/** Fields of an active zone that the index stores. */
export type IndexedZone = {
  readonly id: string;
  readonly point: Point;
  readonly radiusKm: number;
  /** Null for all. */
  readonly species: Species | null;
  readonly type: AlertType | null;
  readonly frequency: string;
};
export type ZoneChange =
  | { readonly kind: "put"; readonly zone: IndexedZone }
  | { readonly kind: "drop"; readonly id: string };

/** In-memory index of all active zones. */
export interface ZoneIndex {
  apply(changes: readonly ZoneChange[]): void;
  /**
   * Zones that cover the point and whose filters accept such an alert, in insertion order. The iteration is lazy:
   * a zone changed during it may appear twice, and one that ends during it may still appear.
   */
  covering(point: Point, species: Species, type: AlertType): Iterable<IndexedZone>;
  ids(): IteratorObject<string>;
  readonly size: number;
}
