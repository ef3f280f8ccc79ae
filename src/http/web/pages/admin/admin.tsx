/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { parse } from "../../../../core/input.ts";
import { type Moderated, signInInput } from "../../../../core/moderation/moderators.ts";
import { alertSearchInput } from "../../../../core/moderation/alert-search.ts";
import {
  MODERATION_ACTS,
  type ModerationAct,
  REPORT_REASONS,
} from "../../../../core/moderation/report.ts";
import { alertCasePage, alertsPage } from "./alerts.tsx";
import type { Question } from "./moderated-alert.tsx";
import { confirmPage, queuePage } from "./moderation-queue.tsx";
import { withoutEmpty, readQuery } from "../../form/form.ts";
import type { PageContext, Web } from "../../layout/layout.tsx";
import { sendPhoto } from "../../layout/photo-response.ts";
import { createSignIn } from "../sign-in/sign-in.tsx";

/** Moderation pages: sign-in by email link, then the queue. */
export function adminRoutes(web: Web): void {
  const { service } = web;
  const { as } = service.moderation;
  const { remember, getInSession, postInSession } = createSignIn(web, {
    cookie: "moderator",
    path: "/admin",
    texts: (t) => t.admin,
    firstPage: async (c, ctx, session) => {
      const done = MODERATION_ACTS.find((act) => act === c.req.query("done")) ?? null;
      const reason = REPORT_REASONS.find((one) => one === c.req.query("reason"));
      return queuePage(ctx, await (await as(session)).queue(reason), { done, reason });
    },
    sendLink: (form, caller) => service.moderation.signIn(parse(signInInput, form), caller),
    open: service.moderation.openSession,
    close: service.moderation.signOut,
  });

  getInSession("/admin/alerts", async (c, ctx, session) => {
    const { q: query, before } = withoutEmpty(readQuery(c, ["q", "before"]));
    const input = parse(alertSearchInput, { query, before });
    return alertsPage(ctx, query ?? "", await (await as(session)).search(input));
  });

  getInSession("/admin/alerts/:id", async (_, ctx, session, { id }) =>
    alertCasePage(ctx, await (await as(session)).caseOf(id)),
  );

  for (const what of ["hide", "restore", "dismiss"] as const) {
    postInSession(`/admin/alerts/:id/${what}`, (c, ctx, session, { id }) =>
      act(c, ctx, session, what, { alertId: id }),
    );
  }
  for (const what of ["remove", "block"] as const) {
    const path = `/admin/alerts/:id/${what}` as const;
    getInSession(path, ask(what), 403);
    postInSession(path, (c, ctx, session, { id }) => act(c, ctx, session, what, { alertId: id }));
  }

  const block = "/admin/alerts/:id/conversations/:conversation/block";
  getInSession(block, ask("block_writer"), 403);
  postInSession(block, (c, ctx, session, { id, conversation }) =>
    act(c, ctx, session, "block_writer", { alertId: id, conversationId: conversation }),
  );

  postInSession(
    "/admin/alerts/:id/sightings/:sighting/remove",
    (c, ctx, session, { id, sighting }) =>
      act(c, ctx, session, "remove_sighting", { alertId: id, sightingId: sighting }),
  );

  getInSession(
    "/admin/photos/:file",
    (c, _, session, { file }) =>
      sendPhoto(c, file, async (name, size) => (await as(session)).photo(name, size)),
    403,
  );

  /** Confirmation page of an action that is hard to undo. */
  function ask(question: Question) {
    return async (c: Context, ctx: PageContext, session: string | null, { id }: { id: string }) =>
      confirmPage(ctx, await (await as(session)).alert(id), question, c.req.path);
  }

  async function act(
    c: Context,
    ctx: PageContext,
    session: string,
    what: ModerationAct,
    about: Moderated,
  ): Promise<string> {
    await (await as(session)).moderate(what, about);
    remember(c, ctx, session);
    return `${ctx.links.admin}?done=${what}`;
  }
}
