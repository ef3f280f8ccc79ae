/** @jsxImportSource hono/jsx */
import {
  ButtonLine,
  ButtonLink,
  LinkLine,
  Section,
  privatePage,
  Sentences,
} from "../../components/elements.tsx";
import { say } from "../../../../messages/compile.ts";
import type { ConfirmedResult } from "../../../../core/pending/confirm.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import { isInShelter } from "../../../../core/plan/plan.ts";
import { ShareRow } from "../../components/share.tsx";
import { DeviceOffer } from "../../components/device-button.tsx";
import { AlertCard, dayOf } from "../../components/alert.tsx";
import { type PageContext, local, type Page, usePage } from "../../layout/layout.tsx";
import { RemovedNotice } from "../../components/removed-notice.tsx";

type Of<Kind extends ConfirmedResult["kind"]> = Extract<ConfirmedResult, { kind: Kind }>;

/** Result of a confirmed action; later visits show the same page. `hasRemovals`: contact details were removed from it. */
export function outcomePage(
  ctx: PageContext,
  outcome: ConfirmedResult,
  hasRemovals: boolean,
): Page {
  const body = (
    <>
      {hasRemovals && <p class="notice">{ctx.t.removed.done}</p>}
      <Details outcome={outcome} />
    </>
  );
  const page = privatePage(titleOf(ctx, outcome), body);
  return outcome.kind === "publish" ? { ...page, scripts: ["device"] } : page;
}

/** Title of the result, which may have ended since. */
function titleOf({ t: { confirm } }: PageContext, outcome: ConfirmedResult): string {
  switch (outcome.kind) {
    case "publish": {
      const { doneTitle, endedTitle, goneTitle } = confirm.publish;
      if (outcome.alert === null) return goneTitle;
      return outcome.alert.status === "active" ? doneTitle : endedTitle;
    }
    case "message":
    case "sighting":
      return confirm[outcome.kind].doneTitle;
    case "zone":
      return outcome.isOver ? confirm.zone.goneTitle : confirm.zone.doneTitle;
  }
}

function Details({ outcome }: { outcome: ConfirmedResult }) {
  switch (outcome.kind) {
    case "publish":
      return <Published outcome={outcome} />;
    case "message":
    case "sighting":
      return <Sent outcome={outcome} />;
    case "zone":
      return <Watching outcome={outcome} />;
  }
}

function Published({ outcome }: { outcome: Of<"publish"> }) {
  const { t } = usePage();
  const text = t.confirm.publish;
  const { alert, removed } = outcome;
  if (alert === null) return <Sentences of={[text.gone]} />;
  const { day, manage } = t;
  const now = say(manage.status[alert.status], { day: day(dayOf(alert, alert.expiresAt)) });
  return (
    <>
      <Sentences of={[alert.status === "active" ? text.doneText : now]} />
      <RemovedNotice removed={removed} />
      {alert.status === "active" && (
        <NextSteps alert={alert} manageUrl={outcome.isManageable ? outcome.manageUrl : null} />
      )}
      <AlertCard alert={alert} level={2} />
      <ButtonLine to={alert.url} label={text.see} />
      {outcome.isManageable && <ManageLink url={outcome.manageUrl} />}
    </>
  );
}

/** Section with what helps now: the plan, sharing the alert, and the guide of the first days. */
function NextSteps({ alert, manageUrl }: { alert: PublicAlert; manageUrl: string | null }) {
  const { t, links } = usePage();
  const guide =
    alert.type === "found"
      ? "found"
      : alert.species === "cat" || alert.species === "dog"
        ? alert.species
        : null;
  return (
    <Section id="next" title={t.confirm.publish.nextTitle}>
      {!isInShelter(alert) &&
        (manageUrl === null ? (
          <p>{t.plan.byEmail}</p>
        ) : (
          <>
            <p>{t.confirm.publish.nextText}</p>
            <ButtonLine to={`${manageUrl}#plan`} label={t.plan.open} isMain />
          </>
        ))}
      {manageUrl !== null && <DeviceOffer here={local(manageUrl)} canInstall={false} />}
      <p>{t.confirm.publish.shareText}</p>
      <ShareRow alert={alert} posterOf={alert.slug} />
      {manageUrl === null && guide !== null && (
        <p>
          {t.home.firstSteps} <a href={`${local(links.about)}#${guide}`}>{t.home.guides[guide]}</a>
        </p>
      )}
    </Section>
  );
}

function ManageLink({ url }: { url: string | null }) {
  const { t, links } = usePage();
  const { manage, manageText, manageByEmail } = t.confirm.publish;
  return (
    <Section id="manage" title={manage} class="panel">
      <p>{url === null ? manageByEmail : manageText}</p>
      <p>
        {url === null ? (
          <a href={local(links.requestManageLinks)}>{t.findMine.title}</a>
        ) : (
          <ButtonLink to={url} label={manage} />
        )}
      </p>
    </Section>
  );
}

function Sent({ outcome }: { outcome: Of<"message" | "sighting"> }) {
  const { t } = usePage();
  const { confirm, contact } = t;
  const { doneText } = confirm[outcome.kind];
  return (
    <>
      <Sentences of={outcome.kind === "message" ? [doneText, contact.beware] : [doneText]} />
      {outcome.alert !== null && <AlertCard alert={outcome.alert} level={2} />}
    </>
  );
}

function Watching({ outcome }: { outcome: Of<"zone"> }) {
  const { t } = usePage();
  const text = t.confirm.zone;
  const { isOver, frequency, unsubscribeUrl } = outcome;
  const doneText = text.doneText[frequency];
  if (isOver) return <Sentences of={[text.gone]} />;
  if (unsubscribeUrl === null) return <Sentences of={[doneText, text.endByEmail]} />;
  return (
    <>
      <Sentences of={[doneText]} />
      <LinkLine to={unsubscribeUrl} label={text.end} />
    </>
  );
}
