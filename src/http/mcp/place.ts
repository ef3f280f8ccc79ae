import type { FieldReason } from "../../core/fault-sentences.ts";
import type { Located, LocationInput, TownChoice } from "../../core/geocoder.ts";
import { badInput } from "../../core/input.ts";
import { type Point, snap } from "../../core/place.ts";
import type { Service } from "../../core/service.ts";
import { snakeCase } from "../api/field-names.ts";

/** Place of a call as it was read: `name` and `notes` are for the answer. */
export type PlaceRead = {
  readonly point: Point;
  readonly name: string;
  readonly notes: readonly string[];
};

/**
 * Reads a place by name, by position, or both. `field` is the parameter with the name. Throws `bad_input` if it names
 * nothing, with the nearest spellings, or if nothing is given.
 */
export async function readPlace(
  { locate }: Pick<Service, "locate">,
  input: LocationInput,
  field: string,
): Promise<PlaceRead> {
  const located = await locate(input);
  switch (located?.kind) {
    case undefined:
      throw badInput([{ field, reason: { kind: "missing" } }]);
    case "unknown": {
      const towns = located.alike.map(nameOf).join("; ");
      const reason: FieldReason =
        towns === "" ? { kind: "unknown_town" } : { kind: "town_like", towns };
      throw badInput([{ field, reason }]);
    }
    case "known":
      return {
        point: located.point,
        name: nameOf(located.town),
        notes: placeNotes(located, input.point, snakeCase(field)),
      };
  }
}

function placeNotes(
  { town, point, rivals, unread }: Extract<Located, { kind: "known" }>,
  pin: Point | undefined,
  field: string,
): string[] {
  const notes: string[] = [];
  if (unread !== null)
    notes.push(
      `Of ${field}, only ${nameOf(town)} was understood; its centre stands for the place.`,
    );
  if (rivals.length > 0) notes.push(`${field} may also mean ${rivals.map(nameOf).join("; ")}.`);
  const snapped = pin === undefined ? point : snap(pin.lat, pin.lng);
  if (snapped.lat !== point.lat || snapped.lng !== point.lng)
    notes.push(`The coordinates are far from ${nameOf(town)}; ${field} was used instead.`);
  return notes;
}

function nameOf({ name, near, countryCode }: TownChoice): string {
  return `${name}${near === null ? "" : ` near ${near}`}, ${countryCode}`;
}
