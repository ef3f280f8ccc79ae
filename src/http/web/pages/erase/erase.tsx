/** @jsxImportSource hono/jsx */
import {
  LinkLine,
  Section,
  MomentSentence,
  DangerForm,
  lastPage,
  List,
  textPage,
} from "../../components/elements.tsx";
import { KEEP_PERSONAL_DATA_MS } from "../../../../core/alerts/lifetime.ts";
import { DAY_MS } from "../../../../core/duration.ts";
import {
  eraseInput,
  type Erasure,
  holdsAnything,
  TOMBSTONE_KEEP_MS,
} from "../../../../core/erasure/erase.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { PENDING_KEEP_MS } from "../../../../core/pending/pending.ts";
import { AlertCard } from "../../components/alert.tsx";
import { type FormState, EmailField, Form, formPage, EMPTY_FORM } from "../../form/field.tsx";
import { withoutEmpty, readForm } from "../../form/form.ts";
import { type PageContext, type Page, type Web, usePage, onError } from "../../layout/layout.tsx";
import {
  allowedPage,
  isAllowed,
  notMePage,
  stoppedEmailsPage,
  allowedLink,
  withWaitingList,
} from "../confirm/waiting-list.tsx";
import { sentPage, sentTo, sentLink } from "../sign-in/sent.tsx";
import { DATA_KINDS, type DataInventory } from "../../../../core/erasure/erasure-store.ts";

/** Erasure pages: a link by email, an inventory of the data, and a button. */
export function eraseRoutes({ get, post, service }: Web): void {
  get("/erase", (c, ctx) => {
    const address = sentTo(c);
    return address === null
      ? requestPage(ctx, EMPTY_FORM)
      : sentPage(ctx, ctx.t.erase.sent, address, ctx.links.requestErasure);
  });

  post("/erase", async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    onError(c, (error) => requestPage(ctx, { values, error }));
    const input = parse(eraseInput, { ...withoutEmpty(values), language: ctx.t.language });
    const asked = await service.erasure.requestErasure(input, c.get("caller"));
    return sentLink(ctx.links.requestErasure, asked);
  });

  get("/erase/:token", async (_, ctx, { token }) => {
    try {
      const erasure = await service.erasure.erasure(token);
      const page = pageOf(ctx, token, erasure);
      return erasure.state === "done" ? page : withWaitingList(page, erasure.waiting, null);
    } catch (error) {
      // The link has expired, but its stop still holds.
      if (error instanceof Fault && (await service.confirmation.canAllowEmails(token)))
        return stoppedPage(ctx, token);
      throw error;
    }
  });

  post("/erase/:token", async (_, ctx, { token }) => {
    await service.erasure.erase(token);
    return ctx.links.erase(token);
  });

  get("/erase/:token/not-me", async (c, ctx, { token }) => {
    if (await service.confirmation.canAllowEmails(token)) return stoppedPage(ctx, token);
    if (isAllowed(c)) return allowedPage(ctx);
    await service.erasure.requireStoppable(token);
    return notMePage(ctx, false);
  });

  post("/erase/:token/not-me", async (_, ctx, { token }) => {
    await service.erasure.disownErasure(token);
    return ctx.links.eraseNotMe(token);
  });

  post("/erase/:token/allow", async (_, ctx, { token }) => {
    await service.erasure.allowErasureEmails(token);
    return allowedLink(ctx.links.eraseNotMe(token));
  });
}

/** Page that says emails are stopped, with a button to allow them again. */
function stoppedPage(ctx: PageContext, token: string): Page {
  return stoppedEmailsPage(ctx, ctx.links.erase(token), ctx.t.notMe.stopped);
}

function requestPage(ctx: PageContext, draft: FormState): Page {
  const { t, links } = ctx;
  const text = t.erase;
  return formPage(ctx, draft, {
    title: text.title,
    access: "public",
    body: (
      <>
        <Form action={links.requestErasure} draft={draft} labels={t.field}>
          <p class="lead">{text.lead}</p>
          <EmailField />
          <button type="submit">{text.send}</button>
        </Form>
        <Limits />
      </>
    ),
  });
}

function pageOf(ctx: PageContext, token: string, erasure: Erasure): Page {
  switch (erasure.state) {
    case "waiting":
      return askPage(ctx, token, erasure);
    case "done":
      return donePage(ctx, erasure.erased);
  }
}

function askPage(
  ctx: PageContext,
  token: string,
  { mailbox, expiresAt, inventory, alerts }: Extract<Erasure, { state: "waiting" }>,
): Page {
  const { t, links } = ctx;
  const text = t.erase;
  // All data has expired or been erased since the email was sent.
  if (!holdsAnything(inventory)) return lastPage(ctx, text.nothingTitle, [text.nothing]);
  return textPage(
    text.askTitle,
    [text.ask({ address: mailbox })],
    <>
      <Counts inventory={inventory} />
      {alerts.map((alert) => (
        <AlertCard alert={alert} level={2} />
      ))}
      <p>{text.forGood}</p>
      <DangerForm
        action={links.erase(token)}
        button={text.button}
        back={links.home}
        keep={text.keep}
      />
      <p class="quiet">
        <MomentSentence sentence={text.until} at={expiresAt} />
      </p>
      <Limits />
    </>,
  );
}

function donePage(ctx: PageContext, erased: DataInventory): Page {
  const { t, links } = ctx;
  const text = t.erase;
  return textPage(
    text.doneTitle,
    [text.done],
    <>
      <Counts inventory={erased} />
      <Limits />
      <LinkLine to={links.home} label={t.fault.home} />
    </>,
  );
}

function Counts({ inventory }: { inventory: DataInventory }) {
  const { t } = usePage();
  const { parts } = t.erase;
  const kinds = DATA_KINDS.filter((kind) => inventory[kind] > 0);
  return <List of={kinds.map((kind) => parts[kind]({ count: inventory[kind] }))} />;
}

/** Data that is not erased, and why. */
function Limits() {
  const { t, isModerated } = usePage();
  const text = t.erase;
  const days = (ms: number) => Math.round(ms / DAY_MS);
  const { unknown, ended, report, address, arrived, backups, marks } = text.limits;
  const over = ended({ days: days(KEEP_PERSONAL_DATA_MS) });
  const items = [
    unknown,
    isModerated ? `${over} ${report}` : over,
    address,
    arrived,
    backups({ days: days(TOMBSTONE_KEEP_MS) }),
    marks({ days: days(PENDING_KEEP_MS) }),
  ];
  return (
    <Section id="limits" title={text.limitsTitle} class="panel">
      <List of={items} />
    </Section>
  );
}
