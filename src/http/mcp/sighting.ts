import { z } from "zod";
import { messageInput } from "../../core/conversations/conversation.ts";
import { badInput, countryCodeField, latField, lngField } from "../../core/input.ts";
import type { Caller } from "../../core/limits.ts";
import type { Service } from "../../core/service/service.ts";
import { placeText } from "../../places/places.ts";
import {
  SIGHTING_NOTE_MAX,
  sightingInput,
  type SightingView,
} from "../../core/sightings/sighting.ts";
import { dayIn, timeZoneAt } from "../../core/time-zone.ts";
import { localTime } from "../../core/written-time.ts";
import { isoTime } from "../api/alert-json.ts";
import { nameFields, placeField, requirePlace } from "./place.ts";
import { plainObject, receiptSchema, receiptToWire } from "./receipt.ts";

/** Input of send_message: a message to the owner, or with a place a sighting. */
export const messageToolInput = messageInput.extend({
  seenPlace: placeField
    .describe("Sighting: where it was seen; seen_lat and seen_lng are more exact")
    .optional(),
  countryCode: countryCodeField.describe("Of seen_place").optional(),
  seenLat: latField.describe("Latitude").optional(),
  seenLng: lngField.describe("Longitude").optional(),
  seenAt: sightingInput.shape.seenAt
    .unwrap()
    .describe("Day or local time, also yesterday evening; now when absent")
    .optional(),
});

const SEEN_FIELDS = { place: "seenPlace", lat: "seenLat", lng: "seenLng" };

/** Schema of the result of send_message. */
export const messageResult = receiptSchema.extend({
  seen: plainObject.describe("Place and time as understood").optional(),
});

/** Sends what was seen, where and when as a sighting: its text is public, so it is shorter than a message. */
export async function reportSighting(
  service: Service,
  { alert, message, email, language, seenAt, ...where }: z.infer<typeof messageToolInput>,
  sentences: readonly string[],
  caller: Caller,
): Promise<string> {
  if (message.length > SIGHTING_NOTE_MAX)
    throw badInput([{ field: "message", reason: { kind: "longest", limit: SIGHTING_NOTE_MAX } }]);
  const { countryCode } = await service.alerts.get(alert);
  const { seenPlace: place, seenLat: lat, seenLng: lng, countryCode: seenCountry } = where;
  const { point, called, notes } = requirePlace(service.places.locate, {
    place,
    lat,
    lng,
    countryCode: seenCountry,
    country: countryCode,
    fields: SEEN_FIELDS,
  });
  const input = { alert, ...nameFields(called), ...point, seenAt, note: message, email, language };
  const receipt = await service.requests.reportSighting(input, caller);
  const { sighting } = receipt;
  const removed = receipt.removed.map(({ kinds }) => ({ field: "message", kinds }));
  return JSON.stringify({
    ...receiptToWire(
      { ...receipt, removed },
      "The sighting is shown on the alert's page, and its owner is told, when someone opens the link in that email and presses the button.",
      [...notes, ...(where.name === undefined ? [] : [NAMELESS]), ...sentences],
    ),
    seen: {
      place: `${placeText(sighting)}, ${sighting.countryCode}`,
      latitude: sighting.lat,
      longitude: sighting.lng,
      seen_at: isoTime(sighting.seenAt),
      seen_at_local: localSeen(sighting),
      ...(sighting.distanceKm === null ? {} : { km_from_alert: sighting.distanceKm }),
    },
  });
}

const NAMELESS = "Ignored name: a sighting is public and shows none.";

/** Time of a sighting by the clocks of its place, as exactly as it is known. */
function localSeen({ seenAt: at, seenOn, ...point }: SightingView): string {
  const timeZone = timeZoneAt(point);
  const { day, part } = seenOn ?? { day: dayIn(timeZone, at), part: null };
  return localTime({ day, at, part }, timeZone);
}
