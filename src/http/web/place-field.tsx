import type { z } from "zod";
import { badInput, parse } from "../../core/input.ts";
import type { Point } from "../../core/place.ts";
import type { Service } from "../../core/service.ts";
import { TOWN_TEXT_MAX } from "../../core/towns.ts";
import { type Draft, Line } from "./field.tsx";
import { Fault, type FieldFault } from "../../core/fault.ts";
import type { Given, Trouble } from "./form.ts";
import type { Frame } from "./frame.tsx";
import { LocateButton, MapBox } from "./map.tsx";

/** What a form sends of a place: `place` is a town's name; `lat` and `lng` come from the map and win. */
export const PLACE_FIELDS = ["place", "lat", "lng"];
const LAT = "#field-lat";
const LNG = "#field-lng";

/** Where it happened: a town by name, or a spot on the map where there is one. */
export function PlaceField({
  frame,
  draft,
  label,
  mode = "pick",
  radiusField,
  centre,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly label: string;
  readonly mode?: "pick" | "zone";
  /** Selector of the field with the radius in km, for a zone. */
  readonly radiusField?: string;
  /** Where the map opens while there is no pin. */
  readonly centre?: Point;
}) {
  const { words } = frame;
  const { typed, orMap } = words.placeField;
  const fields = { "data-lat-field": LAT, "data-lng-field": LNG } as const;
  const radius = radiusField === undefined ? {} : { "data-radius-field": radiusField };
  const opens =
    centre === undefined ? {} : { "data-centre-lat": centre.lat, "data-centre-lng": centre.lng };
  return (
    <div class="place">
      <Line
        draft={draft}
        name="place"
        label={label}
        hint={frame.tiles === null ? typed : `${typed} ${orMap}`}
        max={TOWN_TEXT_MAX}
        more={{ list: "towns", "data-towns": "/towns", "data-clears-position": "", ...fields }}
      />
      <datalist id="towns"></datalist>
      <input id="field-lat" type="hidden" name="lat" value={draft.given["lat"] ?? ""} />
      <input id="field-lng" type="hidden" name="lng" value={draft.given["lng"] ?? ""} />
      <LocateButton frame={frame} latField={LAT} lngField={LNG} />
      <MapBox
        frame={frame}
        mode={mode}
        label={words.map.pick}
        more={{ ...fields, ...radius, ...opens }}
      />
    </div>
  );
}

/**
 * Where a form says it was: the spot on the map, or the town of that name. Empty when it says neither; throws
 * `bad_input` for a town nobody knows.
 */
export async function placed(
  service: Service,
  { lat = "", lng = "", place = "" }: Given,
): Promise<{ lat?: string; lng?: string }> {
  const spot = lat === "" || lng === "" ? undefined : { lat: Number(lat), lng: Number(lng) };
  // The schema tells what is wrong with coordinates that are none.
  if (spot !== undefined && !(Number.isFinite(spot.lat) && Number.isFinite(spot.lng)))
    return { lat, lng };
  const located = await service.locate({ place, point: spot });
  switch (located?.kind) {
    case undefined:
      return {};
    case "unknown":
      throw badInput([{ field: "place", reason: { kind: "unknown_town" } }]);
    case "known":
      return { lat: String(located.point.lat), lng: String(located.point.lng) };
  }
}

/** Reads a form whose place is looked up first. Throws `bad_input` with all that is wrong at once. */
export async function parsePlaced<Schema extends z.ZodObject>(
  schema: Schema,
  told: Readonly<Record<string, unknown>>,
  lookUp: () => Promise<{ lat?: string; lng?: string }>,
): Promise<z.infer<Schema>> {
  const [at] = await Promise.allSettled([lookUp()]);
  if (at.status === "fulfilled") return parse(schema, { ...told, ...at.value });
  if (!(at.reason instanceof Fault)) throw at.reason;
  try {
    parse(schema, { ...told, ...SOMEWHERE });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw badInput([...error.fields, ...at.reason.fields]);
  }
  throw at.reason;
}
/** Stands for a place that could not be found while the rest is looked through. */
const SOMEWHERE = { lat: 0, lng: 0 };

/** Forms have one field for a place: what is wrong with coordinates is wrong with it. */
export function byPlace({ code, why, fields }: Fault): Trouble {
  const isPlace = ({ field }: FieldFault) => field === "lat" || field === "lng";
  // Both coordinates are wrong with the one field they belong to, and it is told once.
  const said = fields.filter((wrong, at) => !isPlace(wrong) || fields.findIndex(isPlace) === at);
  const named = said.map((wrong) => (isPlace(wrong) ? { ...wrong, field: "place" } : wrong));
  return { code, why, fields: named };
}
