/** @jsxImportSource hono/jsx */
import type { AlertView } from "../../../core/alerts/alert.ts";
import {
  eachField,
  type Field,
  FIELD_NAMES,
  type FieldName,
  FIELDS,
  fieldsWhere,
  isFreeText,
  isFieldOf,
} from "../../../core/alerts/fields.ts";
import { parse } from "../../../core/input.ts";
import { type Correction, correctionInput } from "../../../core/alerts/publication.ts";
import { placeText } from "../../../places/places.ts";
import { choiceTexts } from "../components/alert.tsx";
import type { Service } from "../../../core/service/service.ts";
import { Select, type FormState, TextField, TextArea, optionsOf } from "./field.tsx";
import type { FormValues } from "./form.ts";
import { type PageContext, usePage } from "../layout/layout.tsx";
import { type StoredPhoto, PHOTO_FIRST, PhotoField } from "./photo-field.tsx";
import { NO_PLACE, PLACE_FIELDS, LocationField, placeFrom } from "./location-field.tsx";
import type { AlertType } from "../../../values/animal.ts";

/** Text fields may be emptied; other empty fields are ignored. */
const MAY_BE_EMPTY = fieldsWhere((field) => isFreeText(field) || field.kind === "clock");
/** Marks a form that contains the editor: unticked boxes send nothing. */
const EDITED = "edited";
/** Fields of the editor except the photos. */
export const EDITOR_FIELDS = [...FIELD_NAMES, ...PLACE_FIELDS, PHOTO_FIRST, EDITED];

/** Correction from the editor's form. Throws `bad_input` with all invalid fields. */
export function correctionFrom(
  service: Service,
  values: FormValues,
  alert: AlertView,
  photos: readonly string[],
): Correction {
  const given = FIELD_NAMES.filter((name) => values[name] || MAY_BE_EMPTY.includes(name));
  const fields = Object.fromEntries(given.map((name) => [name, values[name]]));
  if (values[EDITED] === undefined) return parse(correctionInput, fields);
  const place = movedPlace(service, values, alert);
  return parse(correctionInput, { ...fields, photos, ...place.fields }, place.problems);
}

/** Place of the pin if it was moved, or of the town if only its name was changed. */
function movedPlace(service: Service, values: FormValues, alert: AlertView) {
  const { place = "" } = values;
  const pin = [values["lat"] ?? "", values["lng"] ?? ""];
  const isPinMoved = pin[0] !== String(alert.lat) || pin[1] !== String(alert.lng);
  const isRenamed = place.trim() !== "" && place !== placeText(alert);
  if (!isPinMoved && !isRenamed) return NO_PLACE;
  // An unchanged pin must not hold a town that was typed over it, nor an unchanged town reject a pin far from it.
  const changed = isPinMoved ? { place: "" } : { lat: "", lng: "" };
  const meant = isPinMoved && isRenamed ? values : { ...values, ...changed };
  return placeFrom(service, meant, alert.countryCode);
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
export function editorDraft(alert: AlertView, { values, error }: FormState): FormState {
  return { values: { ...formValuesOf(alert), ...values }, error };
}

/** Form fields an owner may change. */
export function Editor({ alert, photos }: { alert: AlertView; photos: readonly StoredPhoto[] }) {
  const { t } = usePage();
  const { nameHint } = t.confirm.publish;
  return (
    <>
      <input type="hidden" name={EDITED} value="1" />
      <PhotoField kept={photos} />
      <AlertFields names={TEXTS_OF_ANIMAL} hints={{ name: nameHint, breed: nameHint }} />
      <TextField name="eventDate" type="date" max={10} required />
      <TextField name="eventTime" type="time" max={5} isOptional />
      <LocationField />
      <AlertFields names={TEXTS_OF_EVENT} />
      <AlertFields names={CHOICES.filter((name) => isFieldOf(alert.type, FIELDS[name]))} />
    </>
  );
}

/** Names of fields by the part of a form in which they stand. */
export const TEXTS_OF_ANIMAL = fieldsWhere((field) => isFreeText(field) && !field.isOfEvent);
export const TEXTS_OF_EVENT = fieldsWhere((field) => isFreeText(field) && field.isOfEvent);
export const CHOICES = fieldsWhere(({ kind }) => kind === "choice");

/** Inputs of texts and choices. `unsaid`: value of the choice "not known". */
export function AlertFields({
  names,
  hints = {},
  unsaid = "unknown",
}: {
  names: readonly FieldName[];
  hints?: Readonly<Partial<Record<FieldName, string>>>;
  unsaid?: "unknown" | "";
}) {
  const { t } = usePage();
  return names.map((name) => {
    const {
      kind,
      max = 0,
      values = [],
      isRequired = false,
      isOfEvent = false,
      isOfFinds = false,
    }: Field = FIELDS[name];
    const isHinted = kind === "text" || isOfEvent;
    const hint = [hints[name], isHinted && t.removed.publicHint].filter(Boolean).join(" ");
    switch (kind) {
      case "choice": {
        const labels = choiceTexts(t, name);
        const known = values.filter((value) => value !== "unknown");
        const options = [[unsaid, labels["unknown"]!] as const, ...optionsOf(known, labels)];
        return (
          <div class={isOfFinds ? "only-found" : undefined}>
            <Select name={name} options={options} />
          </div>
        );
      }
      case "text":
        return <TextArea name={name} hint={hint} max={max} rows={6} />;
      default:
        return (
          <TextField
            name={name}
            hint={hint}
            max={max}
            required={isRequired}
            isOptional={isOfEvent}
          />
        );
    }
  });
}

/** Alert as form values; unknown texts are empty. */
function formValuesOf(alert: AlertView): FormValues {
  const values = eachField<Record<FieldName, string>>((name, field) => {
    const value = alert[name] ?? field.unknown ?? "";
    return isFreeText(field) && !field.isRequired && value === "unknown" ? "" : value;
  });
  return { ...values, place: placeText(alert), lat: String(alert.lat), lng: String(alert.lng) };
}
