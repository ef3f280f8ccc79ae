/** @jsxImportSource hono/jsx */
import {
  ButtonLink,
  LinkItem,
  LinkLine,
  Section,
  Moment,
  DangerForm,
  privatePage,
  Sentences,
  StatusNotice,
} from "../../components/elements.tsx";
import type { PageMessages } from "../../../../messages/messages.ts";
import { writtenText } from "../../../../core/alerts/alert-text.ts";
import type { OwnerAction, PublicAlert } from "../../../../core/alerts/alert.ts";
import { type MatchView, matchesInput } from "../../../../core/matches/find-matches.ts";
import type { StoredSightingView } from "../../../../core/sightings/sighting.ts";
import { ShareRow } from "../../components/share.tsx";
import { Matches, MATCHES_SHOWN } from "../alert/matches.tsx";
import { Trail } from "./trail.tsx";
import { say } from "../../../../messages/compile.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { outcomeInput, RETURN_DISTANCES, RETURN_WAYS } from "../../../../core/outcomes/outcome.ts";
import { CONVERSATIONS_PER_PAGE, type ManagedAlert } from "../../../../core/owners/owner.ts";
import { planMarkInput } from "../../../../core/plan/plan.ts";
import { AFTER_REMOVAL } from "./find-links.tsx";
import { PlanSection } from "./plan.tsx";
import { SUBSCRIPTION_FIELDS } from "../../../../core/push/device.ts";
import { DeviceOffer } from "../../components/device-button.tsx";
import { AlertCard, dayOf } from "../../components/alert.tsx";
import { optionsOf, RadioGroup, ErrorSummary } from "../../form/field.tsx";
import { withoutEmpty, readForm, type FormError } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  renderFault,
  type Web,
  usePage,
} from "../../layout/layout.tsx";

/** Moves after which the page stays, and the status that they lead to. */
const AFTER = { resolve: "resolved", renew: "active", reopen: "active" } as const;
type StayingMove = keyof typeof AFTER;
const STAYING_MOVES = Object.keys(AFTER) as StayingMove[];

/** Owner's page, opened by the private link. */
export function manageRoutes({ get, post, service }: Web): void {
  get("/manage/:token", async (c, ctx, { token }) => {
    const managed = await service.owners.managedAlert(
      token,
      messagesPageOf(c.req.query("messages")),
    );
    const news = managed.hidden ? null : await newsOf(ctx, managed.alert);
    return managePage(ctx, token, managed, doneOf(ctx, c.req.query("done"), managed), null, news);
  });

  async function newsOf({ t }: PageContext, alert: PublicAlert): Promise<News> {
    const asked = { alert: alert.id, limit: MATCHES_SHOWN, language: t.language };
    const [{ matches }, sightings] = await Promise.all([
      service.matches.find(parse(matchesInput, asked)),
      service.sightings.managed(alert),
    ]);
    return { matches, sightings };
  }

  for (const move of STAYING_MOVES) {
    post(`/manage/:token/${move}`, async (c, ctx, { token }) => {
      try {
        await service.owners.changeStatus(token, move);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "conflict") throw error;
        const managed = await service.owners.managedAlert(token);
        // Pressed twice: already done.
        if (managed.hidden || managed.alert.status !== AFTER[move])
          return renderFault(c, ctx, error, managePage(ctx, token, managed, null, error));
      }
      return backTo(ctx, token, move);
    });
  }

  post("/manage/:token/outcome", async (c, ctx, { token }) => {
    const values = withoutEmpty(await readForm(c, ["how", "distance"]));
    await service.owners.recordOutcome(token, parse(outcomeInput, values));
    return backTo(ctx, token, "tell");
  });

  post("/manage/:token/plan", async (c, ctx, { token }) => {
    const mark = parse(planMarkInput, withoutEmpty(await readForm(c, ["step", "done"])));
    await service.owners.markPlanStep(token, mark);
    return backTo(ctx, token, mark.done === "yes" ? "step" : "step-undone", "#plan");
  });

  post("/manage/:token/sightings/:id/remove", async (_, ctx, { token, id }) => {
    await service.owners.removeSighting(token, id);
    return backTo(ctx, token, "sighting");
  });

  post("/manage/:token/emails", async (_, ctx, { token }) => {
    await service.owners.resumeEmails(token);
    return backTo(ctx, token, "emails");
  });

  post("/manage/:token/device", async (c, ctx, { token }) => {
    const subscription = await readForm(c, SUBSCRIPTION_FIELDS);
    const { language } = ctx.t;
    await service.devices.addOwnerTopic(token, { subscription, language }, c.get("caller"));
    return backTo(ctx, token, "device");
  });

  get("/manage/:token/remove", async (_, ctx, { token }) =>
    removePage(ctx, token, await service.owners.managedAlert(token)),
  );

  post("/manage/:token/remove", async (_, ctx, { token }) => {
    await service.owners.changeStatus(token, "remove");
    // The private link has ended with the alert.
    return `${ctx.links.requestManageLinks}?${AFTER_REMOVAL}`;
  });
}

