import { AGES, CUSTODIES, SEXES, SIZES } from "../../core/alert.ts";
import type { DraftFace, Review, ReviewedWish } from "../../core/confirming.ts";
import { DESCRIPTION_MAX, NAME_MAX, TRAIT_MAX } from "../../core/publication.ts";
import { AlertText } from "./alert.tsx";
import { AlertLine, readerOf } from "./alert-line.tsx";
import { Choice, type Draft, Line, Lines, TroubleBox } from "./field.tsx";
import type { Given, Trouble } from "./form.ts";
import { type Frame, local, type Page } from "./frame.tsx";
import { RemovedBox } from "./removed.tsx";

type Waiting = Extract<Review, { state: "waiting" }>;
type Wish<Kind extends ReviewedWish["kind"]> = Extract<ReviewedWish, { kind: Kind }>;
type Refused = { readonly given: Given; readonly trouble: Trouble } | null;

/** What will happen, exactly as it will look, with the button that makes it happen. */
export function reviewPage(frame: Frame, token: string, review: Waiting, refused: Refused): Page {
  const { words, links } = frame;
  const { title } = words.confirm[review.wish.kind];
  return {
    title: refused === null ? title : words.errorTitle(title),
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <form method="post" action={local(links.confirm(token))}>
          <TroubleBox frame={frame} trouble={refused?.trouble ?? null} labels={words.field} />
          {wishOf(frame, review.wish, refused)}
        </form>
        <p class="quiet">
          {words.confirm.until(words.moment(review.expiresAt))}{" "}
          <a href={local(links.notMe(token))}>{words.confirm.notMe}</a>
        </p>
      </>
    ),
  };
}

function wishOf(frame: Frame, wish: ReviewedWish, refused: Refused) {
  switch (wish.kind) {
    case "publish":
      return <Publication frame={frame} wish={wish} refused={refused} />;
    case "message":
      return <Message frame={frame} wish={wish} />;
    case "zone":
      return <ZoneWish frame={frame} wish={wish} />;
  }
}

function Publication({
  frame,
  wish,
  refused,
}: {
  readonly frame: Frame;
  readonly wish: Wish<"publish">;
  readonly refused: Refused;
}) {
  const words = frame.words.confirm.publish;
  const draft: Draft = {
    given: { ...asGiven(wish.draft), ...refused?.given },
    trouble: refused?.trouble ?? null,
  };
  return (
    <>
      {refused === null ? (
        <>
          <p class="lead">{words.lead}</p>
          <RemovedBox frame={frame} removed={wish.removed} />
          <section class="preview" aria-label={words.preview}>
            <AlertText frame={frame} alert={wish.draft} level={2} />
          </section>
          <details>
            <summary>{words.edit}</summary>
            <Editor frame={frame} alert={wish.draft} draft={draft} />
          </details>
        </>
      ) : (
        <Editor frame={frame} alert={wish.draft} draft={draft} />
      )}
      <button type="submit">{words.button}</button>
    </>
  );
}

/** The fields as the form holds them: what is not known is an empty line. */
function asGiven(alert: DraftFace): Given {
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
  };
}

function Editor({
  frame,
  alert,
  draft,
}: {
  readonly frame: Frame;
  readonly alert: DraftFace;
  readonly draft: Draft;
}) {
  const { words } = frame;
  const label = { ...words.field, eventDate: words.alert.on[alert.type] };
  const hint = words.confirm.publish.nameHint;
  return (
    <>
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

function named<Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): (readonly [string, string])[] {
  return values.map((value) => [value, words[value]]);
}

function Message({ frame, wish }: { readonly frame: Frame; readonly wish: Wish<"message"> }) {
  const words = frame.words.confirm.message;
  return (
    <>
      <p class="lead">{words.lead[readerOf(wish.alert)]}</p>
      <AlertLine frame={frame} alert={wish.alert} level={2} />
      <RemovedBox frame={frame} removed={wish.removed} />
      <figure class="said mine">
        <figcaption dir="auto">
          {wish.name === null ? words.unnamed : words.from(wish.name)}
        </figcaption>
        <blockquote class="text" dir="auto">
          {wish.text}
        </blockquote>
      </figure>
      <p>{words.hidden}</p>
      <button type="submit">{words.button}</button>
    </>
  );
}

function ZoneWish({ frame, wish }: { readonly frame: Frame; readonly wish: Wish<"zone"> }) {
  const words = frame.words.confirm.zone;
  return (
    <>
      <p class="lead">{words.lead}</p>
      <ZoneFacts frame={frame} zone={wish.zone} />
      <button type="submit">{words.button}</button>
    </>
  );
}

/** A zone as its subscriber sees it. */
export function ZoneFacts({
  frame,
  zone,
}: {
  readonly frame: Frame;
  readonly zone: Wish<"zone">["zone"];
}) {
  const { words } = frame;
  const say = words.confirm.zone;
  const facts = [
    ...(zone.label === null ? [] : [[say.label, zone.label]]),
    [say.where, say.circle(zone.radiusKm, zone.town, zone.point.lat, zone.point.lng)],
    [say.animals, zone.species === null ? say.allAnimals : words.species[zone.species]],
    [say.alerts, zone.type === null ? say.allAlerts : words.type[zone.type]],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
