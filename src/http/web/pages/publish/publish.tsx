/** @jsxImportSource hono/jsx */
import { parse } from "../../../../core/input.ts";
import { fieldsWhere } from "../../../../core/alerts/fields.ts";
import {
  CHIP_TEXT_MAX,
  type PublishInput,
  publishInput,
} from "../../../../core/alerts/publication.ts";
import { type Point, snap } from "../../../../values/point.ts";
import { idempotencyKey } from "../../../../core/pending/request.ts";
import type { Service } from "../../../../core/service/service.ts";
import { AlertFields, CHOICES, TEXTS_OF_ANIMAL, TEXTS_OF_EVENT } from "../../form/alert-editor.tsx";
import {
  draftAttributes,
  IDEMPOTENCY_KEY,
  without,
  withoutEmpty,
  type FormValues,
  PHOTO_FILES,
  readQuery,
  type FormError,
} from "../../form/form.ts";
import { Animal } from "../../assets/icon.tsx";
import {
  type FormState,
  EmailField,
  TextField,
  optionsOf,
  RadioGroup,
  Form,
  formPage,
} from "../../form/field.tsx";
import { type PageContext, type Page, type Web, usePage } from "../../layout/layout.tsx";
import {
  type StoredPhoto,
  PHOTO_FIRST,
  PhotoField,
  receivePhotoForm,
} from "../../form/photo-field.tsx";
import {
  withPlaceErrors,
  PLACE_FIELDS,
  LocationField,
  placeFrom,
  prefilled,
} from "../../form/location-field.tsx";
import { ALERT_TYPES, type AlertType, SPECIES } from "../../../../values/animal.ts";

/** Input of a form that says it has a date. */
const datedInput = publishInput.required({ eventDate: true });

/** Optional fields in the collapsed section. */
const MORE = [...TEXTS_OF_ANIMAL.filter((name) => name !== "color"), ...CHOICES];
const DETAILS: readonly string[] = [...MORE, "microchip"];
/** Choices of a day; the first two by the clocks of the place. */
const DAYS = ["today", "yesterday", "date"] as const;
/** Fields in the order of the form; photos and place stand between the two lists. */
const ANIMAL = ["type", "species", "color", ...DETAILS];
const WHEN = [...TEXTS_OF_EVENT, "day", "eventDate", "eventTime", "email"];
const ORDER = [...ANIMAL, PHOTO_FILES, "place", ...WHEN];
const OF_FINDS = fieldsWhere(({ isOfFinds }) => isOfFinds);
const FIELDS = [...ANIMAL, ...WHEN, ...PLACE_FIELDS, PHOTO_FIRST, IDEMPOTENCY_KEY];

/** Publish page. The page that follows shows similar alerts. */
export function publishRoutes({ get, post, service }: Web): void {
  get("/publish", (c, ctx) => {
    const values = prefilled(readQuery(c, ["type", "species", ...PLACE_FIELDS]), ctx.t);
    return publishPage(ctx, { values, error: null }, [], nearOf(c.req.query("near")));
  });

  post("/publish", async (c, ctx) => {
    const { values, refs } = await receivePhotoForm(
      c,
      service,
      { fields: FIELDS },
      ({ values }, kept, error) =>
        publishPage(ctx, { values, error: inOrder(withPlaceErrors(error)) }, kept),
    );
    const input = inputFrom(service, ctx, values);
    const key = idempotencyKey(values[IDEMPOTENCY_KEY]);
    const asked = await service.requests.publish(input, c.get("caller"), refs, key);
    return ctx.links.waiting(asked.ticket);
  });
}

/** Place of the reader's search, `near=45.75,4.85`, at which the map opens; null without one that can be read. */
function nearOf(text = ""): Point | null {
  const [lat, lng] = text.split(",");
  const read = nearInput.safeParse({ lat: Number(lat || NaN), lng: Number(lng || NaN) });
  return read.success ? snap(read.data.lat, read.data.lng) : null;
}
const nearInput = publishInput.pick({ lat: true, lng: true });

/** Input from the form with its position. Throws `bad_input` with all errors at once. */
function inputFrom(service: Service, ctx: PageContext, values: FormValues): PublishInput {
  const filled = withoutEmpty(values);
  const { [IDEMPOTENCY_KEY]: _key, day, ...fields } = without(filled, ...PLACE_FIELDS);
  // The form may hold an answer from before another type was chosen.
  const told = fields["type"] === "found" ? fields : without(fields, ...OF_FINDS);
  const place = placeFrom(service, values, ctx.country);
  const isNamed = day !== undefined && day !== "date";
  const dated = isNamed ? { ...told, eventDate: day } : told;
  const input = { ...dated, ...place.fields, language: ctx.t.language };
  return parse(day === "date" ? datedInput : publishInput, input, place.problems);
}