function isStaying(move: OwnerAction): move is StayingMove {
  return move !== "remove";
}

/** Address of the page after a form, or of a part of it. */
function backTo(ctx: PageContext, token: string, done: Done, part = ""): string {
  return `${ctx.links.manage(token)}?done=${done}${part}`;
}

/** Number in the address of a page of conversations; 1 for anything else. */
function messagesPageOf(values: string | undefined): number {
  return values !== undefined && /^[1-9]\d{0,5}$/.test(values) ? Number(values) : 1;
}

/** News about the alert besides messages. */
type News = {
  readonly matches: readonly MatchView[];
  readonly sightings: readonly StoredSightingView[];
};

/** Last action, from the query parameter `done`. */
type Done = keyof PageMessages["manage"]["done"];

/** Last action, if the state of the alert agrees. */
function doneOf(ctx: PageContext, said: string | undefined, managed: ManagedAlert): Done | null {
  const done = (Object.keys(ctx.t.manage.done) as Done[]).find((one) => one === said);
  if (done === undefined || (done === "emails" && managed.emailsStopped !== null)) return null;
  return done in AFTER && managed.alert.status !== AFTER[done as StayingMove] ? null : done;
}

function managePage(
  ctx: PageContext,
  token: string,
  managed: ManagedAlert,
  done: Done | null,
  formError: FormError | null = null,
  news: News | null = null,
): Page {
  const text = ctx.t.manage;
  const { alert, hidden } = managed;
  const here = local(ctx.links.manage(token));
  const notice = done && text.done[done];
  const isOfPlan = managed.plan !== null && (done === "step" || done === "step-undone");
  const page = privatePage(
    text.title,
    <>
      <StatusNotice text={isOfPlan ? null : notice} />
      <ErrorSummary formError={formError} labels={{}} />
      <AlertCard alert={alert} level={2} />
      <p class="lead">
        {hidden
          ? text.hidden
          : say(text.status[alert.status], { day: ctx.t.day(dayOf(alert, alert.expiresAt)) })}
      </p>
      <NewsLinks managed={managed} news={news} />
      {!hidden && alert.status !== "resolved" && (
        <DeviceOffer here={here} isOn={done === "device"} />
      )}
      {managed.plan !== null && (
        <PlanSection
          alert={alert}
          plan={managed.plan}
          help={managed.help}
          hasMap={managed.searchRings !== null}
          here={here}
          notice={isOfPlan ? notice : null}
        />
      )}
      <ChipTwins twins={managed.chipTwins} />
      {managed.emailsStopped !== null && (
        <form class="panel" method="post" action={`${here}/emails`}>
          <p>{text.emailsStopped[managed.emailsStopped]}</p>
          <button type="submit">{text.emailsStopped.button}</button>
        </form>
      )}
      {managed.canRecordOutcome && <OutcomeForm here={here} />}
      <Conversations here={here} managed={managed} />
      {news !== null && <Trail here={here} alert={alert} sightings={news.sightings} />}
      {news !== null && <Matches alert={alert} matches={news.matches} canWrite />}
      {news !== null && alert.status === "active" && (
        <Section id="share" title={ctx.t.alert.share}>
          <ShareRow alert={alert} posterOf={alert.slug} />
        </Section>
      )}
      <Moves here={here} managed={managed} />
      <p class="quiet">{text.private}</p>
    </>,
  );
  const isMapped = news !== null && news.sightings.length > 0;
  return {
    ...page,
    scripts: isMapped ? ["device", "map"] : ["device"],
    isWide: isMapped,
    isOwnApp: true,
    formAddress: here,
  };
}

