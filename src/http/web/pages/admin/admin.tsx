/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
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
import { local, type PageContext, type Web, onError } from "../../layout/layout.tsx";
import { sendPhoto } from "../../layout/photo-response.ts";
import { sentPage, sentTo, sentLink } from "../sign-in/sent.tsx";
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
      return queuePage(ctx, await service.moderation.moderationQueue(session, reason), {
        done,
        reason,
      });
    });
  });

  get("/admin/alerts", (c, ctx) =>
    withSession(c, ctx, 200, async (session) => {
      const { q: query, before } = withoutEmpty(readQuery(c, ["q", "before"]));
      const input = parse(alertSearchInput, { query, before });
      return alertsPage(ctx, query ?? "", await service.moderation.searchAnyAlert(session, input));
    }),
  );

  get("/admin/alerts/:id", (c, ctx, { id }) =>
    withSession(c, ctx, 200, async (session) =>
      alertCasePage(ctx, await service.moderation.alertCase(session, id)),
    ),
  );

  post("/admin/sign-in", async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    onError(c, (error) => signInPage(ctx, { values, error }, null));
    const { language } = ctx.t;
    const input = parse(signInInput, { ...withoutEmpty(values), language });
    return sentLink(ctx.links.admin, await service.moderation.signIn(input, c.get("caller")));
  });

  get("/admin/enter/:token", (_, ctx, { token }) => enterPage(ctx, token));

  post("/admin/enter/:token", (c, ctx, { token }) =>
    enter(c, ctx, () => service.moderation.openSession(token)),
  );

  postInSession("/admin/sign-out", async (c, ctx, session) => {
    await service.moderation.signOut(session);
    return signOut(c, ctx);
  });

  for (const what of ["hide", "restore", "dismiss"] as const) {
    postInSession(`/admin/alerts/:id/${what}`, (c, ctx, session, { id }) =>
      act(c, ctx, session, what, { alertId: id }),
    );
  }
  for (const what of ["remove", "block"] as const) {
    get(`/admin/alerts/:id/${what}`, (c, ctx, { id }) => ask(c, ctx, what, id));
    postInSession(`/admin/alerts/:id/${what}`, (c, ctx, session, { id }) =>
      act(c, ctx, session, what, { alertId: id }),
    );
  }

  const block = "/admin/alerts/:id/conversations/:conversation/block";
  get(block, (c, ctx, { id }) => ask(c, ctx, "block_writer", id));
  postInSession(block, (c, ctx, session, { id, conversation }) =>
    act(c, ctx, session, "block_writer", { alertId: id, conversationId: conversation }),
  );

  postInSession(
    "/admin/alerts/:id/sightings/:sighting/remove",
    (c, ctx, session, { id, sighting }) =>
      act(c, ctx, session, "remove_sighting", { alertId: id, sightingId: sighting }),
  );

  get("/admin/photos/:file", (c, ctx, { file }) =>
    withSession(c, ctx, 403, (session) =>
      sendPhoto(c, file, (name, size) => service.moderation.moderatedPhoto(session, name, size)),
    ),
  );

  /** Confirmation page of an action that is hard to undo. */
  function ask(c: Context, ctx: PageContext, question: Question, alertId: string) {
    return withSession(c, ctx, 403, async (session) => {
      const alert = await service.moderation.moderatedAlert(session, alertId);
      return confirmPage(ctx, alert, question, c.req.path);
    });
  }

  async function act(
    c: Context,
    ctx: PageContext,
    session: string,
    what: ModerationAct,
    about: Moderated,
  ): Promise<string> {
    await service.moderation.moderate(session, what, about);
    remember(c, ctx, session);
    return `${local(ctx.links.admin)}?done=${what}`;
  }
}
