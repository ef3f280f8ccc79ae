/** @jsxImportSource hono/jsx */
import { say } from "../../../../core/messages.ts";
import type { ListedRequest, WaitingList } from "../../../../core/confirmation/waiting-list.ts";
import { Moment } from "../../components/moment.tsx";
import { local, type Page, usePage } from "../../layout.tsx";

/** Field of the form that has the email about a request for another spelling sent. */
export const ELSEWHERE_ID = "request";

/** Page with the list of what waits for the mailbox below it; `link` is the confirmation link, null for an erasure link. */
export function withWaitingList(page: Page, list: WaitingList, link: string | null): Page {
  const { inFront, folded } = list;
  const elsewhere = link === null ? [] : list.elsewhere;
  if (inFront.length + folded.length + elsewhere.length === 0) return page;
  const scripts = [...new Set([...(page.scripts ?? []), "local-times" as const])];
  const waiting = <Waiting inFront={inFront} folded={folded} elsewhere={elsewhere} link={link} />;
  return { ...page, scripts, body: [page.body, waiting] };
}

function Waiting({ inFront, folded, elsewhere, link }: WaitingList & { link: string | null }) {
  const { t } = usePage();
  const text = t.confirm;
  return (
    <section class="panel" aria-labelledby="others">
      <h2 id="others">{text.othersTitle}</h2>
      <p>{text.others}</p>
      <Requests of={inFront} link={link} />
      {folded.length > 0 && (
        <details>
          <summary>{text.othersMore({ count: folded.length })}</summary>
          <Requests of={folded} link={link} />
        </details>
      )}
      {elsewhere.length > 0 && (
        <details>
          <summary>{text.elsewhere({ count: elsewhere.length })}</summary>
          <Requests of={elsewhere} link={link} />
        </details>
      )}
    </section>
  );
}

/** Requests, each with its button: to the page that confirms it, or for another spelling to have its email sent. */
function Requests({ of, link }: { of: readonly ListedRequest[]; link: string | null }) {
  const { t, links } = usePage();
  return (
    <ul class="quotes">
      {of.map(({ id, kind, shortCode, createdAt, token }) => {
        const name = say(t.confirm.other[kind], { code: shortCode ?? "" });
        if (token !== null)
          return (
            <li>
              <a class="button quiet" href={local(links.confirm(token))}>
                {name}
              </a>{" "}
              <Moment at={createdAt} />
            </li>
          );
        return (
          <li>
            {name} <Moment at={createdAt} />
            {link !== null && (
              <form method="post" action={`${local(link)}/elsewhere`}>
                <input type="hidden" name={ELSEWHERE_ID} value={id} />
                <button class="quiet" type="submit">
                  {t.confirm.elsewhereButton}
                </button>
              </form>
            )}
          </li>
        );
      })}
    </ul>
  );
}