function inOrder(formError: FormError): FormError {
  const at = ({ field }: { readonly field: string }) => ORDER.indexOf(field);
  return { ...formError, fields: formError.fields.toSorted((a, b) => at(a) - at(b)) };
}

function typeOf({ values }: FormState): AlertType {
  return values["type"] === "found" ? "found" : "lost";
}

function publishPage(
  ctx: PageContext,
  draft: FormState,
  kept: readonly StoredPhoto[],
  near: Point | null = null,
): Page {
  const { t, links } = ctx;
  const type = typeOf(draft);
  return formPage(ctx, draft, {
    title: t.publish.title[type],
    access: "public",
    canonical: links.publish,
    scripts: ["map", "town", "photos", "steps", "draft"],
    formAddress: `${links.publish}?type=${type}`,
    body: (
      <>
        <p class="lead">{t.publish.lead[type]}</p>
        <PublishForm draft={draft} type={type} kept={kept} near={near} />
      </>
    ),
  });
}

type PublishProps = {
  draft: FormState;
  type: AlertType;
  kept: readonly StoredPhoto[];
  near: Point | null;
};

function PublishForm({ draft, type, kept, near }: PublishProps) {
  const { t, links } = usePage();
  const text = t.publish;
  const labels = {
    ...t.field,
    type: text.type,
    species: text.species,
    place: text.place[type],
    day: text.eventDate[type],
    color: text.color,
    microchip: text.microchip,
    photos: t.photoField.legend,
  };
  return (
    <Form
      action={links.publish}
      draft={draft}
      labels={labels}
      hasFiles
      more={{
        ...draftAttributes(`publish-${type}`, ["email", "microchip", ...PLACE_FIELDS], t),
        "data-steps": "",
        "data-next": text.steps.next,
        "data-back": text.steps.back,
        "data-progress": text.steps.progress,
      }}
    >
      <section data-step aria-labelledby="step-animal">
        <h2 id="step-animal">{text.steps.animal}</h2>
        <RadioGroup
          class="either"
          name="type"
          legend={text.type}
          options={optionsOf(ALERT_TYPES, { lost: text.lostIt, found: text.foundIt })}
          chosen={type}
        />
        <RadioGroup
          class="picks"
          name="species"
          legend={text.species}
          required
          chosen={draft.values["species"]}
          options={SPECIES.map((species) => [
            species,
            <>
              <Animal species={species} />
              {t.species[species]}
            </>,
          ])}
        />
        <PhotoField kept={kept} />
        <AlertFields names={["color"]} hints={text.hint} />
        <details open={hasMore(draft)}>
          <summary>{text.more}</summary>
          <More type={type} />
        </details>
      </section>
      <section data-step aria-labelledby="step-place">
        <h2 id="step-place">{text.steps.place}</h2>
        <LocationField
          known={near === null ? {} : { "data-centre-lat": near.lat, "data-centre-lng": near.lng }}
        />
        <AlertFields names={TEXTS_OF_EVENT} hints={text.hint} />
        <RadioGroup
          class="either"
          name="day"
          legend={labels.day}
          chosen={chosenDay(draft)}
          options={DAYS.map((day) => [day, text[DAY_LABELS[day]]])}
        />
        <div class="only-date">
          <TextField name="eventDate" type="date" max={10} />
        </div>
        <TextField name="eventTime" type="time" max={5} isOptional />
      </section>
      <section data-step aria-labelledby="step-you">
        <h2 id="step-you">{text.steps.you}</h2>
        <EmailField hint={text.emailHint} />
        <button type="submit">{t.continue}</button>
        <p class="hint">{t.contact.beware}</p>
      </section>
    </Form>
  );
}

const DAY_LABELS = { today: "today", yesterday: "yesterday", date: "anotherDay" } as const;

/** Chosen day; forms sent by other pages may have a date only. */
function chosenDay({ values }: FormState): string {
  return values["day"] ?? ((values["eventDate"] ?? "") === "" ? "today" : "date");
}

/** True if the collapsed section has a value or an error and must be open. */
function hasMore({ values, error: formError }: FormState): boolean {
  const isWrong = formError?.fields.some(({ field }) => DETAILS.includes(field)) ?? false;
  return isWrong || DETAILS.some((name) => (values[name] ?? "") !== "");
}

function More({ type }: { type: AlertType }) {
  const { publish: text } = usePage().t;
  const hints = { ...text.hint, description: text.descriptionHint[type] };
  return (
    <>
      <AlertFields names={MORE} hints={hints} unsaid="" />
      <TextField name="microchip" hint={text.microchipHint} max={CHIP_TEXT_MAX} />
    </>
  );
}
