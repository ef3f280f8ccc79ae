import { z } from "zod";
import { messageInput } from "../../core/conversations/conversation.ts";
import { badInput, countryCodeField, latField, lngField, timeField } from "../../core/input.ts";
import type { Caller } from "../../core/limits.ts";
import type { Service } from "../../core/service.ts";
import { SIGHTING_NOTE_MAX } from "../../core/sightings/sighting.ts";
import { type EmbeddableJson, embeddableJson, isoTime } from "../api/alert-json.ts";
import { townLabel } from "../../core/similar-towns.ts";
import { placeField, requirePlace } from "./place.ts";
import { receiptSchema, receiptToWire } from "./receipt.ts";

/** Input of send_message: a message to the owner, or with a place a sighting. */
export const messageToolInput = messageInput.extend({
  seenPlace: placeField
    .describe("Sighting: where it was seen; seen_lat and seen_lng are more exact")
    .optional(),
  countryCode: countryCodeField.describe("Of seen_place").optional(),
  seenLat: latField.describe("Latitude").optional(),
  seenLng: lngField.describe("Longitude").optional(),
  seenAt: timeField.describe("Time with zone; now when absent").optional(),
});

const SEEN_FIELDS = { place: "seenPlace", lat: "seenLat", lng: "seenLng" };

/** Schema of the result of send_message. */
export const messageResult = receiptSchema.extend({
  seen: z.unknown().describe("Place and time as understood").optional(),
});

/** Sends what was seen, where and when as a sighting: its text is public, so it is shorter than a message. */
export async function reportSighting(
  service: Service,
  { alert, message, email, language, seenAt, ...where }: z.infer<typeof messageToolInput>,
  sentences: readonly string[],
  caller: Caller,
): Promise<EmbeddableJson> {
  if (message.length > SIGHTING_NOTE_MAX)
    throw badInput([{ field: "message", reason: { kind: "longest", limit: SIGHTING_NOTE_MAX } }]);
  const { countryCode } = await service.get(alert);
  const { seenPlace: place, seenLat: lat, seenLng: lng, countryCode: seenCountry } = where;
  const { point, town, notes } = requirePlace(service.locate, {
    place,
    lat,
    lng,
    countryCode: seenCountry,
    country: countryCode,
    fields: SEEN_FIELDS,
  });
  const input = { alert, ...point, seenAt, note: message, email, language };
  const receipt = await service.reportSighting(input, caller);
  const { sighting } = receipt;
  const removed = receipt.removed.map(({ kinds }) => ({ field: "message", kinds }));
  return embeddableJson({
    ...receiptToWire(
      { ...receipt, removed },
      "The sighting is shown on the alert's page, and its owner is told, when someone opens the link in that email and presses the button.",
      [...notes, ...(where.name === undefined ? [] : [NAMELESS]), ...sentences],
    ),
    seen: {
      place: place === undefined ? `${sighting.city}, ${sighting.countryCode}` : townLabel(town),
      latitude: sighting.lat,
      longitude: sighting.lng,
      seen_at: isoTime(sighting.seenAt),
      ...(sighting.distanceKm === null ? {} : { km_from_alert: sighting.distanceKm }),
    },
  });
}

const NAMELESS = "Ignored name: a sighting is public and shows none.";
