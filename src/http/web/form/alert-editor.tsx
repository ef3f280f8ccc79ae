/** @jsxImportSource hono/jsx */
import { type AlertType } from "../../../core/alerts/alert.ts";
import { AGES, CUSTODIES, SEXES, SIZES } from "../../../core/alerts/fields.ts";
import type { DraftView } from "../../../core/pending/confirm.ts";
import { parse } from "../../../core/input.ts";
import {
  type Correction,
  correctionInput,
  DESCRIPTION_MAX,
  LANDMARK_MAX,
  NAME_MAX,
  TRAIT_MAX,
} from "../../../core/alerts/publication.ts";
import { placeText } from "../../../places/place-name.ts";
import type { Service } from "../../../core/service.ts";
import { Select, type FormState, TextField, TextArea, optionsOf } from "./field.tsx";
import type { FormValues } from "./form.ts";
import { type PageContext, usePage } from "../layout/layout.tsx";
import { type StoredPhoto, PHOTO_FIRST, PhotoField } from "./photo-field.tsx";
import { parseWithPosition, PLACE_FIELDS, LocationField, positionFrom } from "./location-field.tsx";

/** Editable part of an alert. */
type EditableAlert = Omit<DraftView, "photos" | "thumbnails">;

type PlacedAlert = Pick<EditableAlert, "lat" | "lng" | "city" | "district" | "countryCode">;

/** Text fields may be emptied; other empty fields are ignored. */
const TEXTS = ["name", "breed", "color", "description", "landmark", "eventTime"];
const CHOICES = ["size", "sex", "age", "eventDate", "custody"];
/** Marks a form that contains the editor: unticked boxes send nothing. */
const EDITED = "edited";
/** Fields of the editor except the photos. */
export const EDITOR_FIELDS = [...TEXTS, ...CHOICES, ...PLACE_FIELDS, PHOTO_FIRST, EDITED];

/** Correction from the editor's form. Throws `bad_input` with all invalid fields. */
export async function correctionFrom(
  service: Service,
  values: FormValues,
  alert: PlacedAlert,
  photos: readonly string[],
): Promise<Correction> {
  const fields = Object.entries(values).filter(
    ([name, value]) => TEXTS.includes(name) || (CHOICES.includes(name) && value !== ""),
  );
  if (values[EDITED] === undefined) return parse(correctionInput, Object.fromEntries(fields));
  return parseWithPosition(correctionInput, { ...Object.fromEntries(fields), photos }, () =>
    movedPosition(service, values, alert),
  );
}

/** Position of the pin if it was moved, or of the town if only its name was changed. */
async function movedPosition(
  service: Service,
  values: FormValues,
  alert: PlacedAlert,
): ReturnType<typeof positionFrom> {
  const { place = "" } = values;
  const pin = [values["lat"] ?? "", values["lng"] ?? ""];
  const isPinMoved = pin[0] !== String(alert.lat) || pin[1] !== String(alert.lng);
  const isRenamed = place.trim() !== "" && place !== placeText(alert);
  if (!isPinMoved && !isRenamed) return {};
  // An unchanged pin must not hold a town that was typed over it, nor an unchanged town reject a pin far from it.
  const changed = isPinMoved ? { place: "" } : { lat: "", lng: "" };
  return positionFrom(
    service,
    isPinMoved && isRenamed ? values : { ...values, ...changed },
    alert.countryCode,
  );
}

/** Labels of the editor. */
export function editorLabels({ t }: PageContext, type: AlertType) {
  return {
    ...t.field,
    eventDate: t.alert.on[type],
    place: t.alert.where[type],
    photos: t.photoField.legend,
  };
}

/** State of the editor: the values of the alert, overridden by what was typed so far. */
export function editorDraft(alert: EditableAlert, { values, error }: FormState): FormState {
  return { values: { ...formValuesOf(alert), ...values }, error };
}

/** Form fields an owner may change. */
export function Editor({
  alert: { type },
  photos,
}: {
  alert: Pick<EditableAlert, "type">;
  photos: readonly StoredPhoto[];
}) {
  const { t } = usePage();
  const { nameHint: hint } = t.confirm.publish;
  return (
    <>
      <input type="hidden" name={EDITED} value="1" />
      <PhotoField kept={photos} />
      <TextField name="name" hint={hint} max={NAME_MAX} />
      <TextField name="color" max={TRAIT_MAX} required />
      <TextField name="breed" hint={hint} max={TRAIT_MAX} />
      <TextArea name="description" hint={t.removed.publicHint} max={DESCRIPTION_MAX} rows={6} />
      <TextField name="eventDate" type="date" max={10} required />
      <TextField name="eventTime" type="time" max={5} isOptional />
      <LocationField />
      <TextField name="landmark" hint={t.removed.publicHint} max={LANDMARK_MAX} isOptional />
      <Select name="sex" options={optionsOf(SEXES, t.sex)} />
      <Select name="age" options={optionsOf(AGES, t.age)} />
      <Select name="size" options={optionsOf(SIZES, t.size)} />
      {type === "found" && <Select name="custody" options={optionsOf(CUSTODIES, t.custody)} />}
    </>
  );
}

/** Alert as form values; unknown traits are empty. */
function formValuesOf(alert: EditableAlert): FormValues {
  return {
    name: alert.name ?? "",
    breed: alert.breed === "unknown" ? "" : alert.breed,
    color: alert.color,
    size: alert.size,
    sex: alert.sex,
    age: alert.age,
    description: alert.description ?? "",
    eventDate: alert.eventDate,
    eventTime: alert.eventTime ?? "",
    landmark: alert.landmark ?? "",
    custody: alert.custody ?? "unknown",
    place: placeText(alert),
    lat: String(alert.lat),
    lng: String(alert.lng),
  };
}
