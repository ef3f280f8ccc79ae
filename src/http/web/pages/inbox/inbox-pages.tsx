/** @jsxImportSource hono/jsx */
import {
  ButtonForm,
  ButtonLink,
  LinkItem,
  LinkLine,
  Moment,
  privatePage,
  StatusNotice,
} from "../../components/elements.tsx";
import type { Child } from "hono/jsx";
import type { PageMessages } from "../../../../messages/messages.ts";
import { writtenText } from "../../../../core/alerts/alert-text.ts";
import { appearanceOf, type PublicAlert } from "../../../../core/alerts/alert.ts";
import { placeText } from "../../../../places/places.ts";
import type { Fault } from "../../../../core/fault.ts";
import { excerpt } from "../../../../core/conversations/owner-digest.ts";
import {
  type Inbox,
  INBOX_PER_PAGE,
  type InboxConversation,
} from "../../../../core/inbox/inbox.ts";
import type { MemberSession } from "../../../../core/inbox/member-session.ts";
import type { InboxEntry } from "../../../../core/inbox/inbox-store.ts";
import { headlineOf } from "../../components/alert.tsx";
import { faultMessage, type FormState } from "../../form/field.tsx";
import type { StoredPhoto } from "../../form/photo-field.tsx";
import { local, type Page, type PageContext, usePage } from "../../layout/layout.tsx";
import { replyPage } from "../conversation/conversation.tsx";

