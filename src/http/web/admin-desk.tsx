import type { ModeratedAlert, ReportedConversation, ReportFace } from "../../core/desk.ts";
import type { Moderation } from "../../core/moderating.ts";
import type { ModerationAct } from "../../core/report.ts";
import { AlertText } from "./alert-text.tsx";
import { headlineOf } from "./alert-line.tsx";
import { type Frame, local, type Page } from "./frame.tsx";
import { Messages } from "./messages.tsx";
import { Sentences } from "./sentences.tsx";

/** Acts that are asked about before they are done. */
export type Question = "remove" | "block" | "block_writer";

/** All that moderators look at: what was reported, what is hidden, and what was done. */
export function deskPage(frame: Frame, desk: Moderation, done: ModerationAct | null): Page {
  const { words, links } = frame;
  const say = words.admin;
  return {
    title: say.title,
    access: "private",
    body: (
      <>
        <h1>{say.title}</h1>
        {done !== null && (
          <p class="notice" role="status">
            {say.done[done]}
          </p>
        )}
        <section aria-labelledby="queue">
          <h2 id="queue">{say.queue}</h2>
          {desk.queue.length === 0 && <p class="empty">{say.queueEmpty}</p>}
          {desk.queue.map(({ alert, reports }) => (
            <Moderated frame={frame} alert={alert} reports={reports} />
          ))}
        </section>
        <section aria-labelledby="hidden">
          <h2 id="hidden">{say.hidden}</h2>
          {desk.hidden.length === 0 && <p class="empty">{say.hiddenEmpty}</p>}
          {desk.hidden.map(({ alert, reports }) => (
            <Moderated frame={frame} alert={alert} reports={reports} />
          ))}
        </section>
        <section aria-labelledby="log">
          <h2 id="log">{say.log}</h2>
          {desk.log.length === 0 ? (
            <p class="empty">{say.logEmpty}</p>
          ) : (
            <Log {...{ frame, desk }} />
          )}
        </section>
        <form class="apart" method="post" action={`${local(links.admin)}/sign-out`}>
          <p>{say.who(desk.who)}</p>
          <button class="quiet" type="submit">
            {say.signOut}
          </button>
        </form>
      </>
    ),
  };
}

function Moderated({
  frame,
  alert,
  reports,
}: {
  readonly frame: Frame;
  readonly alert: ModeratedAlert;
  readonly reports: readonly ReportFace[];
}) {
  const { words } = frame;
  const say = words.admin;
  const isPublic = alert.status !== "hidden" && alert.status !== "removed";
  return (
    <article class="preview" id={alert.shortCode}>
      {reports.length > 0 && <Reports frame={frame} alert={alert} reports={reports} />}
      <AlertText frame={frame} alert={alert} level={2} />
      <p class="quiet">
        {say.status[alert.status]} {isPublic && <a href={local(alert.url)}>{say.see}</a>}
      </p>
      <ul class="moves">
        {alert.acts.map((act) => (
          <li>
            <Act frame={frame} alert={alert} act={act} />
          </li>
        ))}
      </ul>
    </article>
  );
}

function Reports({
  frame,
  alert,
  reports,
}: {
  readonly frame: Frame;
  readonly alert: ModeratedAlert;
  readonly reports: readonly ReportFace[];
}) {
  const { words } = frame;
  return (
    <ul class="told" aria-label={words.admin.reports}>
      {reports.map(({ reason, text, createdAt, conversation }) => (
        <li>
          <p>
            <strong>{words.report.reasons[reason]}</strong>{" "}
            <time class="quiet" datetime={new Date(createdAt).toISOString()}>
              {words.moment(createdAt)}
            </time>
          </p>
          {text !== null && (
            <p class="text" dir="auto">
              {text}
            </p>
          )}
          {conversation !== null && (
            <Conversation frame={frame} alert={alert} conversation={conversation} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Conversation({
  frame,
  alert,
  conversation,
}: {
  readonly frame: Frame;
  readonly alert: ModeratedAlert;
  readonly conversation: ReportedConversation;
}) {
  const say = frame.words.admin;
  const { id, strangerName, messages } = conversation;
  return (
    <details>
      <summary>{say.conversation}</summary>
      <Messages
        frame={frame}
        messages={messages}
        side="owner"
        nameOf={(from) => (from === "owner" ? say.owner : (strangerName ?? say.stranger))}
      />
      <Act frame={frame} alert={alert} act="block_writer" address={`conversations/${id}/block`} />
    </details>
  );
}

/** What is asked about first is a link to the question, what is not is a button. */
function Act({
  frame,
  alert,
  act,
  address = act,
}: {
  readonly frame: Frame;
  readonly alert: ModeratedAlert;
  readonly act: ModerationAct;
  readonly address?: string;
}) {
  const say = frame.words.admin;
  const path = `${local(frame.links.admin)}/alerts/${alert.id}/${address}`;
  return (
    <>
      {isQuestion(act) ? (
        <a class="button quiet" href={path}>
          {say.act[act]}
        </a>
      ) : (
        <form method="post" action={path}>
          <button class="quiet" type="submit">
            {say.act[act]}
          </button>
        </form>
      )}
      <p class="hint">{say.hint[act]}</p>
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
    case "dismiss":
      return false;
  }
}

function Log({ frame, desk }: { readonly frame: Frame; readonly desk: Moderation }) {
  const { words } = frame;
  return (
    <ol class="log">
      {desk.log.map(({ at, who, act, shortCode }) => (
        <li>{words.admin.line(words.moment(at), who, words.admin.did[act], shortCode ?? "")}</li>
      ))}
    </ol>
  );
}

/** Asks once more; `path` is where the answer goes. */
export function askPage(
  frame: Frame,
  alert: ModeratedAlert,
  question: Question,
  path: string,
): Page {
  const { words, links } = frame;
  const say = words.admin;
  return {
    title: say.ask[question],
    access: "private",
    body: (
      <>
        <h1>{say.ask[question]}</h1>
        <p dir="auto">
          <strong>{`${headlineOf(words, alert)} (${alert.shortCode})`}</strong>
        </p>
        <Sentences of={[say.askText[question]]} />
        <form method="post" action={path}>
          <button class="danger" type="submit">
            {say.yes[question]}
          </button>
        </form>
        <p>
          <a class="button quiet" href={local(links.admin)}>
            {say.no}
          </a>
        </p>
      </>
    ),
  };
}
