/** @jsxImportSource hono/jsx */
import { ButtonForm, textPage } from "../../components/elements.tsx";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { PageMessages } from "../../../../messages/messages.ts";
import { Fault } from "../../../../core/fault.ts";
import type { Caller } from "../../../../core/limits.ts";
import { EMPTY_FORM, EmailField, Form, formPage, type FormState } from "../../form/field.tsx";
import {
  type Page,
  type PageContext,
  renderFault,
  renderPage,
  type Web,
  type WebEnv,
  type Answer,
  type Params,
  onError,
} from "../../layout/layout.tsx";
import { readForm, withoutEmpty } from "../../form/form.ts";
import { sentLink, sentPage, sentTo } from "./sent.tsx";
import { SESSION_MS } from "../../../../core/people/session.ts";

/** Pages behind a sign-in: those of moderators, or of members of shelters. */
type SignInParts = {
  /** Name of the cookie that holds the session. */
  readonly cookie: string;
  /** Path of the first page. The others lie under it. */
  readonly path: "/admin" | "/inbox";
  readonly texts: (
    t: PageMessages,
  ) => Pick<
    PageMessages["admin"],
    "title" | "signIn" | "sent" | "enterTitle" | "enter" | "enterButton"
  >;
  /** Page for an error of a use case; null for those without one of their own. */
  readonly errorPage?: (ctx: PageContext, fault: Fault) => Page | null;
  readonly firstPage: SessionHandler<string, string | null>;
  /** Use cases: sends a link to the address of a form, opens a session with a link, and ends it. */
  readonly sendLink: (
    form: Readonly<Record<string, unknown>>,
    caller: Caller,
  ) => Promise<{ readonly sentTo: string }>;
  readonly open: (token: string) => Promise<string>;
  readonly close: (session: string) => Promise<unknown>;
};

/** Handler of a page or form with its session. */
type SessionHandler<Path extends string, Session> = (
  c: Context<WebEnv, Path>,
  ctx: PageContext,
  session: Session,
  params: Params<Path>,
) => Promise<Answer>;

/** Sign-in by a link sent by email, and the session that follows in a cookie. */
export function createSignIn({ get, post }: Web, parts: SignInParts) {
  const { cookie, path: home, texts, errorPage = () => null } = parts;

  /** Attributes of the session cookie: these pages only, same site only, hidden from scripts. */
  function attributes({ links }: PageContext) {
    const secure = links.home.startsWith("https:");
    return { path: links.at(home), httpOnly: true, sameSite: "Strict", secure } as const;
  }

  /** Keeps the cookie as long as the session, from now on. */
  function remember(c: Context, ctx: PageContext, session: string): void {
    setCookie(c, cookie, session, { ...attributes(ctx), maxAge: SESSION_MS / 1000 });
  }

  function forget(c: Context, ctx: PageContext): void {
    deleteCookie(c, cookie, attributes(ctx));
  }

  function signInPage(ctx: PageContext, draft: FormState, notice: string | null): Page {
    const { t, links } = ctx;
    const { title, signIn } = texts(t);
    return formPage(ctx, draft, {
      title,
      access: "private",
      formAddress: links.at(home),
      body: (
        <>
          {notice !== null && <p class="notice">{notice}</p>}
          <Form action={links.at(`${home}/sign-in`)} draft={draft} labels={t.field}>
            <p>{signIn}</p>
            <EmailField />
            <button type="submit">{t.admin.signInButton}</button>
          </Form>
        </>
      ),
    });
  }

  /** Runs `work` with the session; without a valid one shows the sign-in page with status `refusal`. */
  async function withSession(
    c: Context,
    ctx: PageContext,
    refusal: 200 | 403,
    work: (session: string | null) => Promise<Answer>,
  ): Promise<Answer> {
    const session = getCookie(c, cookie) ?? null;
    try {
      return await work(session);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.why?.reason !== "sign_in") {
        const page = errorPage(ctx, error);
        if (page === null) throw error;
        return renderFault(c, ctx, error, page);
      }
      if (session !== null) forget(c, ctx);
      const notice = session === null && refusal === 200 ? null : ctx.t.admin.over;
      return renderPage(c, ctx, signInPage(ctx, EMPTY_FORM, notice), refusal);
    }
  }

  get(home, (c, ctx, params) => {
    const address = sentTo(c);
    if (address !== null) return sentPage(ctx, texts(ctx.t).sent, address, ctx.links.at(home));
    return withSession(c, ctx, 200, (session) => parts.firstPage(c, ctx, session, params));
  });

  post(`${home}/sign-in`, async (c, ctx) => {
    const values = await readForm(c, ["email"]);
    onError(c, (error) => signInPage(ctx, { values, error }, null));
    const form = { ...withoutEmpty(values), language: ctx.t.language };
    return sentLink(ctx.links.at(home), await parts.sendLink(form, c.get("caller")));
  });

  // A GET must not use up the link, because mail scanners open links.
  get(`${home}/enter/:token`, (_, { t, links }, { token }) => {
    const { enterTitle, enter, enterButton } = texts(t);
    const action = links.at(`${home}/enter/${encodeURIComponent(token)}`);
    return textPage(enterTitle, [enter], <ButtonForm action={action} label={enterButton} />);
  });

  post(`${home}/enter/:token`, async (c, ctx, { token }) => {
    try {
      remember(c, ctx, await parts.open(token));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "not_found") throw error;
      return renderFault(c, ctx, error, signInPage(ctx, EMPTY_FORM, ctx.t.admin.spent));
    }
    return ctx.links.at(home);
  });

  /** Adds the page of a session. */
  const getInSession = <Path extends string>(
    path: Path,
    handler: SessionHandler<Path, string | null>,
    refusal: 200 | 403 = 200,
  ): void =>
    get(path, (c, ctx, params) =>
      withSession(c, ctx, refusal, (session) => handler(c, ctx, session, params)),
    );

  /** Adds a form of a session, accepted from our own pages alone. */
  const postInSession = <Path extends string>(
    path: Path,
    handler: SessionHandler<Path, string>,
  ): void =>
    post(
      path,
      (c, ctx, params) =>
        withSession(c, ctx, 403, async (session) => {
          if (session === null) throw new Fault("forbidden", { reason: "sign_in" });
          return handler(c, ctx, session, params);
        }),
      { from: "session" },
    );

  postInSession(`${home}/sign-out`, async (c, ctx, session) => {
    await parts.close(session);
    forget(c, ctx);
    return ctx.links.at(home);
  });

  return { remember, forget, getInSession, postInSession };
}
