import { Hono } from "hono";
import {
  AGES,
  ALERT_TYPES,
  type AlertType,
  CUSTODIES,
  SEXES,
  SIZES,
  SPECIES,
} from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import type { MatchFace } from "../../core/matching.ts";
import {
  CHIP_TEXT_MAX,
  DESCRIPTION_MAX,
  NAME_MAX,
  type PublishInput,
  publishInput,
  TRAIT_MAX,
} from "../../core/publication.ts";
import type { Service } from "../../core/service.ts";
import { Choice, type Draft, Email, Line, Lines, TroubleBox } from "./field.tsx";
import {
  filled,
  type Given,
  PHOTO_FILES,
  PHOTO_KEPT,
  readPhotoForm,
  readQuery,
  type Trouble,
} from "./form.ts";
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
import { MatchList } from "./matches.tsx";
import { drawn, keepPhotos, type KeptPhoto, PHOTO_FIRST, PhotoField } from "./photo-field.tsx";
import { byPlace, parsePlaced, PLACE_FIELDS, PlaceField, placed } from "./place-field.tsx";

/** What stands below the fold. */
const MORE = ["name", "breed", "description", "size", "sex", "age", "custody", "microchip"];
/** What is told in words, and after which of it the photos and the place stand. */
const TOLD = ["type", "species", "eventDate", "color", ...MORE, "email"];
const ORDER = TOLD.toSpliced(TOLD.indexOf("eventDate"), 0, PHOTO_FILES, "place");
/** What a press of a button means: nothing yet, "publish it all the same", "let me change it". */
const STEP = "step";
const FIELDS = [...TOLD, ...PLACE_FIELDS, STEP, PHOTO_FIRST];

/** Publishing an alert in one page; where alerts that look alike are known, they are shown before. */
export function createPublish({ service, frameOf }: Web): Hono<WebEnv> {
  const publish = new Hono<WebEnv>();

  publish.get("/publish", (c) => {
    const frame = frameOf(c);
    const given = filled(readQuery(c, ["type", "species", ...PLACE_FIELDS]));
    return show(c, frame, formPage(frame, { given, trouble: null }, []));
  });

  publish.post("/publish", async (c) => {
    const frame = frameOf(c);
    const form = await readPhotoForm(c, FIELDS);
    const { [STEP]: step, ...given } = form.given;
    const photos = await keepPhotos(service, form, c.get("caller"));
    const again = async (trouble: Trouble | null) => {
      const kept = await drawn(service, photos.names);
      return { ...formPage(frame, { given, trouble }, kept), access: "private" as const };
    };
    try {
      if (photos.refusal !== null) throw photos.refusal;
      if (step === "back") return show(c, frame, await again(null));
      const input = await inputFrom(service, frame, given);
      const likely = step === "sure" ? [] : await service.likely(input);
      if (likely.length > 0)
        return show(c, frame, likelyPage(frame, given, photos.names, input, likely));
      const asked = await service.publish(input, c.get("caller"), photos.names);
      return seeOther(c, local(frame.links.waiting(asked.ticket)));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return showFault(c, frame, error, await again(inOrder(byPlace(error))));
    }
  });

  return publish;
}

/** What the form says, with its town looked up. Throws `bad_input` for all that is wrong at once. */
async function inputFrom(service: Service, frame: Frame, given: Given): Promise<PublishInput> {
  const { place: _place, lat: _lat, lng: _lng, custody, ...told } = filled(given);
  const found = told["type"] === "found" && custody !== undefined ? { custody } : {};
  const input = { ...told, ...found, language: frame.words.language };
  return parsePlaced(publishInput, input, () => placed(service, given));
}

function inOrder(trouble: Trouble): Trouble {
  const at = ({ field }: { readonly field: string }) => ORDER.indexOf(field);
  return { ...trouble, fields: trouble.fields.toSorted((a, b) => at(a) - at(b)) };
}

function typeOf({ given }: Draft): AlertType {
  return given["type"] === "found" ? "found" : "lost";
}

function formPage(frame: Frame, draft: Draft, kept: readonly KeptPhoto[]): Page {
  const { words, links } = frame;
  const type = typeOf(draft);
  const title = words.publish.title[type];
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: "public",
    head: <link rel="canonical" href={links.publish} />,
    scripts: ["map", "town", "photos"],
    body: (
      <>
        <h1>{title}</h1>
        <p class="lead">{words.publish.lead[type]}</p>
        <PublishForm frame={frame} draft={draft} type={type} kept={kept} />
      </>
    ),
  };
}

