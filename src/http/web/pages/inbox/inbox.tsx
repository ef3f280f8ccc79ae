/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { ATTACHED_PHOTOS_MAX } from "../../../../core/photos/photos.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { SESSION_MS } from "../../../../core/moderation/sign-in.ts";
import {
  formerMemberInput,
  inboxSignInInput,
  memberInput,
} from "../../../../core/organisations/inbox.ts";
import { seeSent, sentPage, sentTo } from "../../components/sent-page.tsx";
import { textPage } from "../../components/text-page.tsx";
import { EMPTY_FORM, EmailField, Form, formPage, type FormState } from "../../form/field.tsx";
import { readChoices, readForm, readPhotoForm, withoutEmpty } from "../../form/form.ts";
import { loadThumbnails, PHOTO_FIRST, storePhotos } from "../../form/photo-field.tsx";
import {
  keepPrivate,
  local,
  type Page,
  type PageContext,
  renderFault,
  renderPage,
  seeOther,
  showAgain,
  type Web,
} from "../../layout.tsx";
import { photoNamed, sendPhoto } from "../../photos.ts";
import { replyInput } from "../conversation/conversation.tsx";
import { alertsPage, conversationPage, conversationsPage, membersPage } from "./inbox-pages.tsx";

const COOKIE = "member";
/** Alerts on a page of those that can be ended. */
const ALERTS_PER_PAGE = 100;
/** Highest page that is read from an address. */
const PAGE_MAX = 10_000;

/** Pages for members of organisations: sign-in by email link, then conversations, alerts and members. */
export function inboxRoutes({ get, post, service }: Web): void {
  get("/inbox", (c, ctx) => {
    const address = sentTo(c);
    if (address !== null) return sentPage(ctx, ctx.t.inbox.sent, address, ctx.links.inbox);
    const page = pageIn(c);
    return withSession(c, ctx, 200, async (session) =>
      conversationsPage(ctx, await service.inbox(session, page)),
    );
  });

  post("/inbox/sign-in", async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    try {
      const { language } = ctx.t;
      const input = parse(inboxSignInInput, { ...withoutEmpty(values), language });
      const asked = await service.signInToInbox(input, c.get("caller"));
      return seeSent(c, ctx.links.inbox, asked.sentTo);
    } catch (error) {
      return showAgain(c, ctx, error, (fault) => signInPage(ctx, { values, error: fault }, null));
    }
  });

  get("/inbox/enter/:token", (c, ctx) => enterPage(ctx, c.req.param("token")));

  post("/inbox/enter/:token", async (c, ctx) => {
    await readForm(c, []);
    try {
      remember(c, ctx, await service.openInbox(c.req.param("token")));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "not_found") throw error;
      return renderFault(c, ctx, error, signInPage(ctx, EMPTY_FORM, ctx.t.admin.spent));
    }
    return seeOther(c, local(ctx.links.inbox));
  });

  post("/inbox/sign-out", async (c, ctx) => {
    await readForm(c, []);
    const session = getCookie(c, COOKIE);
    if (session !== undefined) await service.leaveInbox(session);
    deleteCookie(c, COOKIE, cookieOf(ctx));
    return seeOther(c, local(ctx.links.inbox));
  });

  get("/inbox/conversations/:id", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const id = c.req.param("id");
      const view = await service.inboxConversation(session, id);
      return conversationPage(ctx, { id, view }, EMPTY_FORM, []);
    }),
  );

  post("/inbox/conversations/:id", async (c, ctx) => {
    const form = await readPhotoForm(c, ["message", PHOTO_FIRST]);
    const { values } = form;
    const id = c.req.param("id");
    return withSession(c, ctx, 403, async (session) => {
      // Before anything is stored: a stranger stores no photos here.
      await service.inboxConversation(session, id);
      const photos = await storePhotos(service, form, c.get("caller"), ATTACHED_PHOTOS_MAX);
      try {
        if (photos.refusal !== null) throw photos.refusal;
        const { message } = parse(replyInput, values);
        await service.replyFromInbox(session, id, message, photos.refs);
      } catch (error) {
        const again = async (fault: Fault) => {
          const view = await service.inboxConversation(session, id);
          const kept = await loadThumbnails(service, photos.refs);
          return conversationPage(ctx, { id, view }, { values, error: fault }, kept);
        };
        return showAgain(c, ctx, error, again, ["not_found", "forbidden"]);
      }
      return done(c, ctx, session, `/conversations/${encodeURIComponent(id)}#latest`);
    });
  });

  post("/inbox/conversations/:id/read", async (c, ctx) => {
    await readForm(c, []);
    return withSession(c, ctx, 403, async (session) => {
      await service.markAsRead(session, c.req.param("id"));
      return done(c, ctx, session, "");
    });
  });

  get("/inbox/conversations/:id/photos/:file", (c, ctx) => {
    const photo = photoNamed(c.req.param("file"));
    return withSession(c, ctx, 403, async (session) => {
      const { name, size } = photo ?? { name: "", size: "full" as const };
      const bytes = await service.inboxPhoto(session, c.req.param("id"), name, size);
      if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
      keepPrivate(c);
      return sendPhoto(c, bytes);
    });
  });

  get("/inbox/alerts", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const member = await service.member(session);
      const cursor = c.req.query("cursor");
      const { alerts, nextCursor } = await service.search({
        organisation: member.organisation.slug,
        limit: ALERTS_PER_PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const ended = Number(c.req.query("ended") ?? Number.NaN);
      return alertsPage(ctx, member, {
        alerts: alerts.map(({ alert }) => alert),
        nextCursor,
        ended: Number.isInteger(ended) && ended >= 0 ? ended : null,
      });
    }),
  );

  post("/inbox/alerts", async (c, ctx) => {
    const chosen = await readChoices(c, "alert");
    return withSession(c, ctx, 403, async (session) => {
      const ended = await service.resolveAlerts(session, chosen);
      return done(c, ctx, session, `/alerts?ended=${ended}`);
    });
  });

  get("/inbox/members", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      membersPage(ctx, await service.memberList(session), EMPTY_FORM),
    ),
  );

  post("/inbox/members", async (c, ctx) => {
    const values = await readForm(c, ["email", "role"]);
    return withSession(c, ctx, 403, async (session) => {
      try {
        await service.addMember(session, parse(memberInput, values));
      } catch (error) {
        const again = async (fault: Fault) =>
          membersPage(ctx, await service.memberList(session), { values, error: fault });
        return showAgain(c, ctx, error, again, ["forbidden"]);
      }
      return done(c, ctx, session, "/members");
    });
  });

  post("/inbox/members/remove", async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    return withSession(c, ctx, 403, async (session) => {
      await service.removeMember(session, parse(formerMemberInput, values));
      return done(c, ctx, session, "/members");
    });
  });
}