/** Conversations about the alerts of an organisation. */
export function conversationsPage(ctx: PageContext, inbox: Inbox): Page {
  const text = ctx.t.inbox;
  const { conversations, total, unread, member, page } = inbox;
  const { slug } = member.organisation;
  const pageAt = (number: number) => local(inboxUrl(ctx, slug, "", { page: String(number) }));
  return inboxPage(
    text.title,
    member,
    <>
      <p class="quiet">{total === 0 ? text.none : text.unread({ count: unread })}</p>
      <ul class="quotes">
        {conversations.map((entry) => (
          <li>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
      <p class="paging">
        {page > 1 && <ButtonLink to={pageAt(page - 1)} label={text.before} rel="prev" />}
        {total > page * INBOX_PER_PAGE && (
          <ButtonLink to={pageAt(page + 1)} label={text.more} rel="next" />
        )}
      </p>
    </>,
  );
}

function Entry({ entry }: { entry: InboxEntry }) {
  const { t, links } = usePage();
  const text = t.inbox;
  const here = `${local(links.inbox)}/conversations/${encodeURIComponent(entry.id)}`;
  return (
    <>
      <p dir="auto">
        {entry.isUnread && <strong class="tag inline">{text.isUnread}</strong>}{" "}
        <a href={here}>{headlineOf(t, entry)}</a> · {entry.shortCode} · <Moment at={entry.at} />
        {entry.isClosed && ` · ${text.isClosed}`}
      </p>
      <blockquote class="text" dir="auto">
        <strong>
          {t.named({ headline: entry.strangerName ?? t.conversation.stranger, name: "" })}
        </strong>{" "}
        {writtenText(t, excerpt(entry.text))}
      </blockquote>
      {entry.isUnread && <ButtonForm action={`${here}/read`} label={text.markRead} class="quiet" />}
    </>
  );
}

/** One conversation, with a form to answer for the organisation. */
export function conversationPage(
  ctx: PageContext,
  { id, member, view }: InboxConversation & { readonly id: string },
  draft: FormState,
  kept: readonly StoredPhoto[],
): Page {
  const { t, links } = ctx;
  const here = `${links.inbox}/conversations/${encodeURIComponent(id)}`;
  const { closed } = t.conversation;
  return replyPage(
    ctx,
    { view, here, draft, kept, closed },
    <LinkLine to={links.inboxOf(member.organisation.slug)} label={t.inbox.back} />,
  );
}

/** Active alerts of an organisation, to end together those of animals that are home again. */
export function alertsPage(
  ctx: PageContext,
  member: MemberSession,
  {
    alerts,
    nextCursor,
    ended,
  }: {
    readonly alerts: readonly PublicAlert[];
    readonly nextCursor: string | null;
    readonly ended: number | null;
  },
): Page {
  const { t } = ctx;
  const text = t.inbox;
  const here = (query = {}) => local(inboxUrl(ctx, member.organisation.slug, "/alerts", query));
  return inboxPage(
    text.alerts,
    member,
    <>
      <StatusNotice text={ended === null ? null : text.ended({ count: ended })} />
      {alerts.length === 0 ? (
        <p class="empty">{t.organisation.none}</p>
      ) : (
        <form method="post" action={here()}>
          <p>{text.choose}</p>
          <ul class="plain">
            {alerts.map((alert) => (
              <li>
                <label dir="auto">
                  <input type="checkbox" name="alert" value={alert.id} /> {nameInList(t, alert)}
                </label>{" "}
                <a href={local(alert.url)}>{text.see}</a>
              </li>
            ))}
          </ul>
          <button type="submit">{text.end}</button>
        </form>
      )}
      {nextCursor !== null && (
        <p class="paging">
          <ButtonLink to={here({ cursor: nextCursor })} label={t.home.older} />
        </p>
      )}
    </>,
  );
}

/** Animal as its shelter tells it from others: "Found dog · grey, Husky · Lyon · 22 November 2026 · R4JKU7". */
function nameInList(t: PageMessages, alert: PublicAlert): string {
  return [
    headlineOf(t, alert),
    appearanceOf(alert),
    placeText(alert),
    t.day(alert.eventDate),
    alert.shortCode,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** URL of a page of the inbox. `slug`: organisation for which the member acts; null: the only one. */
export function inboxUrl(
  { links }: Pick<PageContext, "links">,
  slug: string | null,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const params = new URLSearchParams(slug === null ? query : { organisation: slug, ...query });
  return params.size === 0 ? `${links.inbox}${path}` : `${links.inbox}${path}?${params}`;
}

/** Error page for somebody who is signed in, with a link to their own inbox. */
export function inboxErrorPage({ t, links }: PageContext, fault: Fault): Page {
  return privatePage(
    t.fault.title[fault.code],
    <>
      <p>{faultMessage(t, fault)}</p>
      <LinkLine to={links.inbox} label={t.inbox.title} />
      <div class="apart">
        <SignOut />
      </div>
    </>,
  );
}

/** Page of the inbox, with links to the others. */
export function inboxPage(title: string, member: MemberSession, body: Child): Page {
  return privatePage(
    title,
    <>
      <Ways member={member} />
      {body}
      <InboxFooter member={member} />
    </>,
  );
}

function Ways({ member: { organisation, role, others } }: { member: MemberSession }) {
  const { t, links } = usePage();
  const text = t.inbox;
  const pageAt = (path: string) => local(inboxUrl({ links }, organisation.slug, path));
  return (
    <nav aria-label={organisation.name}>
      <p dir="auto">
        <a href={local(organisation.url)}>{organisation.name}</a>
      </p>
      <ul class="ways">
        <LinkItem to={pageAt("")} label={text.title} />
        <LinkItem to={pageAt("/alerts")} label={text.alerts} />
        {role === "manager" && <LinkItem to={pageAt("/members")} label={text.members} />}
      </ul>
      {others.length > 0 && (
        <>
          <p>{text.others}</p>
          <ul class="ways">
            {others.map((other) => (
              <li dir="auto">
                <a href={local(links.inboxOf(other.organisation))}>{other.name}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

/** Name of the member, with the button to sign out and the link to leave the organisation. */
function InboxFooter({ member: { email, organisation } }: { member: MemberSession }) {
  const { t, links } = usePage();
  return (
    <div class="apart">
      <p>{t.admin.who({ email })}</p>
      <SignOut />
      <LinkLine to={inboxUrl({ links }, organisation.slug, "/leave")} label={t.inbox.leave} />
    </div>
  );
}

function SignOut() {
  const { t, links } = usePage();
  return <ButtonForm action={`${links.inbox}/sign-out`} label={t.admin.signOut} class="quiet" />;
}
