/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { formerMemberInput } from "../../../../core/inbox/members.ts";
import { memberInput } from "../../../../core/organisations/organisation.ts";
import { inboxSignInInput } from "../../../../core/inbox/member-sign-in.ts";
import { createSignIn } from "../sign-in/sign-in.tsx";
import { EMPTY_FORM } from "../../form/field.tsx";
import { readChoices, readForm } from "../../form/form.ts";
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

/** Alerts on a page of those that can be ended. */
const ALERTS_PER_PAGE = 100;
/** Highest page that is read from an address. */
const PAGE_MAX = 10_000;

/** Pages for members of organisations: sign-in by email link, then conversations, alerts and members. */
export function inboxRoutes(web: Web): void {
  const { service } = web;
  const { remember, forget, getInSession, postInSession } = createSignIn(web, {
    cookie: "member",
    path: "/inbox",
    texts: (t) => t.inbox,
    errorPage: (ctx, fault) => (isAboutOrganisation(fault) ? inboxErrorPage(ctx, fault) : null),
    firstPage: async (c, ctx, session) =>
      conversationsPage(ctx, await service.inbox.inbox(session, slugIn(c), pageIn(c))),
    sendLink: (form, caller) => service.inbox.signInToInbox(parse(inboxSignInInput, form), caller),
    open: service.inbox.openInbox,
    close: service.inbox.signOutOfInbox,
  });
  /** Keeps the cookie as long as the session, which the action has renewed, and goes on to a page of the inbox. */
  const done = (c: Context, ctx: PageContext, session: string, page: string): string => {
    remember(c, ctx, session);
    return page;
  };

  getInSession("/inbox/conversations/:id", async (_, ctx, session, { id }) => {
    const found = await service.inbox.inboxConversation(session, id);
    return conversationPage(ctx, { id, ...found }, EMPTY_FORM, []);
  });

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

  getInSession(
    "/inbox/conversations/:id/photos/:file",
    (c, _, session, { id, file }) =>
      sendPhoto(c, file, (name, size) => service.inbox.inboxPhoto(session, id, name, size)),
    403,
  );

  getInSession("/inbox/alerts", async (c, ctx, session) => {
    const member = await service.inbox.reader(session, slugIn(c));
    const { cursor, ended } = c.req.query();
    const { alerts, nextCursor } = await service.alerts.search({
      organisation: member.organisation.slug,
      limit: ALERTS_PER_PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return alertsPage(ctx, member, {
      alerts: alerts.map(({ alert }) => alert),
      nextCursor,
      ended: /^\d{1,6}$/.test(ended ?? "") ? Number(ended) : null,
    });
  });

  postInSession("/inbox/alerts", async (c, ctx, session) => {
    const slug = slugIn(c);
    const ended = await service.inbox.resolveAlerts(session, slug, await readChoices(c, "alert"));
    return done(c, ctx, session, inboxUrl(ctx, slug, "/alerts", { ended: String(ended) }));
  });

  getInSession("/inbox/members", async (c, ctx, session) =>
    membersPage(ctx, await service.inbox.memberList(session, slugIn(c)), EMPTY_FORM),
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

  getInSession("/inbox/leave", async (c, ctx, session) =>
    leavePage(ctx, await service.inbox.membership(session, slugIn(c))),
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
