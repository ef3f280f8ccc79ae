/** @jsxImportSource hono/jsx */
import { AGES, type AlertType, CUSTODIES, SEXES, SIZES } from "../../../core/alerts/alert.ts";
import type { DraftView } from "../../../core/confirmation/confirm.ts";
import { parse } from "../../../core/input.ts";
import {
  type Correction,
  correctionInput,
  DESCRIPTION_MAX,
  NAME_MAX,
  TRAIT_MAX,
} from "../../../core/alerts/publication.ts";
import type { Service } from "../../../core/service.ts";
import { Select, type FormState, TextField, TextArea, optionsOf } from "./field.tsx";
import type { FormValues, FormError } from "./form.ts";
import { type PageContext, usePage } from "../layout.tsx";
import { type StoredPhoto, PHOTO_FIRST, PhotoField } from "./photo-field.tsx";
import { parseWithPosition, PLACE_FIELDS, LocationField, positionFrom } from "./location-field.tsx";

/** Editable part of an alert. */
type EditableAlert = Omit<DraftView, "photos" | "thumbnails">;

/** Text fields may be emptied; other empty fields are ignored. */
const TEXTS = ["name", "breed", "color", "description"];
const CHOICES = ["size", "sex", "age", "eventDate", "custody"];
/** Marks a form that contains the editor: unticked boxes send nothing. */
const EDITED = "edited";
/** Fields of the editor except the photos. */
export const EDITOR_FIELDS = [...TEXTS, ...CHOICES, ...PLACE_FIELDS, PHOTO_FIRST, EDITED];

/** Rejected form with its values and its error. */
export type RejectedForm = { readonly values: FormValues; readonly formError: FormError } | null;

/** Correction from the editor's form. Throws `bad_input` with all invalid fields. */
export async function correctionFrom(
  service: Service,
  values: FormValues,
  alert: Pick<EditableAlert, "lat" | "lng" | "city">,
  photos: readonly string[],
): Promise<Correction> {
  const told = Object.entries(values).filter(
    ([name, value]) => TEXTS.includes(name) || (CHOICES.includes(name) && value !== ""),
  );
  if (values[EDITED] === undefined) return parse(correctionInput, Object.fromEntries(told));
  return parseWithPosition(correctionInput, { ...Object.fromEntries(told), photos }, () =>
    movedPosition(service, values, alert),
  );
}

/** Position of the pin if it was moved, or of the town if only its name was changed. */
async function movedPosition(
  service: Service,
  values: FormValues,
  { lat, lng, city }: Pick<EditableAlert, "lat" | "lng" | "city">,
): Promise<{ lat?: string; lng?: string }> {
  const { place = "" } = values;
  const pin = [values["lat"] ?? "", values["lng"] ?? ""];
  const isPinMoved = pin[0] !== String(lat) || pin[1] !== String(lng);
  const isRenamed = place.trim() !== "" && place !== city;
  if (!isPinMoved) return isRenamed ? positionFrom(service, { place }) : {};
  // An unchanged town must not reject a pin far from it.
  return positionFrom(service, isRenamed ? values : { ...values, place: "" });
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

/** Form fields an owner may change, filled with the alert or with what was typed so far. */
export function Editor({
  alert,
  photos,
  refused,
}: {
  alert: EditableAlert;
  photos: readonly StoredPhoto[];
  refused: RejectedForm;
}) {
  const ctx = usePage();
  const { t } = ctx;
  const label = editorLabels(ctx, alert.type);
  const hint = t.confirm.publish.nameHint;
  const draft: FormState = {
    values: { ...formValuesOf(alert), ...refused?.values },
    error: refused?.formError ?? null,
  };
  return (
    <>
      <input type="hidden" name={EDITED} value="1" />
      <PhotoField draft={draft} kept={photos} hasPlace />
      <TextField draft={draft} name="name" label={label.name} hint={hint} max={NAME_MAX} />
      <TextField draft={draft} name="color" label={label.color} max={TRAIT_MAX} required />
      <TextField draft={draft} name="breed" label={label.breed} hint={hint} max={TRAIT_MAX} />
      <TextArea
        draft={draft}
        name="description"
        label={label.description}
        hint={t.confirm.publish.descriptionHint}
        max={DESCRIPTION_MAX}
        rows={6}
      />
      <TextField
        draft={draft}
        name="eventDate"
        type="date"
        label={label.eventDate}
        max={10}
        required
      />
      <LocationField draft={draft} label={label.place} />
      <Select draft={draft} name="sex" label={label.sex} options={optionsOf(SEXES, t.sex)} />
      <Select draft={draft} name="age" label={label.age} options={optionsOf(AGES, t.age)} />
      <Select draft={draft} name="size" label={label.size} options={optionsOf(SIZES, t.size)} />
      {alert.type === "found" && (
        <Select
          draft={draft}
          name="custody"
          label={label.custody}
          options={optionsOf(CUSTODIES, t.custody)}
        />
      )}
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
    custody: alert.custody ?? "unknown",
    place: alert.city,
    lat: String(alert.lat),
    lng: String(alert.lng),
  };
}
