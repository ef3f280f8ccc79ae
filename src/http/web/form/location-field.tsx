/** @jsxImportSource hono/jsx */
import type { z } from "zod";
import { ERROR_MESSAGES, type PageMessages } from "../../../messages/messages.ts";
import type { Fault, FieldFault, FieldReason } from "../../../core/fault.ts";
import type { FieldProblem } from "../../../core/input.ts";
import type { Service } from "../../../core/service/service.ts";
import { type Located, TOWN_TEXT_MAX } from "../../../places/places.ts";
import { Select, TextField, useForm } from "./field.tsx";
import { type FormValues, type FormError, withoutEmpty } from "./form.ts";
import { townName } from "../components/town-name.ts";
import { usePage } from "../layout/layout.tsx";
import { MapBox } from "../components/map.tsx";

/** Position of the place chosen from several, "45.76,4.84". */
const WHICH = "which";
/**
 * Fields of a place: `place` is the name of a town, `country_code` says its country; `lat` and `lng` come from the map and
 * take precedence.
 */
export const PLACE_FIELDS = ["place", "country_code", "lat", "lng", WHICH];
/** Attributes that name the fields of the position to a script. */
export const POSITION_FIELDS = {
  "data-lat-field": "#field-lat",
  "data-lng-field": "#field-lng",
} as const;

/** Field for a place: a town by name or, with a map, a point. */
export function LocationField({
  mode = "pick",
  radiusField,
  known = {},
}: {
  mode?: "pick" | "zone";
  /** Selector of the field with the radius in km, for a zone. */
  radiusField?: string;
  /** Attributes of the map for places that are already known, around which it opens (scripts/map/pin.ts). */
  known?: Readonly<Record<`data-${string}`, string | number>>;
}) {
  const { t, tiles, mapView } = usePage();
  const view =
    mapView === null
      ? {}
      : { "data-view": [mapView.south, mapView.west, mapView.north, mapView.east].join(" ") };
  const { typed, orMap } = t.placeField;
  const radius = radiusField === undefined ? {} : { "data-radius-field": radiusField };
  return (
    <div class="place">
      <TownField hint={tiles === null ? typed : `${typed} ${orMap}`} keepsPin />
      <WhichField />
      {/* A script shows the button if the browser knows the position of the device. */}
      <button
        class="quiet"
        type="button"
        hidden
        data-locate
        {...POSITION_FIELDS}
        data-asking={t.map.asking}
        data-denied={t.map.denied}
        data-failed={t.map.failed}
        data-done={t.map.located}
      >
        {t.map.locate}
      </button>
      <MapBox
        mode={mode}
        label={t.map.pick}
        more={{ ...POSITION_FIELDS, ...radius, ...view, ...known }}
      />
    </div>
  );
}

/** Choice between the places that the text of the field may mean; nothing while it needs none. */
function WhichField() {
  const { t } = usePage();
  const { error, values } = useForm().draft;
  const choices = (error?.fields ?? []).flatMap(({ field, reason }) =>
    field === "place" && "choices" in reason ? reason.choices : [],
  );
  // Another field may be wrong while this one has its answer.
  if (choices.length === 0)
    return isChosen(values) ? <input type="hidden" name={WHICH} value={values[WHICH]} /> : null;
  const options = choices.map(
    (town) => [`${town.point.lat},${town.point.lng}`, townName(t, town)] as const,
  );
  return <Select name={WHICH} options={[["", t.placeField.choose], ...options]} />;
}

/** Values of the fields that a link fills in, with the name of the country behind that of the town. */
export function prefilled(query: FormValues, t: PageMessages): FormValues {
  const { country_code: countryCode, ...values } = withoutEmpty(query);
  const { place } = values;
  return place === undefined || !/^[A-Za-z]{2}$/.test(countryCode ?? "")
    ? values
    : { ...values, place: `${place}, ${t.country(countryCode!.toUpperCase())}` };
}

/** Field for the name of a town, and hidden fields for its position. */
export function TownField({ hint, keepsPin = false }: { hint?: string; keepsPin?: boolean }) {
  const { values } = useForm().draft;
  const { t, links } = usePage();
  const { field } = ERROR_MESSAGES[t.pageLanguage];
  const towns = {
    list: "towns",
    "data-towns": links.at("/towns"),
    ...(keepsPin ? { "data-keeps-pin": "" } : {}),
    "data-missing": field.missing,
    "data-unknown": field.unknown_town,
  };
  return (
    <>
      <TextField
        name="place"
        hint={hint}
        max={TOWN_TEXT_MAX}
        more={{ ...towns, ...POSITION_FIELDS }}
      />
      <datalist id="towns"></datalist>
      <input id="field-lat" type="hidden" name="lat" value={values["lat"] ?? ""} />
      <input id="field-lng" type="hidden" name="lng" value={values["lng"] ?? ""} />
    </>
  );
}

