/** @jsxImportSource hono/jsx */
import {
  ButtonLink,
  Section,
  Submit,
  MomentSentence,
  StatusNotice,
  textPage,
} from "../../components/elements.tsx";
import { z } from "zod";
import type { Context } from "hono";
import { Fault } from "../../../../core/fault.ts";
import { emailField, parse } from "../../../../core/input.ts";
import type { RequestStatus } from "../../../../core/pending/request-status.ts";
import {
  type FormState,
  EmailField,
  EMPTY_FORM,
  FormContents,
  formPage,
} from "../../form/field.tsx";
import { type FormValues, withoutEmpty, readForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  type Web,
  usePage,
  onError,
  type WebEnv,
} from "../../layout/layout.tsx";
import type { MatchView } from "../../../../core/matches/find-matches.ts";
import { MatchList } from "../alert/matches.tsx";
import { RemovedNotice } from "../../components/removed-notice.tsx";
import { SentTo } from "../sign-in/sent.tsx";

const addressInput = z.object({ email: emailField });

/** Page after every form that needs confirmation by email. */
export function waitingRoutes({ get, post, service }: Web): void {
  get("/waiting/:ticket", async (c, ctx, { ticket }) => {
    const request = await requestOf(ctx, ticket);
    const { again: isAgain, soon: isSoon } = c.req.query();
    const sentAgain =
      isAgain !== undefined && request.view.resendAt === null ? ctx.t.waiting.sentAgain : null;
    const notice = isSoon === undefined ? sentAgain : ctx.t.waiting.soon;
    return waitingPage(ctx, request, EMPTY_FORM, notice);
  });

  post("/waiting/:ticket/again", async (c, ctx, { ticket }) => {
    showErrors(c, ctx, ticket, {});
    const here = local(ctx.links.waiting(ticket));
    try {
      await service.requests.resendEmail(ticket);
    } catch (error) {
      // Pressed too soon: nothing is wrong.
      if (error instanceof Fault && error.code === "too_many") return `${here}?soon`;
      throw error;
    }
    return `${here}?again`;
  });

  post("/waiting/:ticket/address", async (c, ctx, { ticket }) => {
    const values = await readForm(c, ["email"]);
    showErrors(c, ctx, ticket, values);
    const { email } = parse(addressInput, withoutEmpty(values));
    const asked = await service.requests.correctAddress(ticket, email, c.get("caller"));
    return ctx.links.waiting(asked.ticket);
  });

  function showErrors(c: Context<WebEnv>, ctx: PageContext, ticket: string, values: FormValues) {
    const again = async (error: Fault) =>
      waitingPage(ctx, await requestOf(ctx, ticket), { values, error }, null);
    onError(c, again, ["not_found"]);
  }

  async function requestOf({ t }: PageContext, ticket: string): Promise<Request> {
    const view = await service.requests.requestStatus(ticket);
    return { ticket, view, likely: await service.matches.likely(ticket, t.language) };
  }
}

type Request = {
  readonly ticket: string;
  readonly view: RequestStatus;
  /** Alerts that may be about the same animal. */
  readonly likely: readonly MatchView[];
};

function waitingPage(
  ctx: PageContext,
  request: Request,
  draft: FormState,
  notice: string | null,
): Page {
  const text = ctx.t.waiting;
  const { view } = request;
  switch (view.state) {
    case "waiting":
      return formPage(ctx, draft, {
        title: text.title,
        access: "private",
        formAddress: ctx.links.waiting(request.ticket),
        body: <Waiting {...request} draft={draft} notice={notice} />,
      });
    case "confirmed":
      return confirmedPage(ctx, view);
    case "over":
      return textPage(text.overTitle, [text.over]);
  }
}

type WaitingProps = Request & { draft: FormState; notice: string | null };

function Waiting({ ticket, view, likely, draft, notice }: WaitingProps) {
  const { t, links } = usePage();
  const text = t.waiting;
  const here = local(links.waiting(ticket));
  return (
    <FormContents draft={draft} labels={t.field}>
      <StatusNotice text={notice} />
      <p class="lead">
        <SentTo sentence={text.sent} address={view.sentTo ?? ""} />
      </p>
      <p>{text.where}</p>
      <p>
        <strong>{text.next[view.kind]}</strong>
      </p>
      {view.kind === "publish" && <p>{text.onThisDevice}</p>}
      {view.names !== null && <p>{text.code({ code: view.names.shortCode })}</p>}
      <RemovedNotice removed={view.removed} />
      {likely.length > 0 && (
        <Section id="likely" title={t.publish.almostTitle}>
          {likely.some(({ alert }) => alert.reachable) && <p>{t.publish.almostLead}</p>}
          <MatchList matches={likely} level={3} canWrite />
        </Section>
      )}
      <p class="quiet">
        <MomentSentence sentence={text.until} at={view.expiresAt} />
      </p>
      <p class="quiet">{text.stopped}</p>
      {view.resendAt === null ? (
        <p class="quiet">{text.usedUp}</p>
      ) : (
        <form method="post" action={`${here}/again`}>
          <p class="quiet">{text.againHint}</p>
          <Submit label={text.again} class="quiet" />
        </form>
      )}
      {view.canCorrect && (
        <details open={draft.values["email"] !== undefined}>
          <summary>{text.correct}</summary>
          <form method="post" action={`${here}/address`}>
            <EmailField />
            <Submit label={text.correctButton} class="quiet" />
          </form>
        </details>
      )}
    </FormContents>
  );
}

function confirmedPage({ t, links }: PageContext, { names }: RequestStatus): Page {
  const text = t.waiting;
  return textPage(
    text.confirmedTitle,
    names === null ? [text.confirmed] : [text.confirmed, text.confirmedNext],
    <p>
      {names === null ? (
        <a href={local(links.home)}>{t.fault.home}</a>
      ) : (
        <ButtonLink to={links.alert(names.slug)} label={text.see} isMain />
      )}
    </p>,
  );
}
