/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { formerMemberInput } from "../../../../core/inbox/members.ts";
import { memberInput } from "../../../../core/organisations/organisation.ts";
import { inboxSignInInput } from "../../../../core/inbox/member-sign-in.ts";
import { sentPage, sentTo, sentLink } from "../sign-in/sent.tsx";
import { createSignIn } from "../sign-in/sign-in.tsx";
import { EMPTY_FORM } from "../../form/field.tsx";
import { readChoices, readForm, withoutEmpty } from "../../form/form.ts";
import { receivePhotoForm } from "../../form/photo-field.tsx";
import { type PageContext, type Web, onError } from "../../layout/layout.tsx";
import { sendPhoto } from "../../layout/photo-response.ts";
import { replyInput, REPLY_FORM } from "../conversation/conversation.tsx";
import {
  inboxUrl,
  alertsPage,
  conversationPage,
  conversationsPage,
  inboxErrorPage,
} from "./inbox-pages.tsx";
import { leavePage, leftPage, membersPage } from "./member-pages.tsx";

const { remember, forget, signInPage, enterPage, enter, signOut, withSession, sessionForms } =
  createSignIn({
    cookie: "member",
    home: (links) => links.inbox,
    entry: (links, token) => links.inboxEntry(token),
    texts: (t) => t.inbox,
    errorPage: (ctx, fault) => (isAboutOrganisation(fault) ? inboxErrorPage(ctx, fault) : null),
  });
/** Alerts on a page of those that can be ended. */
const ALERTS_PER_PAGE = 100;
/** Highest page that is read from an address. */
const PAGE_MAX = 10_000;

/** Pages for members of organisations: sign-in by email link, then conversations, alerts and members. */
export function inboxRoutes({ get, post, service }: Web): void {
  const postInSession = sessionForms(post);

  get("/inbox", (c, ctx) => {
    const address = sentTo(c);
    if (address !== null) return sentPage(ctx, ctx.t.inbox.sent, address, ctx.links.inbox);
    const page = pageIn(c);
    return withSession(c, ctx, 200, async (session) =>
      conversationsPage(ctx, await service.inbox.inbox(session, slugIn(c), page)),
    );
  });

  post("/inbox/sign-in", async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    onError(c, (error) => signInPage(ctx, { values, error }, null));
    const { language } = ctx.t;
    const input = parse(inboxSignInInput, { ...withoutEmpty(values), language });
    return sentLink(ctx.links.inbox, await service.inbox.signInToInbox(input, c.get("caller")));
  });

  get("/inbox/enter/:token", (_, ctx, { token }) => enterPage(ctx, token));

  post("/inbox/enter/:token", (c, ctx, { token }) =>
    enter(c, ctx, () => service.inbox.openInbox(token)),
  );

  postInSession("/inbox/sign-out", async (c, ctx, session) => {
    await service.inbox.signOutOfInbox(session);
    return signOut(c, ctx);
  });

  get("/inbox/conversations/:id", (c, ctx, { id }) =>
    withSession(c, ctx, 200, async (session) => {
      const found = await service.inbox.inboxConversation(session, id);
      return conversationPage(ctx, { id, ...found }, EMPTY_FORM, []);
    }),
  );

  postInSession("/inbox/conversations/:id", async (c, ctx, session, { id }) => {
    // Before anything is stored: a stranger stores no photos here.
    await service.inbox.inboxConversation(session, id);
    const { values, refs } = await receivePhotoForm(c, service, REPLY_FORM, async (draft, kept) => {
      const found = await service.inbox.inboxConversation(session, id);
      return conversationPage(ctx, { id, ...found }, draft, kept);
    });
    await service.inbox.replyFromInbox(session, id, parse(replyInput, values).message, refs);
    const here = `${ctx.links.inbox}/conversations/${encodeURIComponent(id)}`;
    return done(c, ctx, session, `${here}#latest`);
  });

  postInSession("/inbox/conversations/:id/read", async (c, ctx, session, { id }) => {
    const { organisation } = await service.inbox.markAsRead(session, id);
    return done(c, ctx, session, ctx.links.inboxOf(organisation.slug));
  });

  get("/inbox/conversations/:id/photos/:file", (c, ctx, { id, file }) =>
    withSession(c, ctx, 403, (session) =>
      sendPhoto(c, file, (name, size) => service.inbox.inboxPhoto(session, id, name, size)),
    ),
  );

  get("/inbox/alerts", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const member = await service.inbox.reader(session, slugIn(c));
      const cursor = c.req.query("cursor");
      const { alerts, nextCursor } = await service.alerts.search({
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

  postInSession("/inbox/alerts", async (c, ctx, session) => {
    const slug = slugIn(c);
    const ended = await service.inbox.resolveAlerts(session, slug, await readChoices(c, "alert"));
    return done(c, ctx, session, inboxUrl(ctx, slug, "/alerts", { ended: String(ended) }));
  });

  get("/inbox/members", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      membersPage(ctx, await service.inbox.memberList(session, slugIn(c)), EMPTY_FORM),
    ),
  );

  postInSession("/inbox/members", async (c, ctx, session) => {
    const values = await readForm(c, ["email", "role"]);
    const slug = slugIn(c);
    const list = async (error: Fault) =>
      membersPage(ctx, await service.inbox.memberList(session, slug), { values, error });
    onError(c, list, ["forbidden"]);
    await service.inbox.addMember(session, slug, parse(memberInput, values));
    return done(c, ctx, session, inboxUrl(ctx, slug, "/members"));
  });

  postInSession("/inbox/members/remove", async (c, ctx, session) => {
    const values = await readForm(c, ["email"]);
    const slug = slugIn(c);
    await service.inbox.removeMember(session, slug, parse(formerMemberInput, values));
    return done(c, ctx, session, inboxUrl(ctx, slug, "/members"));
  });

  get("/inbox/leave", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      leavePage(ctx, await service.inbox.membership(session, slugIn(c))),
    ),
  );

  postInSession("/inbox/leave", async (c, ctx, session) => {
    const member = await service.inbox.leaveOrganisation(session, slugIn(c));
    if (member.others.length === 0) forget(c, ctx);
    return leftPage(ctx, member);
  });
}

/** True if no page of an organisation can be shown again with the error. */
function isAboutOrganisation(error: unknown): error is Fault {
  const reason = error instanceof Fault ? error.why?.reason : null;
  return reason === "not_a_member" || reason === "which_organisation";
}

/** Slug of the organisation for which the member acts; null if the address names none. */
function slugIn(c: Context): string | null {
  return c.req.query("organisation") ?? null;
}

function pageIn(c: Context): number {
  const page = Number(c.req.query("page") ?? "1");
  return Number.isInteger(page) && page >= 1 && page <= PAGE_MAX ? page : 1;
}

/** Keeps the cookie as long as the session, which the action has renewed, and goes on to a page of the inbox. */
function done(c: Context, ctx: PageContext, session: string, page: string): string {
  remember(c, ctx, session);
  return page;
}
