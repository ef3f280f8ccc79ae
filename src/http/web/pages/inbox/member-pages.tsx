/** @jsxImportSource hono/jsx */
import { ButtonForm, Moment, DangerForm, lastPage, Sentences } from "../../components/elements.tsx";
import { ERROR_MESSAGES } from "../../../../messages/messages.ts";
import type { MemberSession } from "../../../../core/inbox/member-session.ts";
import type { MemberList, OwnMembership } from "../../../../core/inbox/members.ts";
import { MEMBER_ROLES, type MemberAction } from "../../../../core/organisations/organisation.ts";
import { EmailField, Form, type FormState, optionsOf, Select } from "../../form/field.tsx";
import { local, type Page, type PageContext, usePage } from "../../layout/layout.tsx";
import { inboxPage, inboxUrl } from "./inbox-pages.tsx";

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
              <ButtonForm
                action={here("/members/remove")}
                fields={{ email }}
                label={text.remove}
                class="quiet"
              />
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
  if (isLastManager)
    return inboxPage(title, member, <p>{ERROR_MESSAGES[t.pageLanguage].because.last_manager}</p>);
  return inboxPage(
    title,
    member,
    <>
      <Sentences of={text.leaveText} />
      <DangerForm
        action={inboxUrl(ctx, slug, "/leave")}
        button={text.leaveButton}
        back={links.inboxOf(slug)}
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
