import type { Review, ReviewedWish } from "../../core/confirming.ts";
import { AlertText } from "./alert-text.tsx";
import { AlertLine, readerOf } from "./alert-line.tsx";
import { Editor, editorLabels, type Refused } from "./editor.tsx";
import { TroubleBox } from "./field.tsx";
import { type Frame, local, type Page } from "./frame.tsx";
import type { KeptPhoto } from "./photo-field.tsx";
import { RemovedBox } from "./removed.tsx";
import { Seen } from "./sighting.tsx";

type Waiting = Extract<Review, { state: "waiting" }>;
type Wish<Kind extends ReviewedWish["kind"]> = Extract<ReviewedWish, { kind: Kind }>;
/** What the editor of a publication is drawn with. */
export type Editing = { readonly refused: Refused; readonly photos: readonly KeptPhoto[] };

/** What will happen, exactly as it will look, with the button that makes it happen. */
export function reviewPage(frame: Frame, token: string, review: Waiting, editing: Editing): Page {
  const { words, links } = frame;
  const { title } = words.confirm[review.wish.kind];
  const { refused } = editing;
  const isEditor = review.wish.kind === "publish";
  const labels =
    review.wish.kind === "publish" ? editorLabels(frame, review.wish.draft.type) : words.field;
  return {
    title: refused === null ? title : words.errorTitle(title),
    access: "private",
    ...(isEditor ? { scripts: ["map", "town", "photos"] as const } : {}),
    body: (
      <>
        <h1>{title}</h1>
        <form
          method="post"
          action={local(links.confirm(token))}
          enctype={isEditor ? "multipart/form-data" : undefined}
        >
          <TroubleBox frame={frame} trouble={refused?.trouble ?? null} labels={labels} />
          {wishOf(frame, token, review.wish, editing)}
        </form>
        <p class="quiet">
          {words.confirm.until(words.moment(review.expiresAt))}{" "}
          <a href={local(links.notMe(token))}>{words.confirm.notMe}</a>
        </p>
      </>
    ),
  };
}

function wishOf(frame: Frame, token: string, wish: ReviewedWish, editing: Editing) {
  switch (wish.kind) {
    case "publish":
      return <Publication frame={frame} token={token} wish={wish} editing={editing} />;
    case "message":
      return <Message frame={frame} wish={wish} />;
    case "zone":
      return <ZoneWish frame={frame} wish={wish} />;
    case "sighting":
      return <SightingWish frame={frame} wish={wish} />;
  }
}

function Publication({
  frame,
  token,
  wish,
  editing,
}: {
  readonly frame: Frame;
  readonly token: string;
  readonly wish: Wish<"publish">;
  readonly editing: Editing;
}) {
  const words = frame.words.confirm.publish;
  const { refused, photos } = editing;
  const editor = <Editor frame={frame} alert={wish.draft} photos={photos} refused={refused} />;
  return (
    <>
      {refused === null ? (
        <>
          <p class="lead">{words.lead}</p>
          <RemovedBox frame={frame} removed={wish.removed} />
          <section class="preview" aria-label={words.preview}>
            <AlertText frame={frame} alert={asShown(frame, token, wish)} level={2} />
          </section>
          <details>
            <summary>{words.edit}</summary>
            {editor}
          </details>
        </>
      ) : (
        editor
      )}
      <button type="submit">{words.button}</button>
    </>
  );
}

/** Until the alert is live, its pictures can be seen through the link of the letter only. */
function asShown({ links }: Frame, token: string, { draft, photos }: Wish<"publish">) {
  const address = (name: string, end: string) => `${links.confirm(token)}/photos/${name}${end}`;
  return {
    ...draft,
    photos: photos.map((name) => address(name, ".webp")),
    thumbnails: photos.map((name) => address(name, "-480.webp")),
  };
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

function SightingWish({ frame, wish }: { readonly frame: Frame; readonly wish: Wish<"sighting"> }) {
  const words = frame.words.confirm.sighting;
  return (
    <>
      <p class="lead">{words.lead[wish.alert.reachable ? "told" : "untold"]}</p>
      <AlertLine frame={frame} alert={wish.alert} level={2} />
      <RemovedBox frame={frame} removed={wish.removed} />
      <div class="preview">
        <Seen frame={frame} sighting={wish.sighting} />
      </div>
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
