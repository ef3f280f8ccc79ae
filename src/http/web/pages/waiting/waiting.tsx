/** @jsxImportSource hono/jsx */
import { CAPS } from "../../../../core/caps.ts";
import type { Fault } from "../../../../core/fault.ts";
import { emailField, parse } from "../../../../core/input.ts";
import type { RequestStatus } from "../../../../core/confirmation/waiting-page.ts";
import { z } from "zod";
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
  seeOther,
  showAgain,
  type Web,
  usePage,
} from "../../layout.tsx";
import type { MatchView } from "../../../../core/matching/find-matches.ts";
import { MatchList } from "../alert/matches.tsx";
import { RemovedNotice } from "../../components/removed-notice.tsx";
import { StatusNotice, textPage } from "../../components/text-page.tsx";

const addressInput = z.object({ email: emailField });

/** Page after every form that needs confirmation by email. */
export function waitingRoutes({ get, post, service }: Web): void {
  get("/waiting/:ticket", async (c, ctx) => {
    const ticket = c.req.param("ticket");
    const view = await service.requestStatus(ticket);
    const isAgain = c.req.query("again") !== undefined && view.resendAt === null;
    return waitingPage(
      ctx,
      { ticket, view, likely: await likely(ctx, ticket) },
      EMPTY_FORM,
      isAgain,
    );
  });

  post("/waiting/:ticket/again", async (c, ctx) => {
    await readForm(c, []);
    const ticket = c.req.param("ticket");
    try {
      await service.resendEmail(ticket);
    } catch (error) {
      return showAgain(c, ctx, error, (fault) => again(ctx, ticket, {}, fault), ["not_found"]);
    }
    return seeOther(c, `${local(ctx.links.waiting(ticket))}?again`);
  });

  post("/waiting/:ticket/address", async (c, ctx) => {
    const ticket = c.req.param("ticket");
    const values = await readForm(c, ["email"]);
    try {
      const { email } = parse(addressInput, withoutEmpty(values));
      const asked = await service.correctAddress(ticket, email, c.get("caller"));
      return seeOther(c, local(ctx.links.waiting(asked.ticket)));
    } catch (error) {
      return showAgain(c, ctx, error, (fault) => again(ctx, ticket, values, fault), ["not_found"]);
    }
  });

  async function again(ctx: PageContext, ticket: string, values: FormValues, error: Fault) {
    const view = await service.requestStatus(ticket);
    const waiting = { ticket, view, likely: await likely(ctx, ticket) };
    return waitingPage(ctx, waiting, { values, error }, false);
  }

  const likely = ({ t }: PageContext, ticket: string) => service.likelyMatches(ticket, t.language);
}

type Request = {
  readonly ticket: string;
  readonly view: RequestStatus;
  /** Alerts that may be about the same animal. */
  readonly likely: readonly MatchView[];
};

function waitingPage(ctx: PageContext, request: Request, draft: FormState, isAgain: boolean): Page {
  const text = ctx.t.waiting;
  const { view } = request;
  switch (view.state) {
    case "waiting":
      return formPage(ctx, draft, {
        title: text.title,
        access: "private",
        formAddress: local(ctx.links.waiting(request.ticket)),
        body: <Waiting {...request} draft={draft} isAgain={isAgain} />,
      });
    case "confirmed":
      return confirmedPage(ctx, view);
    case "over":
      return textPage(text.overTitle, [text.over]);
  }
}

type WaitingProps = Request & { draft: FormState; isAgain: boolean };

function Waiting({ ticket, view, likely, draft, isAgain }: WaitingProps) {
  const { t, links } = usePage();
  const text = t.waiting;
  const here = local(links.waiting(ticket));
  return (
    <FormContents draft={draft} labels={t.field}>
      <StatusNotice
        text={isAgain ? text.sentAgain({ aDay: CAPS.confirmationEmailsPerMailbox.max }) : null}
      />
      <p class="lead">{text.sent({ address: view.sentTo ?? "" })}</p>
      <p>
        <strong>{text.next[view.kind]}</strong>
      </p>
      {view.names !== null && <p>{text.code({ code: view.names.shortCode })}</p>}
      <RemovedNotice removed={view.removed} />
      {likely.length > 0 && (
        <section aria-labelledby="likely">
          <h2 id="likely">{t.publish.almostTitle}</h2>
          <p>{t.publish.almostLead}</p>
          <MatchList matches={likely} level={3} canWrite />
        </section>
      )}
      <p class="quiet">{text.until({ moment: t.moment(view.expiresAt) })}</p>
      {view.resendAt === null ? (
        <p class="quiet">{text.usedUp}</p>
      ) : (
        <form method="post" action={`${here}/again`}>
          <p class="quiet">{text.againHint}</p>
          <button class="quiet" type="submit">
            {text.again}
          </button>
        </form>
      )}
      {view.canCorrect && (
        <details open={draft.values["email"] !== undefined}>
          <summary>{text.correct}</summary>
          <form method="post" action={`${here}/address`}>
            <EmailField />
            <button class="quiet" type="submit">
              {text.correctButton}
            </button>
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
    [text.confirmed],
    <p>
      {names === null ? (
        <a href={local(links.home)}>{t.fault.home}</a>
      ) : (
        <a class="button" href={local(links.alert(names.slug))}>
          {text.see}
        </a>
      )}
    </p>,
  );
}
