/** @jsxImportSource hono/jsx */
import { parse } from "../../../../core/input.ts";
import { dayIn, timeZoneAt } from "../../../../core/time-zone.ts";
import { Section, Moment } from "../../components/elements.tsx";
import type { PageMessages } from "../../../../messages/messages.ts";
import { writtenText } from "../../../../core/alerts/alert-text.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import {
  isStillMissing,
  SIGHTING_NOTE_MAX,
  type SightingView,
  sightingInput,
} from "../../../../core/sightings/sighting.ts";
import { AlertCard, placeOf } from "../../components/alert.tsx";
import { type PhotoAddresses, PhotoStrip, publicPhotos } from "../../components/photo-strip.tsx";
import { ATTACHED_PHOTOS_MAX } from "../../../../core/photos/photos.ts";
import {
  Select,
  type FormState,
  EmailField,
  TextField,
  TextArea,
  Form,
  formPage,
  useForm,
} from "../../form/field.tsx";
import {
  draftAttributes,
  type FormError,
  IDEMPOTENCY_KEY,
  withoutEmpty,
  type FormValues,
} from "../../form/form.ts";
import { idempotencyKey } from "../../../../core/pending/request.ts";
import {
  AttachedPhotos,
  PHOTO_FIRST,
  type StoredPhoto,
  receivePhotoForm,
} from "../../form/photo-field.tsx";
import { type PageContext, local, type Page, type Web, usePage } from "../../layout/layout.tsx";
import {
  withPlaceErrors,
  PLACE_FIELDS,
  LocationField,
  placeFrom,
} from "../../form/location-field.tsx";
import { townLabel } from "../../../../places/places.ts";
import type { Service } from "../../../../core/service/service.ts";

/** Fields of the day and hour, which count instead of the choice of `hoursAgo`. */
const OTHER_TIME = ["seenDay", "seenHour"];
const FIELDS = [
  ...PLACE_FIELDS,
  PHOTO_FIRST,
  "hoursAgo",
  ...OTHER_TIME,
  "note",
  "email",
  IDEMPOTENCY_KEY,
];
/** Initial form: most visitors have just seen the animal. */
const INITIAL_DRAFT: FormState = { values: { hoursAgo: "0" }, error: null };
/** Choices of time, relative to now so that no time zone is needed. */
const HOURS_AGO = [0, 1, 2, 3, 6, 12];
const LAST_NIGHT = "last_night";
const DAYS_AGO = [1, 2];
/** Choices that name a day or a part of one, in words that the core reads. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  [LAST_NIGHT, "last night"],
  ...DAYS_AGO.map((days): [string, string] => [String(days * 24), `${days}d`]),
]);

/** Sighting page: where and when the animal was seen. */
export function sightingRoutes({ get, post, service }: Web): void {
  get("/alerts/:name/sighting", async (c, ctx, { name }) => {
    const alert = await service.alerts.get(name);
    if (alert.slug !== name) return c.redirect(ctx.links.sighting(alert.slug), 301);
    return sightingPage(ctx, alert, await service.sightings.of(alert), INITIAL_DRAFT, []);
  });

  post("/alerts/:name/sighting", async (c, ctx, { name }) => {
    const alert = await service.alerts.get(name);
    const { values, refs } = await receivePhotoForm(
      c,
      service,
      { fields: FIELDS, max: ATTACHED_PHOTOS_MAX, except: ["gone"] },
      async ({ values }, kept, error) => {
        const today = dayIn(timeZoneAt(alert), ctx.now);
        const draft = { values, error: atItsField(withPlaceErrors(error), values, today) };
        return sightingPage(ctx, alert, await service.sightings.of(alert), draft, kept);
      },
    );
    const { place: _place, ...fields } = withoutEmpty(values);
    const { language } = ctx.t;
    const seen = seenPlace(service, alert, values);
    // The animal is looked for around the alert, wherever the reader is.
    const at = placeFrom(service, { ...values, place: seen.town }, alert.countryCode);
    const told = { ...withSpot(withTime(fields), seen.spot), alert: alert.id, language };
    const input = parse(sightingInput, { ...told, ...at.fields }, at.problems);
    const key = idempotencyKey(values[IDEMPOTENCY_KEY]);
    const asked = await service.requests.reportSighting(input, c.get("caller"), refs, key);
    return ctx.links.waiting(asked.ticket);
  });
}

/**
 * Town of a sighting, and the spot in it that was named: of "Tête d'Or, Lyon" the park is a spot in Lyon. A spot alone is
 * in the town of the alert, unless it looks like a misspelt town.
 */
