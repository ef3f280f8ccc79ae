/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { ATTACHED_PHOTOS_MAX } from "../../../../core/photos/photos.ts";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { formerMemberInput } from "../../../../core/inbox/members.ts";
import { memberInput } from "../../../../core/organisations/organisation.ts";
import { inboxSignInInput } from "../../../../core/inbox/member-sign-in.ts";
import { seeSent, sentPage, sentTo } from "../sign-in/sent.tsx";
import { createSignIn } from "../sign-in/sign-in.tsx";
import { EMPTY_FORM } from "../../form/field.tsx";
import { readChoices, readForm, readPhotoForm, withoutEmpty } from "../../form/form.ts";
import { loadThumbnails, PHOTO_FIRST, storePhotos } from "../../form/photo-field.tsx";
import {
  keepPrivate,
  local,
  type PageContext,
  seeOther,
  showAgain,
  type Web,
} from "../../layout/layout.tsx";
import { photoNamed, sendPhoto } from "../../layout/photo-response.ts";
import { replyInput } from "../conversation/conversation.tsx";
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
      conversationsPage(ctx, await service.inbox(session, slugIn(c), page)),
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
    return enter(c, ctx, () => service.openInbox(c.req.param("token")));
  });

  postInSession("/inbox/sign-out", async (c, ctx, session) => {
    await readForm(c, []);
    await service.signOutOfInbox(session);
    return signOut(c, ctx);
  });

  get("/inbox/conversations/:id", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const id = c.req.param("id");
      const found = await service.inboxConversation(session, id);
      return conversationPage(ctx, { id, ...found }, EMPTY_FORM, []);
    }),
  );

  postInSession("/inbox/conversations/:id", async (c, ctx, session) => {
    const form = await readPhotoForm(c, ["message", PHOTO_FIRST]);
    const { values } = form;
    const id = c.req.param("id");
    // Before anything is stored: a stranger stores no photos here.
    await service.inboxConversation(session, id);
    const photos = await storePhotos(service, form, c.get("caller"), ATTACHED_PHOTOS_MAX);
    try {
      if (photos.refusal !== null) throw photos.refusal;
      const { message } = parse(replyInput, values);
      await service.replyFromInbox(session, id, message, photos.refs);
    } catch (error) {
      const again = async (fault: Fault) => {
        const found = await service.inboxConversation(session, id);
        const kept = await loadThumbnails(service, photos.refs);
        return conversationPage(ctx, { id, ...found }, { values, error: fault }, kept);
      };
      return showAgain(c, ctx, error, again, ["not_found", "forbidden"]);
    }
    const here = `${ctx.links.inbox}/conversations/${encodeURIComponent(id)}`;
    return done(c, ctx, session, `${here}#latest`);
  });

  postInSession("/inbox/conversations/:id/read", async (c, ctx, session) => {
    await readForm(c, []);
    const { organisation } = await service.markAsRead(session, c.req.param("id"));
    return done(c, ctx, session, ctx.links.inboxOf(organisation.slug));
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
      const member = await service.member(session, slugIn(c));
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

  postInSession("/inbox/alerts", async (c, ctx, session) => {
    const chosen = await readChoices(c, "alert");
    const slug = slugIn(c);
    const ended = await service.resolveAlerts(session, slug, chosen);
    return done(c, ctx, session, inboxUrl(ctx, slug, "/alerts", { ended: String(ended) }));
  });

  get("/inbox/members", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      membersPage(ctx, await service.memberList(session, slugIn(c)), EMPTY_FORM),
    ),
  );

  postInSession("/inbox/members", async (c, ctx, session) => {
    const values = await readForm(c, ["email", "role"]);
    const slug = slugIn(c);
    try {
      await service.addMember(session, slug, parse(memberInput, values));
    } catch (error) {
      if (isAboutOrganisation(error)) throw error;
      const again = async (fault: Fault) =>
        membersPage(ctx, await service.memberList(session, slug), { values, error: fault });
      return showAgain(c, ctx, error, again, ["forbidden"]);
    }
    return done(c, ctx, session, inboxUrl(ctx, slug, "/members"));
  });

  postInSession("/inbox/members/remove", async (c, ctx, session) => {
    const values = await readForm(c, ["email"]);
    const slug = slugIn(c);
    await service.removeMember(session, slug, parse(formerMemberInput, values));
    return done(c, ctx, session, inboxUrl(ctx, slug, "/members"));
  });

  get("/inbox/leave", (c, ctx) =>
    withSession(c, ctx, 200, async (session) =>
      leavePage(ctx, await service.membership(session, slugIn(c))),
    ),
  );

  postInSession("/inbox/leave", async (c, ctx, session) => {
    await readForm(c, []);
    const member = await service.leaveOrganisation(session, slugIn(c));
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
function done(c: Context, ctx: PageContext, session: string, page: string): Response {
  remember(c, ctx, session);
  return seeOther(c, local(page));
}