function PublishForm({
  frame,
  draft,
  type,
  kept,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly type: AlertType;
  readonly kept: readonly KeptPhoto[];
}) {
  const { words, links } = frame;
  const say = words.publish;
  const labels = {
    ...words.field,
    type: say.type,
    species: say.species,
    place: say.place[type],
    eventDate: say.eventDate[type],
    color: say.color,
    microchip: say.microchip,
    email: say.email,
    photos: words.photoField.legend,
  };
  return (
    <form method="post" action={local(links.publish)} enctype="multipart/form-data">
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <TypeChoice frame={frame} type={type} />
      <Choice
        draft={draft}
        name="species"
        label={say.species}
        required
        options={[["", say.choose], ...named(SPECIES, words.species)]}
      />
      <PhotoField frame={frame} draft={draft} kept={kept} hasPlace />
      <PlaceField frame={frame} draft={draft} label={say.place[type]} />
      <Line
        draft={draft}
        name="eventDate"
        type="date"
        label={say.eventDate[type]}
        hint={say.eventDateHint}
        max={10}
      />
      <Line
        draft={draft}
        name="color"
        label={say.color}
        hint={say.colorHint}
        max={TRAIT_MAX}
        required
      />
      <details open={hasMore(draft)}>
        <summary>{say.more}</summary>
        <More frame={frame} draft={draft} type={type} />
      </details>
      <Email draft={draft} label={say.email} hint={say.emailHint} />
      <button type="submit">{say.button}</button>
      <p class="hint">{words.contact.beware}</p>
    </form>
  );
}

function TypeChoice({ frame, type }: { readonly frame: Frame; readonly type: AlertType }) {
  const say = frame.words.publish;
  const labels = { lost: say.lostIt, found: say.foundIt };
  return (
    <fieldset class="either">
      <legend>{say.type}</legend>
      {ALERT_TYPES.map((one) => (
        <label class="tick">
          <input type="radio" name="type" value={one} checked={one === type} />
          {labels[one]}
        </label>
      ))}
    </fieldset>
  );
}

/** Whether something below the fold was filled in or is wrong: then it stays unfolded. */
function hasMore({ given, trouble }: Draft): boolean {
  const isWrong = trouble?.fields.some(({ field }) => MORE.includes(field)) ?? false;
  return isWrong || MORE.some((name) => (given[name] ?? "") !== "");
}

function More({
  frame,
  draft,
  type,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly type: AlertType;
}) {
  const { words } = frame;
  const { field, publish: say } = words;
  return (
    <>
      <Line draft={draft} name="name" label={field.name} hint={say.nameHint} max={NAME_MAX} />
      <Line draft={draft} name="breed" label={field.breed} hint={say.breedHint} max={TRAIT_MAX} />
      <Lines
        draft={draft}
        name="description"
        label={say.description}
        hint={say.descriptionHint[type]}
        max={DESCRIPTION_MAX}
        rows={6}
      />
      <Choice draft={draft} name="size" label={field.size} options={orUnsaid(SIZES, words.size)} />
      <Choice draft={draft} name="sex" label={field.sex} options={orUnsaid(SEXES, words.sex)} />
      <Choice draft={draft} name="age" label={field.age} options={orUnsaid(AGES, words.age)} />
      <div class="only-found">
        <Choice
          draft={draft}
          name="custody"
          label={field.custody}
          options={orUnsaid(CUSTODIES, words.custody)}
        />
      </div>
      <Line
        draft={draft}
        name="microchip"
        label={say.microchip}
        hint={say.microchipHint}
        max={CHIP_TEXT_MAX}
      />
    </>
  );
}

/** The choices with "not known" first, as the empty one. */
function orUnsaid<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value | "unknown", string>>,
): (readonly [string, string])[] {
  const known = values.filter((value) => value !== "unknown");
  return [["", words.unknown], ...named(known, words)];
}

function named<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): (readonly [string, string])[] {
  return values.map((value) => [value, words[value]]);
}

function likelyPage(
  frame: Frame,
  given: Given,
  photos: readonly string[],
  { type }: PublishInput,
  likely: readonly MatchFace[],
): Page {
  const { words, links } = frame;
  return {
    title: words.publish.almostTitle,
    access: "private",
    body: (
      <>
        <h1>{words.publish.almostTitle}</h1>
        <p class="lead">{words.publish.almostLead}</p>
        <MatchList frame={frame} matches={likely} level={2} />
        <form method="post" action={local(links.publish)} enctype="multipart/form-data">
          {Object.entries({ ...given, type }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {photos.map((name) => (
            <input type="hidden" name={PHOTO_KEPT} value={name} />
          ))}
          <p class="paging">
            <button type="submit" name={STEP} value="sure">
              {words.publish.noneOfThese}
            </button>
            <button class="quiet" type="submit" name={STEP} value="back">
              {words.publish.back}
            </button>
          </p>
        </form>
      </>
    ),
  };
}
