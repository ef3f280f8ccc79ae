/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { Fault } from "../../../../core/fault.ts";
import { excerpt } from "../../../../core/conversations/owner-digest.ts";
import { writtenText } from "../../../../core/locale.ts";
import {
  type Inbox,
  INBOX_PER_PAGE,
  type InboxConversation,
  type MemberList,
  type MemberSession,
  type OwnMembership,
} from "../../../../core/organisations/inbox.ts";
import { MEMBER_ROLES } from "../../../../core/organisations/organisation.ts";
import type { InboxEntry, MemberAction } from "../../../../core/store/inbox.ts";
import { AlertCard, headlineOf, looksOf } from "../../components/alert.tsx";
import { MessageList } from "../../components/message-list.tsx";
import { Moment } from "../../components/moment.tsx";
import { photosBehind } from "../../components/photo-strip.tsx";
import {
  DangerForm,
  lastPage,
  privatePage,
  Sentences,
  StatusNotice,
} from "../../components/text-page.tsx";
import { faultMessage } from "../../form/fault-messages.ts";
import {
  EmailField,
  Form,
  formPage,
  type FormState,
  optionsOf,
  Select,
} from "../../form/field.tsx";
import type { StoredPhoto } from "../../form/photo-field.tsx";
import { local, type Page, type PageContext, usePage } from "../../layout.tsx";
import type { Messages } from "../../messages/messages.ts";
import { Reply, writerIn } from "../conversation/conversation.tsx";

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
        {page > 1 && (
          <a class="button quiet" rel="prev" href={pageAt(page - 1)}>
            {text.before}
          </a>
        )}
        {total > page * INBOX_PER_PAGE && (
          <a class="button quiet" rel="next" href={pageAt(page + 1)}>
            {text.more}
          </a>
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
      {entry.isUnread && (
        <form method="post" action={`${here}/read`}>
          <button class="quiet" type="submit">
            {text.markRead}
          </button>
        </form>
      )}
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
  return formPage(ctx, draft, {
    title: t.conversation.title,
    access: "private",
    scripts: ["local-times", "photos"],
    body: (
      <>
        {view.alert === null ? (
          <p class="notice">{t.conversation.gone}</p>
        ) : (
          <AlertCard alert={view.alert} level={2} />
        )}
        <MessageList
          messages={view.messages}
          side={view.side}
          nameOf={(from) => writerIn(ctx, view, from)}
          photosAt={photosBehind(here)}
          latest="latest"
        />
        {view.open ? (
          <Reply action={local(here)} draft={draft} kept={kept} />
        ) : (
          <p class="notice">{t.conversation.closed}</p>
        )}
        <p>
          <a href={local(links.inboxOf(member.organisation.slug))}>{t.inbox.back}</a>
        </p>
      </>
    ),
  });
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
          <a class="button quiet" href={here({ cursor: nextCursor })}>
            {t.home.older}
          </a>
        </p>
      )}
    </>,
  );
}

/** Animal as its shelter tells it from others: "Found dog · grey, Husky · Lyon · 22 November 2026 · R4JKU7". */
function nameInList(t: Messages, alert: PublicAlert): string {
  return [headlineOf(t, alert), looksOf(alert), alert.city, t.day(alert.eventDate), alert.shortCode]
    .filter((part) => part !== "")
    .join(" · ");
}

