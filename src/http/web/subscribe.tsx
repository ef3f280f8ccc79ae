import { Hono } from "hono";
import type { Child } from "hono/jsx";
import { ALERT_TYPES, SPECIES } from "../../core/alert.ts";
import type { FieldReason } from "../../core/fault-reason.ts";
import { Fault } from "../../core/fault.ts";
import { badInput, parse } from "../../core/input.ts";
import type { Point } from "../../core/place.ts";
import type { Town } from "../../core/towns.ts";
import {
  ZONE_LABEL_MAX,
  ZONE_RADIUS_KM_DEFAULT,
  ZONE_RADIUS_KM_MAX,
  type ZoneInput,
  zoneInput,
} from "../../core/zone.ts";
import { Choice, type Draft, Email, Line, TroubleBox } from "./field.tsx";
import { filled, type Given, readForm, readQuery } from "./form.ts";
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
import { byPlace, PLACE_FIELDS, PlaceField } from "./place-field.tsx";
import { RadiusField } from "./radius-field.tsx";
import { townLabel } from "./towns.tsx";
import type { Words } from "./words/words.ts";

/** Which of several towns of one name, as `lat,lng`; asked only where nothing else tells. */
const WHICH = "which";
const FIELDS = [...PLACE_FIELDS, WHICH, "radiusKm", "species", "type", "label", "email"];
/** What a link to this page may fill in; the radius as searches call it. */
const PREFILLED = [...PLACE_FIELDS, "radius_km", "species", "type"];
const RADII_KM = [1, 2, 5, 10, 25, 50, ZONE_RADIUS_KM_MAX];

/** Watching a zone: a circle on the map, or around a town by its name. */
export function createSubscribe({ service, frameOf }: Web): Hono<WebEnv> {
  const subscribe = new Hono<WebEnv>();

  subscribe.get("/subscribe", (c) => {
    const frame = frameOf(c);
    const { radius_km: radiusKm, ...given } = filled(readQuery(c, PREFILLED));
    const draft = { given: radiusKm === undefined ? given : { ...given, radiusKm }, trouble: null };
    return show(c, frame, subscribePage(frame, draft));
  });

  subscribe.post("/subscribe", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, FIELDS);
    try {
      const located = service.locate({ place: given["place"], point: pointOf(given) });
      if (located?.kind === "unknown")
        throw badInput([{ field: "place", reason: unknownTown(frame.words, located.alike) }]);
      const input = inputFrom(frame.words, given, located?.point);
      if (located !== null && located.rivals.length > 0)
        return show(c, frame, whichPage(frame, given, [located.town, ...located.rivals]));
      const asked = await service.subscribe(input, c.get("caller"));
      return seeOther(c, local(frame.links.waiting(asked.ticket)));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const page = subscribePage(frame, { given, trouble: byPlace(error) });
      return showFault(c, frame, error, page);
    }
  });

  return subscribe;
}

/** What the form says; throws `bad_input` for all that is wrong. */
function inputFrom(words: Words, given: Given, point: Point | undefined): ZoneInput {
  const { place: _, lat: __, lng: ___, [WHICH]: ____, ...told } = filled(given);
  return parse(zoneInput, { ...told, ...point, language: words.language });
}

function unknownTown(words: Words, alike: readonly Town[]): FieldReason {
  if (alike.length === 0) return { kind: "unknown_town" };
  return { kind: "town_like", towns: words.and(alike.map((town) => townLabel(words, town))) };
}

/** The position on the map, or of the town that was chosen of several. */
function pointOf({ lat, lng, [WHICH]: which }: Given): Point | undefined {
  const [latText = "", lngText = ""] = which === undefined ? [lat, lng] : which.split(",");
  if (latText.trim() === "" || lngText.trim() === "") return undefined;
  return parse(zoneInput.pick({ lat: true, lng: true }), { lat: latText, lng: lngText });
}

function subscribePage(frame: Frame, draft: Draft, more?: Child): Page {
  const { words, links, tiles } = frame;
  const { title } = words.subscribe;
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: draft.trouble === null && more === undefined ? "public" : "private",
    scripts: tiles === null ? ["town"] : ["map", "town"],
    head: (
      <>
        <link rel="canonical" href={links.subscribe} />
        <meta name="description" content={words.subscribe.lead} />
      </>
    ),
    body: (
      <>
        <h1>{title}</h1>
        <p class="lead">{words.subscribe.lead}</p>
        <SubscribeForm frame={frame} draft={draft} more={more} />
      </>
    ),
  };
}

/** Several towns of that name are nearly as great: the reader chooses. */
function whichPage(frame: Frame, given: Given, towns: readonly Town[]): Page {
  const { words } = frame;
  const draft = { given, trouble: null };
  const options = towns.map(
    (town) => [`${town.point.lat},${town.point.lng}`, townLabel(words, town)] as const,
  );
  return subscribePage(
    frame,
    draft,
    <div class="notice" role="status">
      <Choice draft={draft} name={WHICH} label={words.subscribe.which} options={options} />
    </div>,
  );
}

function SubscribeForm({
  frame,
  draft,
  more,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  /** Said below the town. */
  readonly more: Child;
}) {
  const { words, links } = frame;
  const say = words.subscribe;
  const labels = {
    place: words.placeField.town,
    radiusKm: say.radius,
    species: say.species,
    type: say.type,
    label: say.label,
    email: say.email,
  };
  const types = ALERT_TYPES.map((type) => [type, words.type[type]] as const);
  const species = SPECIES.map((one) => [one, words.species[one]] as const);
  return (
    <form method="post" action={local(links.subscribe)}>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <PlaceField
        frame={frame}
        draft={draft}
        label={words.placeField.town}
        mode="zone"
        radiusField="#field-radiusKm"
      />
      {more}
      <RadiusField
        frame={frame}
        draft={draft}
        name="radiusKm"
        label={say.radius}
        usual={RADII_KM}
        otherwise={ZONE_RADIUS_KM_DEFAULT}
        fits={zoneInput.shape.radiusKm}
      />
      <Choice
        draft={draft}
        name="species"
        label={say.species}
        options={[["", say.anySpecies], ...species]}
      />
      <Choice draft={draft} name="type" label={say.type} options={[["", say.anyType], ...types]} />
      <Line
        draft={draft}
        name="label"
        label={say.label}
        hint={say.labelHint}
        optional={words.field.optional}
        max={ZONE_LABEL_MAX}
      />
      <Email draft={draft} label={say.email} hint={say.emailHint} />
      <button type="submit">{say.button}</button>
    </form>
  );
}
