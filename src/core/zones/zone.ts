import { z } from "zod";
import type { Language } from "../../messages/languages.ts";
import { emailField, languageField, latField, lngField } from "../input.ts";
import type { Removed } from "../alerts/publication.ts";
import { type Point, snap } from "../../values/point.ts";
import { type Gazetteer, placeName, placeText } from "../../places/places.ts";
import { storedToken } from "../people/private-link.ts";
import { redact } from "../../redaction/redact.ts";
import { cleanText } from "../text.ts";
import { ALERT_TYPES, type AlertType, type Species, SPECIES } from "../../values/animal.ts";
import type { Instance } from "../instance.ts";
import type { LinkStore } from "../people/link-store.ts";

/** Zone: a circle whose new alerts are emailed to a subscriber. */
export type Zone = {
  readonly id: string;
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species | null;
  readonly type: AlertType | null;
  readonly label: string | null;
  readonly frequency: ZoneFrequency;
  readonly email: string;
  readonly language: Language;
  readonly createdAt: number;
};

/** Emails about a zone: within a minute of an alert going live, or one on each morning with news. */
export const ZONE_FREQUENCIES = ["at_once", "daily"] as const;
export type ZoneFrequency = (typeof ZONE_FREQUENCIES)[number];

/** Zone as its subscriber sees it, and the private link that ends it. */
export type WatchedZone = { readonly zone: ZoneView; readonly unsubscribeUrl: string | null };

/** Subscriber's view of a zone, without the address. */
export type ZoneView = Pick<
  Zone,
  "point" | "radiusKm" | "species" | "type" | "label" | "frequency"
> & {
  /** Place at its centre: "Friedrichshain, Berlin". */
  readonly town: string;
};

/** True if circle and filters are equal; labels are ignored. */
export function isSameCircle(one: Zone, other: Zone): boolean {
  return (
    one.point.lat === other.point.lat &&
    one.point.lng === other.point.lng &&
    one.radiusKm === other.radiusKm &&
    one.species === other.species &&
    one.type === other.type
  );
}

type ZoneViewPorts = Pick<Instance, "links" | "secrets"> & {
  readonly gazetteer: Gazetteer;
  readonly store: Pick<LinkStore, "linkTo">;
};

/** Zones for the page of their subscriber. */
export async function watchedZones(
  ports: ZoneViewPorts,
  zones: readonly Zone[],
): Promise<WatchedZone[]> {
  const watched: WatchedZone[] = [];
  for (const zone of zones) {
    const token = await storedToken(ports, "unsubscribe", zonesSubject([zone.id]));
    const unsubscribeUrl = token === null ? null : ports.links.unsubscribe(token);
    watched.push({ zone: toZoneView(zone, ports.gazetteer), unsubscribeUrl });
  }
  return watched;
}

export function toZoneView(zone: Omit<ZoneView, "town">, gazetteer: Gazetteer): ZoneView {
  const { point, radiusKm, species, type, label, frequency } = zone;
  return {
    point,
    radiusKm,
    species,
    type,
    label,
    frequency,
    town: placeText(placeName(gazetteer, point)),
  };
}

/** Zones of one mailbox listed on a page. Mailboxes from before the limit may have more than it allows. */
export const ZONES_LISTED_MAX = 50;
export const ZONE_RADIUS_KM_DEFAULT = 5;
export const ZONE_LABEL_MAX = 60;
export const ZONE_RADIUS_KM_MAX = 100;

export const zoneInput = z.object({
  lat: latField.describe("Latitude of the centre"),
  lng: lngField.describe("Longitude of the centre"),
  email: emailField.describe("Address that gets the confirmation email, then the alerts"),
  radiusKm: z
    .number()
    .min(1)
    .max(ZONE_RADIUS_KM_MAX)
    .describe(`Radius, ${ZONE_RADIUS_KM_DEFAULT} when absent`)
    .optional(),
  species: z.enum(SPECIES).describe("Only this species").optional(),
  type: z.enum(ALERT_TYPES).describe("Only this type").optional(),
  label: z
    .string()
    .trim()
    .min(1)
    .max(ZONE_LABEL_MAX)
    .describe("The subscriber's name for the zone, such as Home")
    .optional(),
  language: languageField.optional(),
});
export type ZoneInput = z.infer<typeof zoneInput> & {
  readonly frequency?: ZoneFrequency | undefined;
};

/** Circle and filters of a zone, and the contact details that were removed from its label. */
export function zoneCircle(
  { lat, lng, radiusKm, species, type, label }: Omit<ZoneInput, "email">,
  gazetteer: Gazetteer,
): {
  readonly circle: Pick<Zone, "point" | "radiusKm" | "species" | "type" | "label">;
  readonly removed: readonly Removed[];
} {
  const point = snap(lat, lng);
  const { countryCode } = gazetteer.nearest(point);
  // Anyone can write the label, and the confirming mailbox gets it in every email.
  const { text, removed } = redact(cleanText(label ?? "", { multiline: false }), { countryCode });
  return {
    circle: {
      point,
      radiusKm: radiusKm ?? ZONE_RADIUS_KM_DEFAULT,
      species: species ?? null,
      type: type ?? null,
      label: text === "" ? null : text,
    },
    removed: removed.length === 0 ? [] : [{ field: "label", kinds: removed }],
  };
}

/** Choice on pages, which tools leave to the confirmation page. */
export const frequencyInput = z.object({ frequency: z.enum(ZONE_FREQUENCIES) });

/** Subject of the private link that ends these zones. */
export function zonesSubject(ids: readonly string[]): string {
  return ids.length === 1 ? `zone:${ids[0]}` : `zones:${ids.toSorted().join(",")}`;
}

/** Ids of the zones that a link with this subject ends; empty for any other link. */
export function zonesOfSubject(subject: string): string[] {
  const [kind, ids = ""] = subject.split(":");
  return kind === "zone" || kind === "zones" ? ids.split(",") : [];
}
