import { AGES, type AlertType, CUSTODIES, SEXES, SIZES } from "../../core/alert.ts";
import type { DraftFace } from "../../core/confirming.ts";
import { parse } from "../../core/input.ts";
import {
  type Correction,
  correctionInput,
  DESCRIPTION_MAX,
  NAME_MAX,
  TRAIT_MAX,
} from "../../core/publication.ts";
import type { Service } from "../../core/service.ts";
import { Choice, type Draft, Line, Lines } from "./field.tsx";
import type { Given, Trouble } from "./form.ts";
import type { Frame } from "./frame.tsx";
import { type KeptPhoto, PHOTO_FIRST, PhotoField } from "./photo-field.tsx";
import { parsePlaced, PLACE_FIELDS, PlaceField, placed } from "./place-field.tsx";

/** What an alert says, for whoever may change it. */
type Edited = Omit<DraftFace, "photos" | "thumbnails">;

/** Text may be emptied; of the others an empty one says nothing. */
const TEXTS = ["name", "breed", "color", "description"];
const CHOICES = ["size", "sex", "age", "eventDate", "custody"];
/** Tells a form with the editor from a bare press of its button: boxes that are not ticked send nothing. */
const EDITED = "edited";
/** What the editor sends, the photos apart. */
export const EDITOR_FIELDS = [...TEXTS, ...CHOICES, ...PLACE_FIELDS, PHOTO_FIRST, EDITED];

/** A form that was refused: what it held and why. */
export type Refused = { readonly given: Given; readonly trouble: Trouble } | null;

/** What the editor's form asks to change. Throws `bad_input` with all that is wrong with its fields. */
export async function corrections(
  service: Service,
  given: Given,
  alert: Pick<Edited, "lat" | "lng" | "city">,
  photos: readonly string[],
): Promise<Correction> {
  const told = Object.entries(given).filter(
    ([name, value]) => TEXTS.includes(name) || (CHOICES.includes(name) && value !== ""),
  );
  if (given[EDITED] === undefined) return parse(correctionInput, Object.fromEntries(told));
  return parsePlaced(correctionInput, { ...Object.fromEntries(told), photos }, () =>
    moved(service, given, alert),
  );
}

/** The pin where it was set anew; the town where only its name was changed. */
async function moved(
  service: Service,
  given: Given,
  { lat, lng, city }: Pick<Edited, "lat" | "lng" | "city">,
): Promise<{ lat?: string; lng?: string }> {
  const { place = "" } = given;
  const pin = [given["lat"] ?? "", given["lng"] ?? ""];
  const isPinMoved = pin[0] !== String(lat) || pin[1] !== String(lng);
  const isRenamed = place.trim() !== "" && place !== city;
  if (!isPinMoved) return isRenamed ? placed(service, { place }) : {};
  // A town that still stands there from before says nothing against a pin far from it.
  return placed(service, isRenamed ? given : { ...given, place: "" });
}

/** What the editor calls its fields. */
export function editorLabels({ words }: Frame, type: AlertType) {
  return {
    ...words.field,
    eventDate: words.alert.on[type],
    place: words.alert.where[type],
    photos: words.photoField.legend,
  };
}

/** Every field an owner may change, filled in with what the alert says or what was typed so far. */
export function Editor({
  frame,
  alert,
  photos,
  refused,
}: {
  readonly frame: Frame;
  readonly alert: Edited;
  readonly photos: readonly KeptPhoto[];
  readonly refused: Refused;
}) {
  const { words } = frame;
  const label = editorLabels(frame, alert.type);
  const hint = words.confirm.publish.nameHint;
  const draft: Draft = {
    given: { ...asGiven(alert), ...refused?.given },
    trouble: refused?.trouble ?? null,
  };
  return (
    <>
      <input type="hidden" name={EDITED} value="1" />
      <PhotoField frame={frame} draft={draft} kept={photos} hasPlace />
      <Line draft={draft} name="name" label={label.name} hint={hint} max={NAME_MAX} />
      <Line draft={draft} name="color" label={label.color} max={TRAIT_MAX} required />
      <Line draft={draft} name="breed" label={label.breed} hint={hint} max={TRAIT_MAX} />
      <Lines
        draft={draft}
        name="description"
        label={label.description}
        hint={words.confirm.publish.descriptionHint}
        max={DESCRIPTION_MAX}
        rows={6}
      />
      <Line draft={draft} name="eventDate" type="date" label={label.eventDate} max={10} required />
      <PlaceField frame={frame} draft={draft} label={label.place} />
      <Choice draft={draft} name="sex" label={label.sex} options={named(SEXES, words.sex)} />
      <Choice draft={draft} name="age" label={label.age} options={named(AGES, words.age)} />
      <Choice draft={draft} name="size" label={label.size} options={named(SIZES, words.size)} />
      {alert.type === "found" && (
        <Choice
          draft={draft}
          name="custody"
          label={label.custody}
          options={named(CUSTODIES, words.custody)}
        />
      )}
    </>
  );
}

/** The fields as the form holds them: what is not known is an empty line. */
function asGiven(alert: Edited): Given {
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

function named<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): (readonly [string, string])[] {
  return values.map((value) => [value, words[value]]);
}
