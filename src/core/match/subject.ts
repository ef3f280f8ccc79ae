import type { Age, AlertType, Sex, Size, Species } from "../alert.ts";
import type { Point, Somewhere } from "../place.ts";
import { snap } from "../place.ts";
import { readFields, type Seen } from "./fields.ts";

/** All that matching reads of an alert. An `Alert` is one. */
export type MatchSubject = {
  readonly type: AlertType;
  readonly species: Species;
  readonly point: Point;
  /** The town, where the point is its centre and stands for all of it (`Gazetteer.somewhere`). */
  readonly somewhere?: Somewhere | null;
  /** YYYY-MM-DD */
  readonly eventDate: string;
  readonly name: string | null;
  readonly breed: string;
  readonly color: string;
  readonly size: Size;
  readonly sex: Sex;
  readonly age: Age;
  /** Keyed hash of the microchip number, or null. */
  readonly chipHash: string | null;
};

/** An alert as matching keeps it: words understood, so that comparing two is a little arithmetic. */
export type Subject = {
  readonly type: AlertType;
  readonly species: Species;
  /** Centre of its public cell. */
  readonly point: Point;
  readonly somewhere: Somewhere | null;
  readonly chipHash: string | null;
  readonly seen: Seen;
};

export function readSubject(alert: MatchSubject): Subject {
  const snapped = { ...alert, point: snap(alert.point.lat, alert.point.lng) };
  return {
    type: alert.type,
    species: alert.species,
    point: snapped.point,
    somewhere: alert.somewhere ?? null,
    chipHash: alert.chipHash,
    seen: readFields(snapped),
  };
}