function seenPlace(
  service: Service,
  { city, countryCode }: PublicAlert,
  { place = "", lat, lng }: FormValues,
): { readonly town: string; readonly spot: string | null } {
  const text = place.trim();
  const isPinned = (lat ?? "") !== "" && (lng ?? "") !== "";
  if (text === "" || isPinned) return { town: place, spot: null };
  const located = service.places.locate({ place: text, country: countryCode });
  if (located?.kind === "known" && located.unread !== null)
    return { town: townLabel(located.town), spot: located.unread };
  const ofAlert = `${city}, ${countryCode}`;
  if (
    located?.kind === "unknown" &&
    located.alike.length === 0 &&
    service.places.locate({ place: ofAlert })?.kind === "known"
  )
    return { town: ofAlert, spot: text };
  return { town: place, spot: null };
}

/** Fields with the spot before the note, if both fit. */
function withSpot({ note, ...fields }: FormValues, spot: string | null): FormValues {
  const text = [spot, note].filter((part) => part != null).join("\n");
  const fits = text.length <= SIGHTING_NOTE_MAX;
  return { ...fields, ...(text !== "" && { note: fits ? text : (note ?? "") }) };
}

/** Fields with the time in words: that of the day and hour if one of them was chosen. */
function withTime({ hoursAgo = "0", seenDay, seenHour, ...fields }: FormValues): FormValues {
  const ago = hoursAgo === "0" ? "now" : `${hoursAgo} hours ago`;
  const hour = seenHour === undefined ? "" : `${seenHour}:00`;
  const seenAt = [seenDay ?? "", hour].join(" ").trim() || (WRITTEN.get(hoursAgo) ?? ago);
  return { ...fields, seenAt };
}

/** Fault with an error of the time at the field that it comes from. */
function atItsField(fault: FormError, { seenDay, seenHour }: FormValues, today: string): FormError {
  const fields = fault.fields.map((wrong) => {
    if (wrong.field !== "seenAt") return wrong;
    const isToday = !seenDay || (seenDay <= today && wrong.reason.kind === "future");
    const isHour = Boolean(seenHour) && isToday;
    return { ...wrong, field: isHour ? "seenHour" : seenDay ? "seenDay" : "hoursAgo" };
  });
  return { ...fault, fields };
}

function sightingPage(
  ctx: PageContext,
  alert: PublicAlert,
  sightings: readonly SightingView[],
  draft: FormState,
  kept: readonly StoredPhoto[],
): Page {
  const { t, links } = ctx;
  const { title, closed } = t.sighting;
  return formPage(ctx, draft, {
    title: title[alert.species],
    access: "public",
    head: <link rel="canonical" href={links.sighting(alert.slug)} />,
    scripts: ["map", "town", "photos", "draft"],
    body: (
      <>
        <AlertCard alert={alert} level={2} />
        {isStillMissing(alert) ? (
          <SightingForm alert={alert} sightings={sightings} draft={draft} kept={kept} />
        ) : (
          <p class="notice">{alert.status === "resolved" ? closed.home : closed.held}</p>
        )}
      </>
    ),
  });
}

function SightingForm(props: {
  alert: PublicAlert;
  sightings: readonly SightingView[];
  draft: FormState;
  kept: readonly StoredPhoto[];
}) {
  const { t, links } = usePage();
  const { alert, sightings, draft, kept } = props;
  const text = t.sighting;
  const labels = {
    place: text.place,
    which: t.field.which,
    hoursAgo: text.when,
    seenDay: text.day,
    seenHour: text.hour,
    note: text.note,
    photos: t.photoField.legend,
    email: t.field.email,
  };
  return (
    <Form
      action={links.sighting(alert.slug)}
      draft={draft}
      labels={labels}
      hasFiles
      more={{
        ...draftAttributes(`sighting-${alert.shortCode}`, ["email", ...PLACE_FIELDS], t),
        "data-worker": "",
      }}
    >
      <p class="lead">{text.lead}</p>
      <p>{text.calm}</p>
      <p>
        {text.caught.question}{" "}
        {alert.reachable ? (
          <a href={local(alert.contactUrl)}>{text.caught.write}</a>
        ) : (
          <a href={`${local(links.publish)}?type=found`}>{text.caught.publish}</a>
        )}
      </p>
      <LocationField known={knownPlaces(t, alert, sightings)} />
      <Select name="hoursAgo" options={times(t)} />
      <OtherTime />
      <TextArea
        name="note"
        hint={`${text.noteHint} ${t.removed.publicHint}`}
        isOptional
        max={SIGHTING_NOTE_MAX}
        rows={3}
      />
      <AttachedPhotos kept={kept} audience="everyone" />
      <EmailField hint={text.emailHint} />
      <button type="submit">{t.continue}</button>
    </Form>
  );
}