/** Radius field: the usual radii and the one in the address if `fits` accepts it. */
export function RadiusField({
  name,
  usual,
  otherwise,
  fits,
}: {
  name: string;
  /** Offered radii in km. */
  usual: readonly number[];
  /** Default radius in km. */
  otherwise: number;
  fits: z.ZodType;
}) {
  const { t } = usePage();
  const { draft } = useForm();
  const chosen = draft.values[name] ?? String(otherwise);
  const asked = fits.safeParse(Number(chosen)).success ? [Number(chosen)] : [];
  const radiiKm = [...new Set([...usual, ...asked])].toSorted((a, b) => a - b);
  return (
    <Select
      name={name}
      otherwise={chosen}
      options={radiiKm.map((km) => [String(km), t.home.km({ km })] as const)}
    />
  );
}

/** Position in the fields of an input, and what it is called; a stand-in where there is a problem. */
type FormPlace = {
  readonly fields: Readonly<
    Partial<Record<"lat" | "lng" | "city" | "district" | "countryCode", string>>
  >;
  readonly problems: readonly FieldProblem[];
};
const STAND_IN = { lat: "0", lng: "0" };
export const NO_PLACE: FormPlace = { fields: {}, problems: [] };

/**
 * Place in a form: the point on the map or the named place. Empty without either; with a problem if it is not wholly known,
 * or must be asked about.
 */
export function placeFrom(service: Service, values: FormValues, country?: string): FormPlace {
  const { lat, lng } = pointOf(values);
  const spot = lat === "" || lng === "" ? undefined : { lat: Number(lat), lng: Number(lng) };
  // The schema reports invalid coordinates.
  if (spot !== undefined && !(Number.isFinite(spot.lat) && Number.isFinite(spot.lng)))
    return { fields: { lat, lng }, problems: [] };
  const { place, country_code: countryCode } = withoutEmpty(values);
  const located = service.places.locate({ place, point: spot, country, countryCode });
  if (located === null) return NO_PLACE;
  if (located.kind !== "known" || located.unread !== null) {
    const reason = reasonToAsk(located, spot && service.places.locate({ point: spot }));
    return { fields: STAND_IN, problems: [{ field: "place", reason }] };
  }
  const { point, called } = located;
  const { district, ...name } = called;
  const at = { lat: String(point.lat), lng: String(point.lng), ...name };
  return { fields: district === null ? at : { ...at, district }, problems: [] };
}

/** True if the place was chosen from several. */
function isChosen(values: FormValues): boolean {
  return (values[WHICH] ?? "").trim() !== "";
}

/** Coordinates of the place chosen from several, or else those of the map; empty without them. */
function pointOf(values: FormValues): { readonly lat: string; readonly lng: string } {
  const { lat = "", lng = "", [WHICH]: which = "" } = values;
  if (which.trim() === "") return { lat: lat.trim(), lng: lng.trim() };
  const [chosenLat = "", chosenLng = ""] = which.split(",");
  return { lat: chosenLat.trim(), lng: chosenLng.trim() };
}

/** Reason to ask for a place again. A pin elsewhere, over which the text was typed, is one of the choices. */
function reasonToAsk(located: Located, pinned: Located | null | undefined): FieldReason {
  switch (located.kind) {
    case "known":
      return { kind: "unread_part", part: located.unread ?? "", choices: [located.town] };
    case "ask": {
      const pin = pinned?.kind === "known" ? [{ ...pinned.town, point: pinned.point }] : [];
      return { kind: "which_town", choices: [...pin, ...located.choices] };
    }
    case "unknown":
      return located.alike.length === 0
        ? { kind: "unknown_town" }
        : { kind: "town_like", choices: located.alike };
  }
}

/** Error with those of the coordinates moved to the place field. */
export function withPlaceErrors({ code, why, fields }: Fault): FormError {
  const isPlace = ({ field }: FieldFault) => field === "lat" || field === "lng";
  // Errors of both coordinates are reported once.
  const said = fields.filter((wrong, at) => !isPlace(wrong) || fields.findIndex(isPlace) === at);
  const named = said.map((wrong) => (isPlace(wrong) ? { ...wrong, field: "place" } : wrong));
  return { code, why, fields: named };
}