function pageIn(c: Context): number {
  const page = Number(c.req.query("page") ?? "1");
  return Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1;
}

/** Keeps the cookie as long as the session, which the action has renewed, and goes on to a page of the inbox. */
function done(c: Context, ctx: PageContext, session: string | null, path: string): Response {
  if (session !== null) remember(c, ctx, session);
  return seeOther(c, `${local(ctx.links.inbox)}${path}`);
}

function remember(c: Context, ctx: PageContext, session: string): void {
  setCookie(c, COOKIE, session, { ...cookieOf(ctx), maxAge: SESSION_MS / 1000 });
}

/** Attributes of the session cookie: these pages only, same site only, hidden from scripts. */
function cookieOf({ links }: PageContext) {
  const secure = links.inbox.startsWith("https:");
  return { path: local(links.inbox), httpOnly: true, sameSite: "Strict", secure } as const;
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
    if (!(error instanceof Fault) || error.why?.reason !== "sign_in") throw error;
    if (session !== null) deleteCookie(c, COOKIE, cookieOf(ctx));
    const notice = session === null && refusal === 200 ? null : ctx.t.admin.over;
    return renderPage(c, ctx, signInPage(ctx, EMPTY_FORM, notice), refusal);
  }
}

function signInPage(ctx: PageContext, draft: FormState, notice: string | null): Page {
  const { t, links } = ctx;
  return formPage(ctx, draft, {
    title: t.inbox.title,
    access: "private",
    formAddress: local(links.inbox),
    scripts: ["sent-to"],
    body: (
      <>
        {notice !== null && <p class="notice">{notice}</p>}
        <Form action={`${local(links.inbox)}/sign-in`} draft={draft} labels={t.field}>
          <p>{t.inbox.signIn}</p>
          <EmailField />
          <button type="submit">{t.admin.signInButton}</button>
        </Form>
      </>
    ),
  });
}

/** Page with the sign-in button: a GET must not use up the link, because mail scanners open links. */
function enterPage(ctx: PageContext, token: string): Page {
  const { inbox } = ctx.t;
  return textPage(
    inbox.enterTitle,
    [inbox.enter],
    <form method="post" action={local(ctx.links.inboxEntry(token))}>
      <button type="submit">{inbox.enterButton}</button>
    </form>,
  );
}
