/** @jsxImportSource hono/jsx */
import { say } from "../../../../core/messages.ts";
import type { ListedRequest, WaitingList } from "../../../../core/confirmation/waiting-list.ts";
import { Moment } from "../../components/moment.tsx";
import { local, type Page, usePage } from "../../layout.tsx";

/** Page with the list of what waits for the mailbox below it; `link` is the confirmation link, null for an erasure link. */
export function withWaitingList(page: Page, list: WaitingList, link: string | null): Page {
  const { inFront, folded, isMoreElsewhere } = list;
  if (inFront.length + folded.length === 0 && !isMoreElsewhere) return page;
  const scripts = [...new Set([...(page.scripts ?? []), "local-times" as const])];
  return { ...page, scripts, body: [page.body, <Waiting {...list} link={link} />] };
}

function Waiting({
  inFront,
  folded,
  isMoreElsewhere,
  link,
}: WaitingList & { link: string | null }) {
  const { t } = usePage();
  const text = t.confirm;
  return (
    <section class="panel" aria-labelledby="others">
      <h2 id="others">{text.othersTitle}</h2>
      <p>{text.others}</p>
      <Requests of={inFront} />
      {folded.length > 0 && (
        <details>
          <summary>{text.othersMore({ count: folded.length })}</summary>
          <Requests of={folded} />
        </details>
      )}
      {isMoreElsewhere && link !== null && (
        <form method="post" action={`${local(link)}/elsewhere`}>
          <p>{text.elsewhere}</p>
          <button class="quiet" type="submit">
            {text.elsewhereButton}
          </button>
        </form>
      )}
    </section>
  );
}

/** Requests, each with a button to the page that shows and confirms it. */
function Requests({ of }: { of: readonly ListedRequest[] }) {
  const { t, links } = usePage();
  return (
    <ul class="quotes">
      {of.map(({ kind, shortCode, createdAt, token }) => (
        <li>
          <a class="button quiet" href={local(links.confirm(token))}>
            {say(t.confirm.other[kind], { code: shortCode ?? "" })}
          </a>{" "}
          <Moment at={createdAt} />
        </li>
      ))}
    </ul>
  );
}
