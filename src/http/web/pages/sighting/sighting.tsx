/** @jsxImportSource hono/jsx */
import { writtenText } from "../../../../core/locale.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { parse } from "../../../../core/input.ts";
import {
  isStillMissing,
  SIGHTING_NOTE_MAX,
  type SightingView,
  sightingInput,
} from "../../../../core/sightings/sighting.ts";
import { AlertCard, placeOf } from "../../components/alert.tsx";
import { Moment } from "../../components/moment.tsx";
import { Select, type FormState, EmailField, TextArea, Form, formPage } from "../../form/field.tsx";
import { withoutEmpty, readForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  seeOther,
  showAgain,
  type Web,
  usePage,
} from "../../layout.tsx";
import {
  withPlaceErrors,
  PLACE_FIELDS,
  LocationField,
  positionFrom,
} from "../../form/location-field.tsx";
import type { Messages } from "../../messages/messages.ts";

const FIELDS = [...PLACE_FIELDS, "hoursAgo", "note", "email"];
/** Initial form: most visitors have just seen the animal. */
const INITIAL_DRAFT: FormState = { values: { hoursAgo: "0" }, error: null };
/** Choices of time, relative to now so that no time zone is needed. */
const HOURS_AGO = [0, 1, 2, 3, 6, 12, 24, 48, 72, 168, 336];

/** Sighting page: where and when the animal was seen. */
export function sightingRoutes({ get, post, service }: Web): void {
  get("/alerts/:name/sighting", async (c, ctx) => {
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(ctx.links.sighting(alert.slug), 301);
    return sightingPage(ctx, alert, INITIAL_DRAFT);
  });

  post("/alerts/:name/sighting", async (c, ctx) => {
    const values = await readForm(c, FIELDS);
    const alert = await service.get(c.req.param("name"));
    try {
      const { place: _place, ...fields } = withoutEmpty(values);
      const at = await positionFrom(service, values, ctx.country);
      const { language } = ctx.t;
      const input = parse(sightingInput, { ...fields, ...at, alert: alert.id, language });
      const asked = await service.reportSighting(input, c.get("caller"));
      return seeOther(c, local(ctx.links.waiting(asked.ticket)));
    } catch (error) {
      return showAgain(
        c,
        ctx,
        error,
        (fault) => sightingPage(ctx, alert, { values, error: withPlaceErrors(fault) }),
        ["gone"],
      );
    }
  });
}

function sightingPage(ctx: PageContext, alert: PublicAlert, draft: FormState): Page {
  const { t, links } = ctx;
  const { title, closed } = t.sighting;
  return formPage(ctx, draft, {
    title,
    access: "public",
    head: <link rel="canonical" href={links.sighting(alert.slug)} />,
    scripts: ["map", "town"],
    body: (
      <>
        <AlertCard alert={alert} level={2} />
        {isStillMissing(alert) ? (
          <SightingForm alert={alert} draft={draft} />
        ) : (
          <p class="notice">{alert.status === "resolved" ? closed.home : closed.held}</p>
        )}
      </>
    ),
  });
}

function SightingForm({ alert, draft }: { alert: PublicAlert; draft: FormState }) {
  const { t, links } = usePage();
  const text = t.sighting;
  const labels = { place: text.place, hoursAgo: text.when, note: text.note, email: t.field.email };
  return (
    <Form action={local(links.sighting(alert.slug))} draft={draft} labels={labels}>
      <p class="lead">{text.lead}</p>
      <p>{text.calm}</p>
      <LocationField centre={alert} />
      <Select name="hoursAgo" options={times(t)} />
      <TextArea
        name="note"
        hint={`${text.noteHint} ${t.removed.publicHint}`}
        isOptional
        max={SIGHTING_NOTE_MAX}
        rows={3}
      />
      <EmailField hint={text.emailHint} />
      <button type="submit">{t.continue}</button>
    </Form>
  );
}

function times({ sighting }: Messages): (readonly [value: string, label: string])[] {
  return HOURS_AGO.map((hours) => [String(hours), ago(hours)]);

  function ago(hours: number): string {
    if (hours === 0) return sighting.now;
    return hours < 24 ? sighting.hoursAgo({ hours }) : sighting.daysAgo({ days: hours / 24 });
  }
}

/**
 * Sightings on the page of an alert; empty without any. The map marks them in the colour of the opposite alert type.
 */
export function Sightings(props: { alert: PublicAlert; sightings: readonly SightingView[] }) {
  const text = usePage().t.sighting;
  const { alert, sightings } = props;
  if (sightings.length === 0) return null;
  return (
    <section aria-labelledby="sightings">
      <h2 id="sightings">{text.list}</h2>
      <p class="quiet">{text.unproven}</p>
      <ul class="sightings">
        {sightings.map((sighting) => (
          <li
            data-lat={sighting.lat}
            data-lng={sighting.lng}
            data-type={alert.type === "lost" ? "found" : "lost"}
          >
            <Seen sighting={sighting} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One sighting: time, place and note. */
export function Seen({ sighting }: { sighting: SightingView }) {
  const { t } = usePage();
  return (
    <>
      <p>
        <strong>
          <Moment at={sighting.seenAt} />
        </strong>
      </p>
      <p dir="auto">{whereSeen(t, sighting)}</p>
      {sighting.note !== null && (
        <p class="text" dir="auto">
          {writtenText(t, sighting.note)}
        </p>
      )}
    </>
  );
}

function whereSeen(t: Messages, sighting: SightingView): string {
  const place = placeOf(t, sighting);
  const km = sighting.distanceKm;
  return km === null ? t.sighting.in({ place }) : t.sighting.near({ place, km });
}
