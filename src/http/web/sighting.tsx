import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import {
  isAtLarge,
  SIGHTING_NOTE_MAX,
  type SightingFace,
  sightingInput,
} from "../../core/sighting.ts";
import { AlertLine, placeOf } from "./alert-line.tsx";
import { Choice, type Draft, Email, Lines, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import {
  type Frame,
  local,
  type Page,
  seeOther,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { byPlace, PLACE_FIELDS, PlaceField, placed } from "./place-field.tsx";
import type { Words } from "./words/words.ts";

const FIELDS = [...PLACE_FIELDS, "hoursAgo", "note", "email"];
/** Whoever comes here has most likely just seen it. */
const NOTHING_YET: Draft = { given: { hoursAgo: "0" }, trouble: null };
/** What can be chosen for a time: no time zone is needed to say it, and none to read it. */
const HOURS_AGO = [0, 1, 2, 3, 6, 12, 24, 48, 72, 168, 336];

/** Telling where and when the animal of an alert was seen. */
export function createSighting({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/alerts/:name/sighting", async (c) => {
    const frame = frameOf(c);
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name"))
      return c.redirect(frame.links.sighting(alert.slug), 301);
    return show(c, frame, sightingPage(frame, alert, NOTHING_YET));
  });

  pages.post("/alerts/:name/sighting", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, FIELDS);
    const alert = await service.get(c.req.param("name"));
    try {
      const { place: _place, ...told } = filled(given);
      const at = await placed(service, given);
      const { language } = frame.words;
      const input = parse(sightingInput, { ...told, ...at, alert: alert.id, language });
      const asked = await service.sight(input, c.get("caller"));
      return seeOther(c, local(frame.links.waiting(asked.ticket)));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "gone") throw error;
      const page = sightingPage(frame, alert, { given, trouble: byPlace(error) });
      return showFault(c, frame, error, page);
    }
  });

  return pages;
}

function sightingPage(frame: Frame, alert: PublicAlert, draft: Draft): Page {
  const { words, links } = frame;
  const { title, closed } = words.sighting;
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: draft.trouble === null ? "public" : "private",
    head: <link rel="canonical" href={links.sighting(alert.slug)} />,
    scripts: ["map", "town"],
    body: (
      <>
        <h1>{title}</h1>
        <AlertLine frame={frame} alert={alert} level={2} />
        {isAtLarge(alert) ? (
          <SightingForm frame={frame} alert={alert} draft={draft} />
        ) : (
          <p class="notice">{alert.status === "resolved" ? closed.home : closed.held}</p>
        )}
      </>
    ),
  };
}

function SightingForm({
  frame,
  alert,
  draft,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly draft: Draft;
}) {
  const { words, links } = frame;
  const say = words.sighting;
  const labels = { place: say.place, hoursAgo: say.when, note: say.note, email: say.email };
  return (
    <form method="post" action={local(links.sighting(alert.slug))}>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <p class="lead">{say.lead}</p>
      <p>{say.calm}</p>
      <PlaceField frame={frame} draft={draft} label={say.place} centre={alert} />
      <Choice draft={draft} name="hoursAgo" label={say.when} options={times(words)} />
      <Lines
        draft={draft}
        name="note"
        label={say.note}
        hint={say.noteHint}
        optional={words.field.optional}
        max={SIGHTING_NOTE_MAX}
        rows={3}
      />
      <Email draft={draft} label={say.email} hint={say.emailHint} />
      <button type="submit">{say.button}</button>
    </form>
  );
}

function times({ sighting }: Words): (readonly [value: string, label: string])[] {
  return HOURS_AGO.map((hours) => [String(hours), ago(hours)]);

  function ago(hours: number): string {
    if (hours === 0) return sighting.now;
    return hours < 24 ? sighting.hoursAgo(hours) : sighting.daysAgo(hours / 24);
  }
}

/**
 * Where an animal was seen, on its alert's page; nothing where it was not. A map draws lost and found apart: the
 * sightings take the look that their alert leaves.
 */
export function Sightings({
  frame,
  alert,
  sightings,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  readonly sightings: readonly SightingFace[];
}) {
  const words = frame.words.sighting;
  if (sightings.length === 0) return null;
  return (
    <section aria-labelledby="sightings">
      <h2 id="sightings">{words.list}</h2>
      <p class="quiet">{words.unproven}</p>
      <ul class="sightings">
        {sightings.map((sighting) => (
          <li
            data-lat={sighting.lat}
            data-lng={sighting.lng}
            data-type={alert.type === "lost" ? "found" : "lost"}
          >
            <Seen frame={frame} sighting={sighting} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One sighting: when, where, and what was said. */
export function Seen({
  frame,
  sighting,
}: {
  readonly frame: Frame;
  readonly sighting: SightingFace;
}) {
  const { words } = frame;
  return (
    <>
      <p>
        <time datetime={new Date(sighting.seenAt).toISOString()}>
          <strong>{words.moment(sighting.seenAt)}</strong>
        </time>
      </p>
      <p dir="auto">{words.sighting.near(placeOf(words, sighting), sighting.distanceKm)}</p>
      {sighting.note !== null && (
        <p class="text" dir="auto">
          {sighting.note}
        </p>
      )}
    </>
  );
}
