/** @jsxImportSource hono/jsx */
import {
  Section,
  Submit,
  DangerForm,
  privatePage,
  Sentences,
  StatusNotice,
} from "../../components/elements.tsx";
import type { ModeratedAlert } from "../../../../core/moderation/queue.ts";
import type { Moderation } from "../../../../core/moderation/moderators.ts";
import type { ModerationAct, ReportReason } from "../../../../core/moderation/report.ts";
import { headlineOf } from "../../components/alert.tsx";
import { type PageContext, local, type Page, usePage } from "../../layout/layout.tsx";
import { AlertSearch } from "./alerts.tsx";
import { Moderated, type Question } from "./moderated-alert.tsx";

/** Moderation page: reported, suspicious and hidden alerts, and the log. */
export function queuePage(
  ctx: PageContext,
  moderation: Moderation,
  { done, reason }: { done: ModerationAct | null; reason: ReportReason | undefined },
): Page {
  const { t, links } = ctx;
  const text = t.admin;
  return privatePage(
    text.title,
    <>
      <StatusNotice text={done && text.done[done]} />
      <AlertSearch />
      <Section id="queue" title={text.queue}>
        <Reasons reasons={moderation.reasons} chosen={reason} />
        {moderation.queue.length === 0 && <p class="empty">{text.queueEmpty}</p>}
        {moderation.queue.map((reported) => (
          <Moderated {...reported} />
        ))}
      </Section>
      <Section id="odd" title={text.odd}>
        {moderation.oddEdits.length === 0 && <p class="empty">{text.oddEmpty}</p>}
        {moderation.oddEdits.map(({ alert, editsInDay, editsInWeek }) => (
          <>
            <p>
              <strong>{text.oddLine({ inDay: editsInDay, inWeek: editsInWeek })}</strong>
            </p>
            <Moderated alert={alert} reports={[]} sightings={[]} />
          </>
        ))}
      </Section>
      <Section id="hidden" title={text.hidden}>
        {moderation.hidden.length === 0 && <p class="empty">{text.hiddenEmpty}</p>}
        {moderation.hidden.map((reported) => (
          <Moderated {...reported} />
        ))}
      </Section>
      <Section id="log" title={text.log}>
        {moderation.log.length === 0 ? (
          <p class="empty">{text.logEmpty}</p>
        ) : (
          <Log moderation={moderation} />
        )}
      </Section>
      <form class="apart" method="post" action={`${local(links.admin)}/sign-out`}>
        <p>{text.who({ email: moderation.who })}</p>
        <Submit label={text.signOut} class="quiet" />
      </form>
    </>,
  );
}

/** Numbers of open reports by reason, each a link to these reports alone. */
function Reasons(props: { reasons: Moderation["reasons"]; chosen: ReportReason | undefined }) {
  const { t, links } = usePage();
  const { reasons, chosen } = props;
  if (reasons.length < 2 && chosen === undefined) return null;
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  const current = (is: boolean) => (is ? ("page" as const) : undefined);
  return (
    <ul class="ways">
      <li>
        <a href={local(links.admin)} aria-current={current(chosen === undefined)}>
          {t.admin.allReasons({ count: all })}
        </a>
      </li>
      {reasons.map(({ reason, count }) => (
        <li>
          <a
            href={`${local(links.admin)}?reason=${reason}`}
            aria-current={current(chosen === reason)}
          >
            {`${t.report.reasons[reason]} (${count})`}
          </a>
        </li>
      ))}
    </ul>
  );
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
      <DangerForm action={path} button={text.yes[question]} back={links.admin} keep={text.no} />
    </>,
  );
}
