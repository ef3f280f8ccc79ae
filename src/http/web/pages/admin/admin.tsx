/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { type Moderated, signInInput } from "../../../../core/moderation/moderator-sign-in.ts";
import { alertSearchInput } from "../../../../core/moderation/alert-search.ts";
import {
  MODERATION_ACTS,
  type ModerationAct,
  REPORT_REASONS,
} from "../../../../core/moderation/report.ts";
import { alertCasePage, alertsPage } from "./alerts.tsx";
import type { Question } from "./moderated-alert.tsx";
import { confirmPage, queuePage } from "./moderation-queue.tsx";
import { withoutEmpty, readForm, readQuery } from "../../form/form.ts";
import {
  keepPrivate,
  local,
  type PageContext,
  seeOther,
  showAgain,
  type Web,
} from "../../layout/layout.tsx";
import { photoNamed, sendPhoto } from "../../layout/photo-response.ts";
import { seeSent, sentPage, sentTo } from "../sign-in/sent.tsx";
import { createSignIn } from "../sign-in/sign-in.tsx";

const { remember, signInPage, enterPage, enter, signOut, withSession, sessionForms } = createSignIn(
  {
    cookie: "moderator",
    home: (links) => links.admin,
    entry: (links, token) => links.adminEntry(token),
    texts: (t) => t.admin,
  },
);

/** Moderation pages: sign-in by email link, then the queue. */
export function adminRoutes({ get, post, service }: Web): void {
  const postInSession = sessionForms(post);

  get("/admin", (c, ctx) => {
    const address = sentTo(c);
    if (address !== null) return sentPage(ctx, ctx.t.admin.sent, address, ctx.links.admin);
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

  get("/admin/enter/:token", (c, ctx) => enterPage(ctx, c.req.param("token")));

  post("/admin/enter/:token", async (c, ctx) => {
    await readForm(c, []);
    return enter(c, ctx, () => service.openSession(c.req.param("token")));
  });

  postInSession("/admin/sign-out", async (c, ctx, session) => {
    await readForm(c, []);
    await service.signOut(session);
    return signOut(c, ctx);
  });

  for (const what of ["hide", "restore", "dismiss"] as const) {
    postInSession(`/admin/alerts/:id/${what}`, (c, ctx, session) =>
      act(c, ctx, session, what, { alertId: c.req.param("id") }),
    );
  }
  for (const what of ["remove", "block"] as const) {
    get(`/admin/alerts/:id/${what}`, (c, ctx) => ask(c, ctx, what, c.req.param("id")));
    postInSession(`/admin/alerts/:id/${what}`, (c, ctx, session) =>
      act(c, ctx, session, what, { alertId: c.req.param("id") }),
    );
  }

  get("/admin/alerts/:id/conversations/:conversation/block", (c, ctx) =>
    ask(c, ctx, "block_writer", c.req.param("id")),
  );
  postInSession("/admin/alerts/:id/conversations/:conversation/block", (c, ctx, session) => {
    const { id, conversation } = c.req.param();
    return act(c, ctx, session, "block_writer", { alertId: id, conversationId: conversation });
  });

  postInSession("/admin/alerts/:id/sightings/:sighting/remove", (c, ctx, session) => {
    const { id, sighting } = c.req.param();
    return act(c, ctx, session, "remove_sighting", { alertId: id, sightingId: sighting });
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

  async function act(
    c: Context,
    ctx: PageContext,
    session: string,
    what: ModerationAct,
    about: Moderated,
  ): Promise<Response> {
    await readForm(c, []);
    await service.moderate(session, what, about);
    remember(c, ctx, session);
    return seeOther(c, `${local(ctx.links.admin)}?done=${what}`);
  }
}
