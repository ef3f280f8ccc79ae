/** @jsxImportSource hono/jsx */
import { ButtonForm } from "../../components/button.tsx";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { PageMessages } from "../../../../messages/messages.ts";
import { Fault } from "../../../../core/fault.ts";
import type { Links } from "../../../../core/urls.ts";
import { EMPTY_FORM, EmailField, Form, formPage, type FormState } from "../../form/field.tsx";
import {
  local,
  type Page,
  type PageContext,
  renderFault,
  renderPage,
  type Web,
  type WebEnv,
  type Answer,
  type Params,
} from "../../layout/layout.tsx";
import { textPage } from "../../components/text-page.tsx";
import { SESSION_MS } from "../../../../core/people/magic-link.ts";

/** Pages behind a sign-in: those of moderators, or of members of shelters. */
type SignInParts = {
  /** Name of the cookie that holds the session. */
  readonly cookie: string;
  /** First page. The others lie under its address. */
  readonly home: (links: Links) => string;
  /** Page that a sign-in link opens. */
  readonly entry: (links: Links, token: string) => string;
  readonly texts: (
    t: PageMessages,
  ) => Pick<PageMessages["admin"], "title" | "signIn" | "enterTitle" | "enter" | "enterButton">;
  /** Page for an error of a use case; null for those without one of their own. */
  readonly errorPage?: (ctx: PageContext, fault: Fault) => Page | null;
};

/** Handler of a form, with the session that it needs. */
type SessionFormHandler<Path extends string> = (
  c: Context<WebEnv, Path>,
  ctx: PageContext,
  session: string,
  params: Params<Path>,
) => Promise<Answer>;

/** Sign-in by a link sent by email, and the session that follows in a cookie. */
export function createSignIn(parts: SignInParts) {
  const { cookie, home, entry, texts, errorPage = () => null } = parts;

  /** Attributes of the session cookie: these pages only, same site only, hidden from scripts. */
  function attributes({ links }: PageContext) {
    const secure = home(links).startsWith("https:");
    return { path: local(home(links)), httpOnly: true, sameSite: "Strict", secure } as const;
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
      formAddress: local(home(links)),
      scripts: ["sent-to"],
      body: (
        <>
          {notice !== null && <p class="notice">{notice}</p>}
          <Form action={`${local(home(links))}/sign-in`} draft={draft} labels={t.field}>
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

  return {
    remember,
    forget,
    /** Page with the form that asks for a link. */
    signInPage,

    /** Page with the sign-in button: a GET must not use up the link, because mail scanners open links. */
    enterPage({ t, links }: PageContext, token: string): Page {
      const { enterTitle, enter, enterButton } = texts(t);
      return textPage(
        enterTitle,
        [enter],
        <ButtonForm action={local(entry(links, token))} label={enterButton} />,
      );
    },

    /** Opens a session with a link and goes to the first page; with a used or expired link, to the form. */
    async enter(c: Context, ctx: PageContext, open: () => Promise<string>): Promise<Answer> {
      try {
        remember(c, ctx, await open());
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "not_found") throw error;
        return renderFault(c, ctx, error, signInPage(ctx, EMPTY_FORM, ctx.t.admin.spent));
      }
      return home(ctx.links);
    },

    withSession,

    /** Way to add forms that need the session. They are accepted from our own pages alone. */
    sessionForms:
      (post: Web["post"]) =>
      <Path extends string>(path: Path, handler: SessionFormHandler<Path>): void =>
        post(
          path,
          (c, ctx, params) =>
            withSession(c, ctx, 403, async (session) => {
              if (session === null) throw new Fault("forbidden", { reason: "sign_in" });
              return handler(c, ctx, session, params);
            }),
          { from: "session" },
        ),

    /** Ends the session and goes to the first page. */
    signOut(c: Context, ctx: PageContext): string {
      forget(c, ctx);
      return home(ctx.links);
    },
  };
}
