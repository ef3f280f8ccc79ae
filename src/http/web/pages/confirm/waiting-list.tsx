/** @jsxImportSource hono/jsx */
import {
  ButtonForm,
  Section,
  Moment,
  Submit,
  lastPage,
  textPage,
} from "../../components/elements.tsx";
import { say } from "../../../../messages/compile.ts";
import type { ListedRequest, OwnList, OwnRequest } from "../../../../core/pending/waiting-list.ts";
import { local, type Page, usePage, type PageContext } from "../../layout/layout.tsx";
import type { Context } from "hono";

/** Field of the form that has the email about a request for another spelling sent. */
export const REQUEST_ID = "request";

/** Requests for other spellings of the mailbox, and the confirmation link whose page sends their emails. */
type OtherSpellings = { readonly requests: readonly ListedRequest[]; readonly link: string };

/** Page with the list of what waits for the mailbox below it. */
export function withWaitingList(page: Page, own: OwnList, others: OtherSpellings | null): Page {
  const { inFront, folded } = own;
  if (inFront.length + folded.length + (others?.requests.length ?? 0) === 0) return page;
  const waiting = <Waiting inFront={inFront} folded={folded} others={others} />;
  return { ...page, body: [page.body, waiting] };
}

function Waiting({ inFront, folded, others }: OwnList & { others: OtherSpellings | null }) {
  const { t } = usePage();
  const text = t.confirm;
  return (
    <Section id="others" title={text.othersTitle} class="panel">
      <p>{text.others}</p>
      <OwnRequests of={inFront} />
      {folded.length > 0 && (
        <details>
          <summary>{text.othersMore({ count: folded.length })}</summary>
          <OwnRequests of={folded} />
        </details>
      )}
      {others !== null && others.requests.length > 0 && (
        <details>
          <summary>{text.otherSpellings.title({ count: others.requests.length })}</summary>
          <RequestsOfOthers {...others} />
        </details>
      )}
    </Section>
  );
}

/** Requests, each with a link to the page that confirms it. */
function OwnRequests({ of }: { of: readonly OwnRequest[] }) {
  const { links } = usePage();
  return (
    <ul class="quotes">
      {of.map((request) => (
        <li>
          <a class="button quiet" href={local(links.confirm(request.token))}>
            <Name of={request} />
          </a>{" "}
          <Moment at={request.createdAt} />
        </li>
      ))}
    </ul>
  );
}

/** Requests for other spellings, each with a button that has its email sent. */
function RequestsOfOthers({ requests, link }: OtherSpellings) {
  const { t } = usePage();
  return (
    <ul class="quotes">
      {requests.map((request) => (
        <li>
          <Name of={request} /> <Moment at={request.createdAt} />
          <ButtonForm
            action={`${link}/other-spelling`}
            fields={{ [REQUEST_ID]: request.id }}
            label={t.confirm.otherSpellings.button}
            class="quiet"
          />
        </li>
      ))}
    </ul>
  );
}

function Name({ of: { kind, shortCode } }: { of: ListedRequest }) {
  const { t } = usePage();
  return <>{say(t.confirm.other[kind], { code: shortCode ?? "" })}</>;
}

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
  return `${link}?${ALLOWED}`;
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
