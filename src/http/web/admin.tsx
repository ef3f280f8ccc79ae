import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { ADMIN_MS, signInInput } from "../../core/moderating.ts";
import { MODERATION_ACTS, type ModerationAct } from "../../core/report.ts";
import { askPage, deskPage, type Question } from "./admin-desk.tsx";
import { type Draft, Email, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import {
  type Frame,
  keepPrivate,
  local,
  type Page,
  seeOther,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { photoNamed, sendPhoto } from "./photos.ts";
import { Sentences } from "./sentences.tsx";

const COOKIE = "moderator";
const NOTHING_YET: Draft = { given: {}, trouble: null };

/** The moderators' pages: a link by e-mail opens a session, the session opens the desk. Without moderators there are none. */
export function createAdmin({ service, frameOf }: Web): Hono<WebEnv> {
  const admin = new Hono<WebEnv>();

  admin.get("/admin", (c) => {
    const frame = frameOf(c);
    return withSession(c, frame, 200, async (session) => {
      const done = MODERATION_ACTS.find((act) => act === c.req.query("done")) ?? null;
      return show(c, frame, deskPage(frame, await service.moderation(session), done));
    });
  });

  admin.post("/admin/sign-in", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    const given = await readForm(c, ["email"]);
    try {
      const { language } = frame.words;
      const input = parse(signInInput, { ...filled(given), language });
      const { sentTo } = await service.signIn(input, c.get("caller"));
      return show(c, frame, sentPage(frame, sentTo));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const page = signInPage(frame, { given, trouble: error }, null);
      return showFault(c, frame, error, page);
    }
  });

  admin.get("/admin/enter/:token", (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    return show(c, frame, enterPage(frame, c.req.param("token")));
  });

  admin.post("/admin/enter/:token", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    await readForm(c, []);
    try {
      const session = await service.enter(c.req.param("token"));
      setCookie(c, COOKIE, session, { ...cookieOf(frame), maxAge: ADMIN_MS / 1000 });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "not_found") throw error;
      const page = signInPage(frame, NOTHING_YET, frame.words.admin.spent);
      return showFault(c, frame, error, page);
    }
    return seeOther(c, local(frame.links.admin));
  });

  admin.post("/admin/sign-out", async (c) => {
    const frame = frameOf(c);
    service.requireModerators();
    await readForm(c, []);
    const session = getCookie(c, COOKIE);
    if (session !== undefined) await service.signOut(session);
    deleteCookie(c, COOKIE, cookieOf(frame));
    return seeOther(c, local(frame.links.admin));
  });

  for (const what of ["hide", "restore", "dismiss"] as const) {
    admin.post(`/admin/alerts/:id/${what}`, (c) => act(c, what, { alertId: c.req.param("id") }));
  }
  for (const what of ["remove", "block"] as const) {
    admin.get(`/admin/alerts/:id/${what}`, (c) => ask(c, what, c.req.param("id")));
    admin.post(`/admin/alerts/:id/${what}`, (c) => act(c, what, { alertId: c.req.param("id") }));
  }

  admin.get("/admin/alerts/:id/conversations/:conversation/block", (c) =>
    ask(c, "block_writer", c.req.param("id")),
  );
  admin.post("/admin/alerts/:id/conversations/:conversation/block", (c) => {
    const { id, conversation } = c.req.param();
    return act(c, "block_writer", { alertId: id, conversationId: conversation });
  });

  admin.get("/admin/photos/:file", (c) => {
    const photo = photoNamed(c.req.param("file"));
    return withSession(c, frameOf(c), 403, async (session) => {
      const bytes = await service.moderatedPhoto(session, photo?.name ?? "", photo?.size ?? "full");
      if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
      keepPrivate(c);
      return sendPhoto(c, bytes);
    });
  });

  /** Asks before what is not easily taken back. */
  function ask(c: Context<WebEnv>, question: Question, alertId: string) {
    const frame = frameOf(c);
    return withSession(c, frame, 403, async (session) => {
      const alert = await service.moderated(session, alertId);
      return show(c, frame, askPage(frame, alert, question, c.req.path));
    });
  }

  async function act(
    c: Context<WebEnv>,
    what: ModerationAct,
    about: { readonly alertId: string; readonly conversationId?: string },
  ) {
    const frame = frameOf(c);
    service.requireModerators();
    await readForm(c, []);
    return withSession(c, frame, 403, async (session) => {
      await service.moderate(session, what, about);
      return seeOther(c, `${local(frame.links.admin)}?done=${what}`);
    });
  }

  return admin;
}

/** What the browser does with the session: it goes to these pages only, from these pages only, and to no script. */
function cookieOf({ links }: Frame) {
  const secure = links.admin.startsWith("https:");
  return { path: local(links.admin), httpOnly: true, sameSite: "Strict", secure } as const;
}

/** Does what needs a session; without a good one, asks to sign in, under the given status. */
async function withSession(
  c: Context,
  frame: Frame,
  refusal: 200 | 403,
  work: (session: string | null) => Promise<Response>,
): Promise<Response> {
  const session = getCookie(c, COOKIE) ?? null;
  try {
    return await work(session);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "forbidden") throw error;
    if (session !== null) deleteCookie(c, COOKIE, cookieOf(frame));
    const notice = session === null && refusal === 200 ? null : frame.words.admin.over;
    return show(c, frame, signInPage(frame, NOTHING_YET, notice), refusal);
  }
}

function signInPage(frame: Frame, draft: Draft, notice: string | null): Page {
  const { words, links } = frame;
  const { title, signIn, email, signInButton } = words.admin;
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        {notice !== null && <p class="notice">{notice}</p>}
        <form method="post" action={`${local(links.admin)}/sign-in`}>
          <TroubleBox frame={frame} trouble={draft.trouble} labels={{ email }} />
          <p>{signIn}</p>
          <Email draft={draft} label={email} />
          <button type="submit">{signInButton}</button>
        </form>
      </>
    ),
  };
}

function sentPage(frame: Frame, sentTo: string): Page {
  const { sentTitle, sent } = frame.words.admin;
  return {
    title: sentTitle,
    access: "private",
    body: (
      <>
        <h1>{sentTitle}</h1>
        <Sentences of={[sent(sentTo)]} />
      </>
    ),
  };
}

/** Mail scanners open links: looking uses nothing up. */
function enterPage(frame: Frame, token: string): Page {
  const { enterTitle, enter, enterButton } = frame.words.admin;
  return {
    title: enterTitle,
    access: "private",
    body: (
      <>
        <h1>{enterTitle}</h1>
        <Sentences of={[enter]} />
        <form method="post" action={local(frame.links.adminEntry(token))}>
          <button type="submit">{enterButton}</button>
        </form>
      </>
    ),
  };
}