/** Members of an organisation and the log of what they did, for managers. */
export function membersPage(
  ctx: PageContext,
  { member: self, members, log }: MemberList,
  draft: FormState,
): Page {
  const { t, links } = ctx;
  const text = t.inbox;
  const here = (path: string) => local(inboxUrl(ctx, self.organisation.slug, path));
  const page = inboxPage(
    text.members,
    self,
    <>
      <ul class="plain">
        {members.map(({ email, role }) => (
          <li>
            <bdi>{email}</bdi> · {text.role[role]}
            {email !== self.email && (
              <form method="post" action={here("/members/remove")}>
                <input type="hidden" name="email" value={email} />
                <button class="quiet" type="submit">
                  {text.remove}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <h2>{text.add}</h2>
      <p>{text.tellMembers({ url: links.inbox })}</p>
      <Form
        action={here("/members")}
        draft={draft}
        labels={{ ...t.field, email: text.memberEmail, role: text.roleLabel }}
      >
        <EmailField />
        <Select name="role" options={optionsOf(MEMBER_ROLES, text.role)} />
        <button type="submit">{text.save}</button>
      </Form>
      <h2>{text.log}</h2>
      <ol class="log">
        {log.map((entry) => (
          <li>
            <LogEntry entry={entry} />
          </li>
        ))}
      </ol>
    </>,
  );
  return draft.error === null ? page : { ...page, title: t.errorTitle({ title: page.title }) };
}

function LogEntry({ entry: { at, who, act, subject } }: { entry: MemberAction }) {
  const { t } = usePage();
  return (
    <>
      <Moment at={at} /> · <bdi>{who}</bdi> · {t.inbox.did[act]}
      {subject !== "" && (
        <>
          {" · "}
          <bdi>{subject}</bdi>
        </>
      )}
    </>
  );
}

/** Question before a member leaves an organisation; for its last manager, the reason why they cannot. */
export function leavePage(ctx: PageContext, { member, isLastManager }: OwnMembership): Page {
  const { t, links } = ctx;
  const text = t.inbox;
  const { slug, name } = member.organisation;
  const title = text.leaveTitle({ name });
  if (isLastManager) return inboxPage(title, member, <p>{t.fault.because.last_manager}</p>);
  return inboxPage(
    title,
    member,
    <>
      <Sentences of={text.leaveText} />
      <DangerForm
        action={local(inboxUrl(ctx, slug, "/leave"))}
        button={text.leaveButton}
        back={local(links.inboxOf(slug))}
        keep={text.stay}
      />
    </>,
  );
}

/** Page after a member has left an organisation. */
export function leftPage(ctx: PageContext, { organisation, others }: MemberSession): Page {
  const { t, links } = ctx;
  const { name } = organisation;
  const onward = others.length === 0 ? undefined : { to: links.inbox, label: t.inbox.back };
  return lastPage(ctx, t.inbox.leftTitle({ name }), [t.inbox.left({ name })], onward);
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

/** Error for somebody who is signed in, with the way to their own inbox. */
export function wayBackPage({ t, links }: PageContext, fault: Fault): Page {
  return privatePage(
    t.fault.title[fault.code],
    <>
      <p>{faultMessage(t, fault)}</p>
      <p>
        <a href={local(links.inbox)}>{t.inbox.title}</a>
      </p>
      <div class="apart">
        <SignOut />
      </div>
    </>,
  );
}

/** Page of the inbox, with the ways to the others. */
function inboxPage(title: string, member: MemberSession, body: Child): Page {
  const page = privatePage(
    title,
    <>
      <Ways member={member} />
      {body}
      <Departure member={member} />
    </>,
  );
  return { ...page, scripts: ["local-times"] };
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
        <li>
          <a href={pageAt("")}>{text.title}</a>
        </li>
        <li>
          <a href={pageAt("/alerts")}>{text.alerts}</a>
        </li>
        {role === "manager" && (
          <li>
            <a href={pageAt("/members")}>{text.members}</a>
          </li>
        )}
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

/** Ways out: for now, or of the organisation for good. */
function Departure({ member: { email, organisation } }: { member: MemberSession }) {
  const { t, links } = usePage();
  return (
    <div class="apart">
      <p>{t.admin.who({ email })}</p>
      <SignOut />
      <p>
        <a href={local(inboxUrl({ links }, organisation.slug, "/leave"))}>{t.inbox.leave}</a>
      </p>
    </div>
  );
}

function SignOut() {
  const { t, links } = usePage();
  return (
    <form method="post" action={`${local(links.inbox)}/sign-out`}>
      <button class="quiet" type="submit">
        {t.admin.signOut}
      </button>
    </form>
  );
}
