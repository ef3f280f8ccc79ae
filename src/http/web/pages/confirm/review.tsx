/** @jsxImportSource hono/jsx */
import { writtenText } from "../../../../core/alerts/alert-text.ts";
import { MomentSentence } from "../../components/elements.tsx";
import { readerOf } from "../../../../core/alerts/alert.ts";
import type { Review, ReviewedAction } from "../../../../core/pending/confirm.ts";
import type { PositionDoubt } from "../../../../places/places.ts";
import { AlertCard, AlertDetails } from "../../components/alert.tsx";
import { WatchedZones, ZoneFacts } from "../../components/zone.tsx";
import { townName } from "../../components/town-name.ts";
import { Editor, editorDraft, editorLabels } from "../../form/alert-editor.tsx";
import { Form, formPage, type FormState, useForm, FrequencyField } from "../../form/field.tsx";
import { type PageContext, local, type Page, usePage } from "../../layout/layout.tsx";
import type { StoredPhoto } from "../../form/photo-field.tsx";
import { RemovedNotice } from "../../components/removed-notice.tsx";
import { PhotoStrip, photosBehind } from "../../components/photo-strip.tsx";
import { Seen } from "../sighting/sighting.tsx";

type WaitingReview = Extract<Review, { state: "waiting" }>;
type Action<Kind extends ReviewedAction["kind"]> = Extract<ReviewedAction, { kind: Kind }>;
/** State of the editor of a publication. */
export type Editing = {
  readonly draft: FormState;
  readonly photos: readonly StoredPhoto[];
  readonly doubt: PositionDoubt | null;
};

/** Field that only the form of this page sends. It is answered by a redirect; programs get the result itself. */
export const FROM_PAGE = "page";

/** Preview of the request with the button that confirms it. */
export function reviewPage(
  ctx: PageContext,
  token: string,
  review: WaitingReview,
  editing: Editing,
): Page {
  const { t, links } = ctx;
  const { action } = review;
  const isEditor = action.kind === "publish";
  const draft = isEditor ? editorDraft(action.draft, editing.draft) : editing.draft;
  const labels = isEditor
    ? editorLabels(ctx, action.draft.type)
    : { ...t.field, frequency: t.frequency.legend };
  return formPage(ctx, draft, {
    title: t.confirm[action.kind].title,
    access: "private",
    scripts: isEditor ? ["map", "town", "photos"] : [],
    body: (
      <>
        <Form action={links.confirm(token)} draft={draft} labels={labels} hasFiles={isEditor}>
          <input type="hidden" name={FROM_PAGE} value="1" />
          <Details token={token} action={action} editing={editing} />
        </Form>
        <p class="quiet">
          <MomentSentence sentence={t.confirm.until} at={review.expiresAt} />{" "}
          <a href={local(links.notMe(token))}>{t.confirm.notMe}</a>
        </p>
      </>
    ),
  });
}

function Details(props: { token: string; action: ReviewedAction; editing: Editing }) {
  const { token, action, editing } = props;
  switch (action.kind) {
    case "publish":
      return <Publication token={token} action={action} editing={editing} />;
    case "message":
      return <Message token={token} action={action} />;
    case "zone":
      return <ZoneRequest action={action} />;
    case "sighting":
      return <SightingReport token={token} action={action} />;
  }
}

function Publication(props: { token: string; action: Action<"publish">; editing: Editing }) {
  const { token, action, editing } = props;
  const ctx = usePage();
  const text = ctx.t.confirm.publish;
  const editor = <Editor alert={action.draft} photos={editing.photos} />;
  return (
    <>
      {editing.draft.error === null ? (
        <>
          <p class="lead">{text.lead}</p>
          <RemovedNotice removed={action.removed} />
          <DoubtNotice doubt={editing.doubt} city={action.draft.city} />
          <section class="preview" aria-label={text.preview}>
            <AlertDetails alert={asShown(ctx, token, action)} />
          </section>
          <details>
            <summary>{text.edit}</summary>
            {editor}
          </details>
        </>
      ) : (
        editor
      )}
      <button type="submit">{text.button}</button>
    </>
  );
}

/** Note on a pin that may be in the wrong place. */
function DoubtNotice({ doubt, city }: { doubt: PositionDoubt | null; city: string }) {
  const { t } = usePage();
  if (doubt === null) return null;
  const { remote, farFromCity } = t.confirm.publish;
  const town = townName(t, doubt.town);
  const km = Math.round(doubt.km);
  return (
    <p class="notice">
      {doubt.kind === "remote" ? remote({ town, km }) : farFromCity({ city, town, km })}
    </p>
  );
}

/** Draft with photo URLs below the confirmation link: before publication there are no others. */
function asShown({ links }: PageContext, token: string, { draft, photos }: Action<"publish">) {
  const at = photosBehind(links.confirm(token));
  return { ...draft, photos: photos.map(at.photo), thumbnails: photos.map(at.thumbnail) };
}

function Message({ token, action }: { token: string; action: Action<"message"> }) {
  const { t, links } = usePage();
  const text = t.confirm.message;
  return (
    <>
      <p class="lead">{text.lead[readerOf(action.alert)]}</p>
      <AlertCard alert={action.alert} level={2} />
      <RemovedNotice removed={action.removed} />
      <figure class="quote mine">
        <figcaption dir="auto">
          {action.name === null ? text.unnamed : text.from({ name: action.name })}
        </figcaption>
        <blockquote class="text" dir="auto">
          {writtenText(t, action.text)}
        </blockquote>
        <PhotoStrip
          photos={action.photos}
          at={photosBehind(links.confirm(token))}
          alt={t.conversation.photo}
        />
      </figure>
      <p>{text.hidden}</p>
      <button type="submit">{text.button}</button>
    </>
  );
}

function SightingReport({ token, action }: { token: string; action: Action<"sighting"> }) {
  const { t, links } = usePage();
  const text = t.confirm.sighting;
  return (
    <>
      <p class="lead">{text.lead[action.alert.reachable ? "told" : "untold"]}</p>
      <AlertCard alert={action.alert} level={2} />
      <RemovedNotice removed={action.removed} />
      <div class="preview">
        <Seen sighting={action.sighting} photosAt={photosBehind(links.confirm(token))} />
      </div>
      <p>{text.hidden}</p>
      <button type="submit">{text.button}</button>
    </>
  );
}

function ZoneRequest({ action }: { action: Action<"zone"> }) {
  const { t } = usePage();
  const text = t.confirm.zone;
  return (
    <>
      <p class="lead">{text.lead}</p>
      <ZoneFacts zone={action.zone} />
      {action.inTheWay.length > 0 && (
        <section class="panel">
          <p>{text.full}</p>
          <WatchedZones zones={action.inTheWay} />
        </section>
      )}
      <FrequencyField chosen={useForm().draft.values["frequency"] ?? action.zone.frequency} />
      <button type="submit">{text.button}</button>
    </>
  );
}
