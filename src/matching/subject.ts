import {
  type Age,
  type AlertType,
  type Sex,
  type Size,
  SPECIES,
  type Species,
} from "../values/animal.ts";
import type { Point } from "../values/point.ts";

/** Lost or found animal, as its alert describes it. */
export type Subject = {
  readonly type: AlertType;
  readonly species: Species;
  /** Middle of the public cell, or of the town if no more is known. */
  readonly point: Point;
  /** Radius in km of the area that the point stands for. */
  readonly radiusKm: number;
  /** Name of the town if no more than it is known, else null. */
  readonly town: string | null;
  /** Day it was lost or found, YYYY-MM-DD. */
  readonly eventDate: string;
  /** Time of publication in milliseconds; null before it. */
  readonly publishedAt: number | null;
  /** Time of its last change; that of publication when absent. */
  readonly updatedAt?: number;
  readonly name: string | null;
  readonly breed: string;
  readonly color: string;
  readonly size: Size;
  readonly sex: Sex;
  readonly age: Age;
  /** Keyed hash of the microchip number; null if unknown, or not to be compared. */
  readonly chipHash: string | null;
};

/** A value computed once for each species. */
export function bySpecies<Value>(
  of: (species: Species) => Value,
): Readonly<Record<Species, Value>> {
  const values = SPECIES.map((species) => [species, of(species)]);
  return Object.fromEntries(values) as Record<Species, Value>;
}
