/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { type Moderated, SESSION_MS, signInInput } from "../../../../core/moderation/sign-in.ts";
import { alertSearchInput } from "../../../../core/moderation/alert-search.ts";
import {
  MODERATION_ACTS,
  type ModerationAct,
  REPORT_REASONS,
} from "../../../../core/moderation/report.ts";
import { alertCasePage, alertsPage } from "./alerts.tsx";
import type { Question } from "./moderated-alert.tsx";
import { confirmPage, queuePage } from "./moderation-queue.tsx";
import { type FormState, EmailField, Form, formPage, EMPTY_FORM } from "../../form/field.tsx";
import { withoutEmpty, readForm, readQuery } from "../../form/form.ts";
import {
  type PageContext,
  keepPrivate,
  local,
  type Page,
  seeOther,
  renderPage,
  renderFault,
  showAgain,
  type Web,
} from "../../layout.tsx";
import { photoNamed, sendPhoto } from "../../photos.ts";
import { seeSent, sentPage, sentTo } from "../../components/sent-page.tsx";
import { textPage } from "../../components/text-page.tsx";

const COOKIE = "moderator";

/** Moderation pages: sign-in by email link, then the queue. Absent without moderators. */
export function adminRoutes({ get, post, service }: Web): void {
  get("/admin", (c, ctx) => {
    const address = sentTo(c);
    if (address !== null) {
      service.requireModerators();
      return sentPage(ctx, ctx.t.admin.sent, address, ctx.links.admin);
    }
    return withSession(c, ctx, 200, async (session) => {
      const done = MODERATION_ACTS.find((act) => act === c.req.query("done")) ?? null;
      const reason = REPORT_REASONS.find((one) => one === c.req.query("reason"));
      return queuePage(ctx, await service.moderationQueue(session, reason), { done, reason });
    });
  });

  get("/admin/alerts", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const { q: query, before } = withoutEmpty(readQuery(c, ["q", "before"]));
      const input = parse(alertSearchInput, { query, before });
      return alertsPage(ctx, query ?? "", await service.searchAnyAlert(session, input));
    }),
  );

  get("/admin/alerts/:id", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      alertCasePage(ctx, await service.alertCase(session, c.req.param("id"))),
    ),
  );

  post("/admin/sign-in", async (c, ctx) => {
    service.requireModerators();
    const values = await readForm(c, ["email"]);
    try {
      const { language } = ctx.t;
      const input = parse(signInInput, { ...withoutEmpty(values), language });
      const asked = await service.signIn(input, c.get("caller"));
      return seeSent(c, ctx.links.admin, asked.sentTo);
    } catch (error) {
      return showAgain(c, ctx, error, (fault) => signInPage(ctx, { values, error: fault }, null));
    }
  });

  get("/admin/enter/:token", (c, ctx) => {
    service.requireModerators();
    return enterPage(ctx, c.req.param("token"));
  });

  post("/admin/enter/:token", async (c, ctx) => {
    service.requireModerators();
    await readForm(c, []);
    try {
      const session = await service.openSession(c.req.param("token"));
      setCookie(c, COOKIE, session, { ...cookieOf(ctx), maxAge: SESSION_MS / 1000 });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "not_found") throw error;
      const page = signInPage(ctx, EMPTY_FORM, ctx.t.admin.spent);
      return renderFault(c, ctx, error, page);
    }
    return seeOther(c, local(ctx.links.admin));
  });

  post("/admin/sign-out", async (c, ctx) => {
    service.requireModerators();
    await readForm(c, []);
    const session = getCookie(c, COOKIE);
    if (session !== undefined) await service.signOut(session);
    deleteCookie(c, COOKIE, cookieOf(ctx));
    return seeOther(c, local(ctx.links.admin));
  });

  for (const what of ["hide", "restore", "dismiss"] as const) {
    post(`/admin/alerts/:id/${what}`, (c, ctx) =>
      act(c, ctx, what, { alertId: c.req.param("id") }),
    );
  }
  for (const what of ["remove", "block"] as const) {
    get(`/admin/alerts/:id/${what}`, (c, ctx) => ask(c, ctx, what, c.req.param("id")));
    post(`/admin/alerts/:id/${what}`, (c, ctx) =>
      act(c, ctx, what, { alertId: c.req.param("id") }),
    );
  }

  get("/admin/alerts/:id/conversations/:conversation/block", (c, ctx) =>
    ask(c, ctx, "block_writer", c.req.param("id")),
  );
  post("/admin/alerts/:id/conversations/:conversation/block", (c, ctx) => {
    const { id, conversation } = c.req.param();
    return act(c, ctx, "block_writer", { alertId: id, conversationId: conversation });
  });

  post("/admin/alerts/:id/sightings/:sighting/remove", (c, ctx) => {
    const { id, sighting } = c.req.param();
    return act(c, ctx, "remove_sighting", { alertId: id, sightingId: sighting });
  });

  get("/admin/photos/:file", (c, ctx) => {
    const photo = photoNamed(c.req.param("file"));
    return withSession(c, ctx, 403, async (session) => {
      const bytes = await service.moderatedPhoto(session, photo?.name ?? "", photo?.size ?? "full");
      if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
      keepPrivate(c);
      return sendPhoto(c, bytes);
    });
  });

  /** Confirmation page of an action that is hard to undo. */
  function ask(c: Context, ctx: PageContext, question: Question, alertId: string) {
    return withSession(c, ctx, 403, async (session) => {
      const alert = await service.moderatedAlert(session, alertId);
      return confirmPage(ctx, alert, question, c.req.path);
    });
  }

  async function act(c: Context, ctx: PageContext, what: ModerationAct, about: Moderated) {
    service.requireModerators();
    await readForm(c, []);
    return withSession(c, ctx, 403, async (session) => {
      await service.moderate(session, what, about);
      if (session !== null)
        setCookie(c, COOKIE, session, { ...cookieOf(ctx), maxAge: SESSION_MS / 1000 });
      return seeOther(c, `${local(ctx.links.admin)}?done=${what}`);
    });
  }
}

