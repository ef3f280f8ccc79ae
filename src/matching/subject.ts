import type { Age, AlertType, GoesOutside, Sex, Size, Species } from "../core/alerts/alert.ts";
import { type Point, snap, type TownArea } from "../core/place.ts";
import { type FieldValues, readFields } from "./fields.ts";

/** Fields of an alert that matching reads. An `Alert` is one. */
export type MatchSubject = {
  readonly type: AlertType;
  readonly species: Species;
  readonly point: Point;
  /** Town whose centre the point is, if no more than the town is known (`Gazetteer.somewhere`). */
  readonly somewhere?: TownArea | null;
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
  /** Answer of a lost cat's owner; absent where somebody else's matches are scored. */
  readonly goesOutside?: GoesOutside | null;
};

/** Alert with its texts parsed, so that comparing two is a little arithmetic. */
export type PreparedSubject = {
  readonly type: AlertType;
  readonly species: Species;
  /** Centre of its public cell. */
  readonly point: Point;
  readonly somewhere: TownArea | null;
  readonly chipHash: string | null;
  readonly values: FieldValues;
};

export function prepareSubject(alert: MatchSubject): PreparedSubject {
  const { type, species, somewhere = null, chipHash } = alert;
  const point = snap(alert.point.lat, alert.point.lng);
  return { type, species, point, somewhere, chipHash, values: readFields({ ...alert, point }) };
}

type Private = Pick<MatchSubject, "chipHash" | "goesOutside">;

/**
 * Alert without its chip and its owner's private answer, as public matches read it. They reveal nothing about chips,
 * equal or not: otherwise anyone could find out whose a number is by publishing it, or even by previewing a form.
 */
export function withoutPrivate<Subject extends Private>(subject: Subject): Subject {
  return withoutAnswer({ ...subject, chipHash: null });
}

/**
 * Alert without its owner's private answer, as everybody else's matches read it: the score of a find at another distance
 * would reveal the answer.
 */
export function withoutAnswer<Subject extends Private>(subject: Subject): Subject {
  return { ...subject, goesOutside: null };
}
