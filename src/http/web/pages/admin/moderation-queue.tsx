/** @jsxImportSource hono/jsx */
import type {
  ModeratedAlert,
  ReportedAlert,
  ReportedConversation,
  ReportView,
} from "../../../../core/moderation/queue.ts";
import type { Moderation } from "../../../../core/moderation/sign-in.ts";
import type { ModerationAct } from "../../../../core/moderation/report.ts";
import { headlineOf, AlertDetails } from "../../components/alert.tsx";
import { type PageContext, local, type Page, usePage } from "../../layout.tsx";
import { MessageList } from "../../components/message-list.tsx";
import { moderatedPhotos } from "../../components/photo-strip.tsx";
import { Seen } from "../sighting/sighting.tsx";
import { Moment } from "../../components/moment.tsx";
import { DangerForm, privatePage, Sentences, StatusNotice } from "../../components/text-page.tsx";

/** Actions that need a confirmation page. */
export type Question = "remove" | "block" | "block_writer";

/** Moderation page: reported, suspicious and hidden alerts, and the log. */
export function queuePage(
  ctx: PageContext,
  moderation: Moderation,
  done: ModerationAct | null,
): Page {
  const { t, links } = ctx;
  const text = t.admin;
  const page = privatePage(
    text.title,
    <>
      <StatusNotice text={done && text.done[done]} />
      <section aria-labelledby="queue">
        <h2 id="queue">{text.queue}</h2>
        {moderation.queue.length === 0 && <p class="empty">{text.queueEmpty}</p>}
        {moderation.queue.map((reported) => (
          <Moderated {...reported} />
        ))}
      </section>
      <section aria-labelledby="odd">
        <h2 id="odd">{text.odd}</h2>
        {moderation.oddEdits.length === 0 && <p class="empty">{text.oddEmpty}</p>}
        {moderation.oddEdits.map(({ alert, editsInDay, editsInWeek }) => (
          <>
            <p>
              <strong>{text.oddLine({ inDay: editsInDay, inWeek: editsInWeek })}</strong>
            </p>
            <Moderated alert={alert} reports={[]} sightings={[]} />
          </>
        ))}
      </section>
      <section aria-labelledby="hidden">
        <h2 id="hidden">{text.hidden}</h2>
        {moderation.hidden.length === 0 && <p class="empty">{text.hiddenEmpty}</p>}
        {moderation.hidden.map((reported) => (
          <Moderated {...reported} />
        ))}
      </section>
      <section aria-labelledby="log">
        <h2 id="log">{text.log}</h2>
        {moderation.log.length === 0 ? (
          <p class="empty">{text.logEmpty}</p>
        ) : (
          <Log moderation={moderation} />
        )}
      </section>
      <form class="apart" method="post" action={`${local(links.admin)}/sign-out`}>
        <p>{text.who({ email: moderation.who })}</p>
        <button class="quiet" type="submit">
          {text.signOut}
        </button>
      </form>
    </>,
  );
  return { ...page, scripts: ["local-times"] };
}

function Moderated({ alert, reports, sightings }: ReportedAlert) {
  const { t } = usePage();
  const text = t.admin;
  const isPublic = alert.status !== "hidden" && alert.status !== "removed";
  return (
    <article class="preview" id={alert.shortCode}>
      {reports.length > 0 && <Reports alert={alert} reports={reports} />}
      <AlertDetails alert={alert} level={2} />
      <Sightings alert={alert} sightings={sightings} />
      <p class="quiet">
        {text.status[alert.status]} {isPublic && <a href={local(alert.url)}>{text.see}</a>}
      </p>
      <ul class="moves">
        {alert.acts.map((act) => (
          <li>
            <Act alert={alert} act={act} />
          </li>
        ))}
      </ul>
    </article>
  );
}

function Reports({ alert, reports }: { alert: ModeratedAlert; reports: readonly ReportView[] }) {
  const { t } = usePage();
  return (
    <ul class="quotes" aria-label={t.admin.reports}>
      {reports.map(({ reason, text, createdAt, conversation }) => (
        <li>
          <p>
            <strong>{t.report.reasons[reason]}</strong> <Moment at={createdAt} class="quiet" />
          </p>
          {text !== null && (
            <p class="text" dir="auto">
              {text}
            </p>
          )}
          {conversation !== null && <Conversation alert={alert} conversation={conversation} />}
        </li>
      ))}
    </ul>
  );
}

/** Sightings on the page of the alert; empty without any. */
function Sightings({ alert, sightings }: Pick<ReportedAlert, "alert" | "sightings">) {
  const ctx = usePage();
  if (sightings.length === 0) return null;
  return (
    <details>
      <summary>{ctx.t.sighting.list}</summary>
      <ul class="sightings">
        {sightings.map((sighting) => (
          <li>
            <Seen sighting={sighting} photosAt={moderatedPhotos(ctx)} />
            <Act alert={alert} act="remove_sighting" address={`sightings/${sighting.id}/remove`} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Conversation(props: { alert: ModeratedAlert; conversation: ReportedConversation }) {
  const ctx = usePage();
  const text = ctx.t.admin;
  const { id, strangerName, messages } = props.conversation;
  return (
    <details>
      <summary>{text.conversation}</summary>
      <MessageList
        messages={messages}
        side="owner"
        photosAt={moderatedPhotos(ctx)}
        nameOf={(from) => (from === "owner" ? text.owner : (strangerName ?? text.stranger))}
      />
      <Act alert={props.alert} act="block_writer" address={`conversations/${id}/block`} />
    </details>
  );
}

/** Action as a button, or as a link to its confirmation page. */
function Act(props: { alert: ModeratedAlert; act: ModerationAct; address?: string }) {
  const { t, links } = usePage();
  const text = t.admin;
  const { alert, act, address = act } = props;
  const path = `${local(links.admin)}/alerts/${alert.id}/${address}`;
  return (
    <>
      {isQuestion(act) ? (
        <a class="button quiet" href={path}>
          {text.act[act]}
        </a>
      ) : (
        <form method="post" action={path}>
          <button class="quiet" type="submit">
            {text.act[act]}
          </button>
        </form>
      )}
      <p class="hint">{text.hint[act]}</p>
    </>
  );
}

function isQuestion(act: ModerationAct): act is Question {
  switch (act) {
    case "remove":
    case "block":
    case "block_writer":
      return true;
    case "hide":
    case "restore":
    case "remove_sighting":
    case "dismiss":
      return false;
  }
}

function Log({ moderation }: { moderation: Moderation }) {
  const { t } = usePage();
  return (
    <ol class="log">
      {moderation.log.map(({ at, who, act, shortCode }) => (
        <li>
          {t.admin.line({
            moment: t.moment(at),
            who,
            did: t.admin.did[act],
            code: shortCode ?? "",
          })}
        </li>
      ))}
    </ol>
  );
}

/** Confirmation page of an action; `path` is the target of its form. */
export function confirmPage(
  ctx: PageContext,
  alert: ModeratedAlert,
  question: Question,
  path: string,
): Page {
  const { t, links } = ctx;
  const text = t.admin;
  return privatePage(
    text.ask[question],
    <>
      <p dir="auto">
        <strong>{`${headlineOf(t, alert)} (${alert.shortCode})`}</strong>
      </p>
      <Sentences of={[text.askText[question]]} />
      <DangerForm
        action={path}
        button={text.yes[question]}
        back={local(links.admin)}
        keep={text.no}
      />
    </>,
  );
}
