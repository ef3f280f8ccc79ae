/** @jsxImportSource hono/jsx */
import { ButtonForm, ButtonLink, Moment } from "../../components/elements.tsx";
import { type LookAlikes, RESEMBLANCES } from "../../../../core/moderation/look-alikes.ts";
import type {
  ModeratedAlert,
  ReportedAlert,
  ReportedConversation,
  ReportView,
} from "../../../../core/moderation/queue.ts";
import type { ModerationAct } from "../../../../core/moderation/report.ts";
import { AlertDetails } from "../../components/alert.tsx";
import { local, usePage } from "../../layout/layout.tsx";
import { MessageList } from "../../components/message-list.tsx";
import { moderatedPhotos } from "../../components/photo-strip.tsx";
import { Seen } from "../sighting/sighting.tsx";

/** Actions that need a confirmation page. */
export type Question = "remove" | "block" | "block_writer";

/** Alert with its reports and everything that a moderator can do. */
export function Moderated(
  props: Omit<ReportedAlert, "lookAlikes"> & {
    readonly lookAlikes?: ReportedAlert["lookAlikes"];
    /** True on the page of this alert alone. */
    readonly isAlone?: boolean;
  },
) {
  const { t, links } = usePage();
  const { alert, reports, sightings, lookAlikes = null, isAlone = false } = props;
  const text = t.admin;
  const isPublic = alert.status !== "hidden" && alert.status !== "removed";
  return (
    <article class="preview" id={alert.shortCode}>
      {reports.length > 0 && <Reports alert={alert} reports={reports} />}
      <AlertDetails alert={alert} />
      <Sightings alert={alert} sightings={sightings} />
      <p class="quiet">
        {text.status[alert.status]} {isPublic && <a href={local(alert.url)}>{text.see}</a>}
      </p>
      {!isAlone && (
        <p>
          {lookAlikes !== null && <LookAlikeCounts counts={lookAlikes} />}
          <a href={`${local(links.admin)}/alerts/${alert.id}`}>{text.file}</a>
        </p>
      )}
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
        <ButtonLink to={path} label={text.act[act]} />
      ) : (
        <ButtonForm action={path} label={text.act[act]} class="quiet" />
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

/** "Same publisher: 5 · Same photo: 2". */
export function LookAlikeCounts({ counts }: { counts: LookAlikes["counts"] }) {
  const { t } = usePage();
  const { way } = t.admin.lookAlikes;
  const some = RESEMBLANCES.filter((one) => counts[one] > 0);
  if (some.length === 0) return null;
  return (
    <>
      <strong>
        {some.map((one) => t.named({ headline: way[one], name: String(counts[one]) })).join(" · ")}
      </strong>{" "}
    </>
  );
}