/** Attributes of the session cookie: moderation pages only, same site only, hidden from scripts. */
function cookieOf({ links }: PageContext) {
  const secure = links.admin.startsWith("https:");
  return { path: local(links.admin), httpOnly: true, sameSite: "Strict", secure } as const;
}

/** Runs `work` with the session; without a valid one shows the sign-in page with status `refusal`. */
async function withSession(
  c: Context,
  ctx: PageContext,
  refusal: 200 | 403,
  work: (session: string | null) => Promise<Page | Response>,
): Promise<Page | Response> {
  const session = getCookie(c, COOKIE) ?? null;
  try {
    return await work(session);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "forbidden") throw error;
    if (session !== null) deleteCookie(c, COOKIE, cookieOf(ctx));
    const notice = session === null && refusal === 200 ? null : ctx.t.admin.over;
    return renderPage(c, ctx, signInPage(ctx, EMPTY_FORM, notice), refusal);
  }
}

function signInPage(ctx: PageContext, draft: FormState, notice: string | null): Page {
  const { t, links } = ctx;
  const { title, signIn, signInButton } = t.admin;
  return formPage(ctx, draft, {
    title,
    access: "private",
    formAddress: local(links.admin),
    scripts: ["sent-to"],
    body: (
      <>
        {notice !== null && <p class="notice">{notice}</p>}
        <Form action={`${local(links.admin)}/sign-in`} draft={draft} labels={t.field}>
          <p>{signIn}</p>
          <EmailField />
          <button type="submit">{signInButton}</button>
        </Form>
      </>
    ),
  });
}

/** Page with the sign-in button: a GET must not use up the link, because mail scanners open links. */
function enterPage(ctx: PageContext, token: string): Page {
  const { enterTitle, enter, enterButton } = ctx.t.admin;
  return textPage(
    enterTitle,
    [enter],
    <form method="post" action={local(ctx.links.adminEntry(token))}>
      <button type="submit">{enterButton}</button>
    </form>,
  );
}