function times({ sighting }: PageMessages): (readonly [value: string, label: string])[] {
  return [
    ...HOURS_AGO.map((hours) => [String(hours), hoursAgo(hours)] as const),
    [LAST_NIGHT, sighting.lastNight],
    ...DAYS_AGO.map((days) => [String(days * 24), sighting.daysAgo({ days })] as const),
  ];

  function hoursAgo(hours: number): string {
    return hours === 0 ? sighting.now : sighting.hoursAgo({ hours });
  }
}

/** Day and hour, for people who remember them. */
function OtherTime() {
  const { t } = usePage();
  const { draft } = useForm();
  const text = t.sighting;
  const isUsed = OTHER_TIME.some(
    (name) =>
      (draft.values[name] ?? "") !== "" ||
      (draft.error?.fields.some(({ field }) => field === name) ?? false),
  );
  const hours = Array.from(
    { length: 24 },
    (_, hour) => [String(hour), text.atHour({ hour })] as const,
  );
  return (
    <details open={isUsed}>
      <summary>{text.otherTime}</summary>
      <p class="hint">{text.otherTimeHint}</p>
      <TextField name="seenDay" type="date" max={10} />
      <Select name="seenHour" options={[["", text.hourUnknown], ...hours]} />
    </details>
  );
}

/** Cell of the alert and those of its sightings, for the map of the form. */
function knownPlaces(t: PageMessages, alert: PublicAlert, sightings: readonly SightingView[]) {
  const seen = oppositeType(alert);
  return {
    "data-known": [
      `${alert.type} ${alert.lat} ${alert.lng}`,
      ...sightings.map(({ lat, lng }) => `${seen} ${lat} ${lng}`),
    ].join(", "),
    ...(sightings.length > 0 ? markLegend(t, alert) : {}),
  };
}

/** Names of the marks on a map of an alert and its sightings. */
export function markLegend({ sighting }: PageMessages, alert: PublicAlert) {
  const own = sighting.alertHere[alert.type];
  return alert.type === "lost"
    ? { "data-lost-label": own, "data-found-label": sighting.seenHere }
    : { "data-found-label": own, "data-lost-label": sighting.seenHere };
}

/** Sightings are marked in the colour of the opposite alert type. */
export function oppositeType({ type }: Pick<PublicAlert, "type">) {
  return type === "lost" ? "found" : "lost";
}

/**
 * Sightings on the page of an alert; empty without any. The map marks them in the colour of the opposite alert type.
 */
export function Sightings(props: { alert: PublicAlert; sightings: readonly SightingView[] }) {
  const ctx = usePage();
  const text = ctx.t.sighting;
  const { alert, sightings } = props;
  if (sightings.length === 0) return null;
  return (
    <Section id="sightings" title={text.list}>
      <p class="quiet">{text.unproven}</p>
      <ul class="sightings">
        {sightings.map((sighting) => (
          <li data-lat={sighting.lat} data-lng={sighting.lng} data-type={oppositeType(alert)}>
            <Seen sighting={sighting} photosAt={publicPhotos(ctx)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** One sighting: time, place, note and photos. */
export function Seen(props: { sighting: SightingView; photosAt: PhotoAddresses }) {
  const { sighting, photosAt } = props;
  const { seenOn } = sighting;
  const ctx = usePage();
  const { t } = ctx;
  return (
    <>
      <p>
        <strong>
          {seenOn === null ? (
            <Moment at={sighting.seenAt} />
          ) : (
            <time datetime={seenOn.day}>{t.dayPart(seenOn)}</time>
          )}
        </strong>
      </p>
      <p dir="auto">{whereSeen(ctx, sighting)}</p>
      {sighting.note !== null && (
        <p class="text" dir="auto">
          {writtenText(t, sighting.note)}
        </p>
      )}
      <PhotoStrip photos={sighting.photos} at={photosAt} alt={t.sighting.photo} />
    </>
  );
}

function whereSeen(ctx: PageContext, sighting: SightingView): string {
  const { t } = ctx;
  const place = placeOf(ctx, sighting);
  const km = sighting.distanceKm;
  return km === null ? t.sighting.in({ place }) : t.sighting.near({ place, km });
}
