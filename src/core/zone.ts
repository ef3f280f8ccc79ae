import { z } from "zod";
import { ALERT_TYPES, type AlertType, type Language, SPECIES, type Species } from "./alert.ts";
import { emailField, languageField, latField, lngField } from "./input.ts";
import type { Point } from "./place.ts";
import type { Gazetteer } from "./ports.ts";

/** A circle someone wants to hear about. */
export type Zone = {
  readonly id: string;
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species | null;
  readonly type: AlertType | null;
  readonly label: string | null;
  readonly email: string;
  readonly language: Language;
  readonly createdAt: number;
};

/** A zone as its subscriber sees it: without the address. */
export type ZoneFace = Pick<Zone, "point" | "radiusKm" | "species" | "type" | "label"> & {
  /** The town it lies around. */
  readonly town: string;
};

export function zoneFace(zone: Zone, gazetteer: Gazetteer): ZoneFace {
  const { point, radiusKm, species, type, label } = zone;
  return { point, radiusKm, species, type, label, town: gazetteer.nearest(point).name };
}

export const ZONE_RADIUS_KM_DEFAULT = 5;
export const ZONE_LABEL_MAX = 60;
export const ZONE_RADIUS_KM_MAX = 100;
/** Letters one zone gets in an hour before news is gathered. */
export const ZONE_LETTERS_AN_HOUR = 3;

/** Subscribing to a circle. */
export const zoneInput = z.object({
  lat: latField,
  lng: lngField,
  email: emailField.describe("Where the letters go; a confirmation letter comes first"),
  radiusKm: z
    .number()
    .min(1)
    .max(ZONE_RADIUS_KM_MAX)
    .describe(`Radius of the circle in km, ${ZONE_RADIUS_KM_DEFAULT} when absent`)
    .optional(),
  species: z.enum(SPECIES).describe("Only this species").optional(),
  type: z.enum(ALERT_TYPES).describe("Only lost, or only found, animals").optional(),
  label: z
    .string()
    .trim()
    .min(1)
    .max(ZONE_LABEL_MAX)
    .describe("The reader's own name for the zone, such as Home")
    .optional(),
  language: languageField.optional(),
});
export type ZoneInput = z.infer<typeof zoneInput>;