/** Links to what has come in, which stands below the plan; empty without any. */
function NewsLinks({ managed, news }: { managed: ManagedAlert; news: News | null }) {
  const { t } = usePage();
  const { conversationsTotal: count, alert } = managed;
  const likely = news?.matches ?? [];
  const links = [
    ...(count > 0 ? [["#messages", t.manage.messages({ count })] as const] : []),
    ...((news?.sightings.length ?? 0) > 0 ? [["#sightings", t.sighting.list] as const] : []),
    ...(likely.length > 0 ? [["#matches", t.matches.title[alert.type]] as const] : []),
  ];
  if (links.length === 0) return null;
  return (
    <ul class="news-links">
      {links.map(([to, label]) => (
        <LinkItem to={to} label={label} />
      ))}
    </ul>
  );
}

/** Alerts with the same chip number; empty without any. */
function ChipTwins({ twins }: { twins: ManagedAlert["chipTwins"] }) {
  const { t } = usePage();
  const text = t.manage;
  if (twins.length === 0) return null;
  return (
    <Section id="chip" title={text.chipTitle} class="panel">
      <p>{text.chipText}</p>
      {twins.map((twin) => (
        <AlertCard alert={twin} level={3} />
      ))}
    </Section>
  );
}

/** Form about how the animal came home: two choices, both optional. */
function OutcomeForm({ here }: { here: string }) {
  const text = usePage().t.outcome;
  return (
    <form class="panel" method="post" action={`${here}/outcome`}>
      <h2>{text.title}</h2>
      <p>{text.lead}</p>
      <RadioGroup
        name="how"
        legend={text.how}
        options={[...optionsOf(RETURN_WAYS, text.ways), ["", text.unsaid]]}
      />
      <RadioGroup
        name="distance"
        legend={text.distance}
        options={[...optionsOf(RETURN_DISTANCES, text.distances), ["", text.unsaid]]}
      />
      <button type="submit">{text.button}</button>
    </form>
  );
}

/** List of the conversations about the alert. */
function Conversations({ here, managed }: { here: string; managed: ManagedAlert }) {
  const { t } = usePage();
  const { manage, conversation } = t;
  const { conversations, conversationsPage, conversationsTotal } = managed;
  const hasMore = conversationsTotal > conversationsPage * CONVERSATIONS_PER_PAGE;
  if (conversations.length === 0) return null;
  return (
    <Section id="messages" title={manage.messages({ count: conversationsTotal })}>
      <ul class="quotes">
        {conversations.map(({ url, strangerName, text, photos, at }) => (
          <li>
            <a href={local(url)} dir="auto">
              {strangerName ?? conversation.stranger}
            </a>{" "}
            <Moment at={at} class="quiet" />
            <p class="text" dir="auto">
              {writtenText(t, text)}
            </p>
            {photos > 0 && <p class="hint">{manage.withPhotos({ count: photos })}</p>}
          </li>
        ))}
      </ul>
      {conversationsPage > 1 && <LinkLine to={`${here}#messages`} label={manage.firstMessages} />}
      {hasMore && (
        <LinkLine
          to={`${here}?messages=${conversationsPage + 1}#messages`}
          label={manage.moreMessages}
        />
      )}
    </Section>
  );
}

/** Buttons for what can be done at once, and links to what takes a page of its own. */
function Moves({ here, managed }: { here: string; managed: ManagedAlert }) {
  const { t } = usePage();
  const text = t.manage;
  const { alert, canEdit, actions } = managed;
  const links = [
    ...(canEdit ? [["edit", t.edit.link, t.edit.hint] as const] : []),
    ...(actions.includes("remove")
      ? [["remove", text.move.remove, text.moveHint.remove] as const]
      : []),
  ];
  return (
    <ul class="moves">
      {actions.filter(isStaying).map((move) => (
        <li>
          <form method="post" action={`${here}/${move}`}>
            <button class={move === "resolve" ? undefined : "quiet"} type="submit">
              {move === "resolve" ? text.backHome[alert.type] : text.move[move]}
            </button>
          </form>
          <p class="hint">{text.moveHint[move]}</p>
        </li>
      ))}
      {links.map(([path, label, hint]) => (
        <li>
          <ButtonLink to={`${here}/${path}`} label={label} />
          <p class="hint">{hint}</p>
        </li>
      ))}
    </ul>
  );
}

function removePage(ctx: PageContext, token: string, { alert, actions }: ManagedAlert): Page {
  const text = ctx.t.manage;
  const here = local(ctx.links.manage(token));
  return privatePage(
    text.removeTitle,
    <>
      <AlertCard alert={alert} level={2} />
      <Sentences
        of={[text.removeText, ...(actions.includes("resolve") ? [text.removeBetter] : [])]}
      />
      <DangerForm
        action={`${here}/remove`}
        button={text.removeButton}
        back={here}
        keep={text.keep}
      />
    </>,
  );
}
