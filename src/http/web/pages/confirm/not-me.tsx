/** @jsxImportSource hono/jsx */
import { ButtonForm, Submit } from "../../components/button.tsx";
import type { Context } from "hono";
import { type PageContext, local, type Page } from "../../layout/layout.tsx";
import { lastPage, textPage } from "../../components/text-page.tsx";

/** Page behind "this was not me" in an email. `isLate`: the request has already been confirmed. */
export function notMePage(ctx: PageContext, isLate: boolean): Page {
  const text = ctx.t.notMe;
  return textPage(
    text.title,
    isLate ? [text.late] : [text.text, text.ignore],
    <ButtonForm label={text.button} />,
  );
}

/** Page that says confirmation emails are stopped; `link` is the page of the request, which can allow them again. */
export function stoppedEmailsPage(
  ctx: PageContext,
  link: string,
  { title, text }: { readonly title: string; readonly text: string },
): Page {
  const { t } = ctx;
  return textPage(
    title,
    [text],
    <form class="apart" method="post" action={local(`${link}/allow`)}>
      <p>{t.notMe.change}</p>
      <Submit label={t.notMe.allow} class="quiet" />
    </form>,
  );
}

/** Address of the page that says emails are allowed again; `link` is the "this was not me" page. */
export function allowedLink(link: string): string {
  return `${local(link)}?${ALLOWED}`;
}
const ALLOWED = "allowed";

/** True on the page that `allowedLink` leads to. */
export function isAllowed(c: Context): boolean {
  return c.req.query(ALLOWED) !== undefined;
}

export function allowedPage(ctx: PageContext): Page {
  const { allowedTitle, allowed } = ctx.t.notMe;
  return lastPage(ctx, allowedTitle, [allowed]);
}
