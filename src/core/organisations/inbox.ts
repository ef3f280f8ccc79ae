import { z } from "zod";
import { type AlertChange, alertRef, changeAfter, isActionAllowed } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import {
  type ConversationView,
  conversationView,
  type OpenedConversation,
  openConversation,
  photoInConversation,
  sendReply,
} from "../conversations/reply.ts";
import { Fault } from "../fault.ts";
import type { SyncIndexes } from "../jobs/index-sync.ts";
import { emailField, languageField, maskedMailbox, recipient } from "../input.ts";
import type { Caller } from "../limits.ts";
import {
  type LinkAnswer,
  type LinkRequester,
  newMagicLink,
  requestMagicLink,
} from "../magic-link.ts";
import { hashMailbox } from "../mailbox-hash.ts";
import { SESSION_MS, SIGN_IN_MS } from "../moderation/sign-in.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { PhotoSize, Ports } from "../ports.ts";
import { newToken } from "../private-link.ts";
import type { InboxPage, MemberAction, ResolvedAlert } from "../store/inbox.ts";
import type { MemberChanges } from "../store/organisations.ts";
import {
  type Member,
  memberRole,
  type Membership,
  MEMBERS_MAX,
  type OrganisationAct,
  ORGANISATIONS_MAX,
  type OrganisationView,
  toOrganisationView,
} from "./organisation.ts";

export const inboxSignInInput = z.object({ email: emailField, language: languageField.optional() });
export const memberInput = z.object({ email: emailField, role: memberRole });
export const formerMemberInput = memberInput.pick({ email: true });
const conversationId = z.uuid();

/** Conversations on a page of an inbox. */
export const INBOX_PER_PAGE = 50;
/** Alerts that are ended at once. */
const RESOLVED_AT_ONCE_MAX = 100;
/** Spellings of one address that are sent a link at once. An organisation has one of them at most. */
const SPELLINGS_MAX = 10;
const LOG_SHOWN = 50;

/** Signed-in member, and the organisation for which the member acts. */
export type MemberSession = Member & {
  readonly organisation: OrganisationView;
  /** Other organisations for which the same session may act. */
  readonly others: readonly Membership[];
};

/** Conversation in an inbox, which the member opens as its owner. */
export type InboxConversation = {
  readonly member: MemberSession;
  readonly view: ConversationView;
};

/** Inbox of an organisation as one member sees it. */
export type Inbox = InboxPage & { readonly member: MemberSession; readonly page: number };

/** Members of an organisation, and what they did lately. */
export type MemberList = {
  readonly member: MemberSession;
  readonly members: readonly Member[];
  /** Newest first. */
  readonly log: readonly MemberAction[];
};

/** Membership of the caller. */
export type OwnMembership = {
  readonly member: MemberSession;
  /** True for somebody who cannot leave, because the organisation would have no manager. */
  readonly isLastManager: boolean;
};

/**
 * Sign-in of members, and what they do for their organisations. All throw `forbidden` if they need a session and get none,
 * or one of somebody who is not a member of the organisation, and `not_found` for what belongs to others. `slug`:
 * organisation for which the member acts; null: the only one. Somebody who has several reads by null the one they have been
 * a member of longest, and changes nothing: `bad_input`.
 */
export function createInbox(ports: Ports, syncIndexes: SyncIndexes, photos: PhotoActions) {
  const { store, secrets, links } = ports;

  /** Memberships of a session as they are now, which may differ from those at sign-in. Throws `forbidden` without any. */
  async function membershipsOf(session: string | null): Promise<readonly Membership[]> {
    const memberships =
      session === null
        ? []
        : await store.memberships(secrets.tokenHash(session), ports.clock(), ORGANISATIONS_MAX);
    if (memberships.length === 0) throw new Fault("forbidden", { reason: "sign_in" });
    return memberships;
  }

  async function actingFor(
    memberships: readonly Membership[],
    slug: string | null,
  ): Promise<MemberSession> {
    const chosen =
      slug === null
        ? memberships[0]
        : memberships.find(({ organisation }) => organisation === slug);
    const organisation =
      chosen === undefined ? null : await store.organisation(chosen.organisation);
    if (chosen === undefined || organisation === null)
      throw new Fault("forbidden", { reason: "not_a_member" });
    return {
      email: chosen.email,
      role: chosen.role,
      organisation: toOrganisationView(organisation, links),
      others: memberships.filter((one) => one !== chosen),
    };
  }

  async function readerFor(session: string | null, slug: string | null): Promise<MemberSession> {
    return actingFor(await membershipsOf(session), slug);
  }

  /** Member who changes something, which must not meet another of their organisations. */
  async function writerFor(session: string | null, slug: string | null): Promise<MemberSession> {
    const memberships = await membershipsOf(session);
    if (slug === null && memberships.length > 1)
      throw new Fault("bad_input", { reason: "which_organisation" });
    return actingFor(memberships, slug);
  }

  function requireManager(member: MemberSession): MemberSession {
    if (member.role !== "manager") throw new Fault("forbidden", { reason: "managers_only" });
    return member;
  }

  /** Conversation about an alert of an organisation of the member, who opens it as its owner. */
  async function opened(
    session: string | null,
    id: string,
  ): Promise<{ readonly member: MemberSession; readonly about: OpenedConversation }> {
    const memberships = await membershipsOf(session);
    const about = conversationId.safeParse(id).success
      ? await openConversation(ports, id, "owner")
      : null;
    const slug = about?.alert.organisation ?? null;
    if (about === null || !memberships.some(({ organisation }) => organisation === slug))
      throw new Fault("not_found", { reason: "conversation_erased" });
    return { member: await actingFor(memberships, slug), about };
  }

  function actionOf(
    { email, organisation }: MemberSession,
    act: OrganisationAct,
    subject: string,
  ): MemberAction {
    return {
      id: ports.dice.id(),
      at: ports.clock(),
      organisation: organisation.slug,
      who: email,
      act,
      subject,
    };
  }

  async function renew(session: string | null): Promise<void> {
    const now = ports.clock();
    if (session !== null)
      await store.renewMemberSession(secrets.tokenHash(session), now + SESSION_MS, now);
  }

  async function changeOthers(
    session: string | null,
    slug: string | null,
    about: string,
    act: "add_member" | "remove_member",
    changes: MemberChanges,
  ): Promise<void> {
    const manager = requireManager(await writerFor(session, slug));
    if (about.toLowerCase() === manager.email.toLowerCase())
      throw new Fault("conflict", { reason: "own_membership" });
    await saveMembers(changes, actionOf(manager, act, maskedMailbox(about)));
    await renew(session);
  }

  async function saveMembers(changes: MemberChanges, action: MemberAction): Promise<void> {
    const { kind } = await store.changeMembers(changes, action);
    switch (kind) {
      case "saved":
        return;
      case "full":
        throw new Fault("conflict", { reason: "members_full" });
      case "no_manager":
        throw new Fault("conflict", { reason: "last_manager" });
    }
  }

  return {
    /** Requests a sign-in link by email; see `requestMagicLink`. */
    signInToInbox: (
      input: z.infer<typeof inboxSignInInput>,
      caller: Caller,
    ): Promise<{ readonly sentTo: string }> => requestMagicLink(ports, "inbox", input, caller),

    /**
     * Sends the sign-in link if the address is a member's. Each spelling of it that organisations use gets a link of its own,
     * which opens their inboxes only: what one of them typed may be the mailbox of somebody else.
     */
    async sendInboxLink(requester: LinkRequester, now: number): Promise<void> {
      const { requestId, email, language } = requester;
      const linkTo = (to: string) =>
        newMagicLink(ports, { to, language }, SIGN_IN_MS, { kind: "inbox" }, now);
      const [first, ...others] = (await store.memberAddresses(email, SPELLINGS_MAX)).map(linkTo);
      if (first === undefined) return store.dropLinkRequest(requestId);
      const mailboxHash = hashMailbox(secrets, email);
      const answer: LinkAnswer = {
        requestId,
        emails: [first.email, ...others.map((one) => one.email)],
        hits: [{ key: `inbox:to:${mailboxHash}`, ...CAPS.signInEmailsPerMember }],
        // A stranger can use up the hour's emails, but only if the member already has a valid link.
        alternativeHits: [{ key: `inbox:good:${mailboxHash}`, max: 1, windowMs: SIGN_IN_MS }],
      };
      const links = [first, ...others].map(({ link }) => link);
      await store.addMemberLinks(links, answer, now);
    },

    /** Opens a session with a sign-in link and returns its token. Throws `not_found` for a used or expired link. */
    async openInbox(token: string): Promise<string> {
      const now = ports.clock();
      const session = newToken(ports.dice);
      const key = { tokenHash: secrets.tokenHash(session), expiresAt: now + SESSION_MS };
      if (!(await store.openMemberSession(secrets.tokenHash(token), key, now)))
        throw new Fault("not_found", { reason: "admin_link_spent" });
      return session;
    },

    async signOutOfInbox(session: string): Promise<void> {
      await store.endMemberSession(secrets.tokenHash(session));
    },

    member: readerFor,

    /** One page of conversations, from 1; beyond the last page, the first. */
    async inbox(session: string | null, slug: string | null, page = 1): Promise<Inbox> {
      const member = await readerFor(session, slug);
      const { organisation } = member;
      const offset = (page - 1) * INBOX_PER_PAGE;
      const found = await store.inbox(organisation.slug, INBOX_PER_PAGE, offset);
      if (found.total > 0 || page === 1) return { ...found, member, page };
      return { ...(await store.inbox(organisation.slug, INBOX_PER_PAGE, 0)), member, page: 1 };
    },

    async inboxConversation(session: string | null, id: string): Promise<InboxConversation> {
      const { member, about } = await opened(session, id);
      return { member, view: await conversationView(ports, about) };
    },

    async inboxPhoto(session: string | null, id: string, name: string, size: PhotoSize) {
      return photoInConversation(ports, (await opened(session, id)).about, name, size);
    },

    /** Answers for the organisation; see `sendReply`. */
    async replyFromInbox(
      session: string | null,
      id: string,
      message: string,
      tickets: readonly string[],
    ): Promise<void> {
      const { member, about } = await opened(session, id);
      const action = actionOf(member, "reply", about.alert.shortCode);
      await sendReply(ports, photos, about, { message, tickets }, action);
      await renew(session);
    },

    async markAsRead(session: string | null, id: string): Promise<MemberSession> {
      const { member, about } = await opened(session, id);
      await store.markRead(id, actionOf(member, "read", about.alert.shortCode));
      await renew(session);
      return member;
    },

    /**
     * Ends alerts of the organisation as home again, those that can be. Returns their number. Ids beyond
     * `RESOLVED_AT_ONCE_MAX` are left out.
     */
    async resolveAlerts(
      session: string | null,
      slug: string | null,
      ids: readonly string[],
    ): Promise<number> {
      const member = await writerFor(session, slug);
      const now = ports.clock();
      const chosen: ResolvedAlert[] = [];
      for (const id of new Set(ids.slice(0, RESOLVED_AT_ONCE_MAX))) {
        const ref = alertRef(id);
        const seen = ref?.by === "id" ? await store.alert(ref) : null;
        if (seen?.organisation !== member.organisation.slug) continue;
        if (!isActionAllowed(seen, "resolve", now)) continue;
        const change: AlertChange = changeAfter(seen, "resolve", now);
        chosen.push({ seen, change, action: actionOf(member, "resolve", seen.shortCode) });
      }
      const resolved = await store.resolveAlerts(chosen, now);
      await syncIndexes();
      await renew(session);
      return resolved.length;
    },

    /** For managers only. */
    async memberList(session: string | null, slug: string | null): Promise<MemberList> {
      const member = requireManager(await readerFor(session, slug));
      const { organisation } = member;
      const members = await store.members(organisation.slug, MEMBERS_MAX);
      return { member, members, log: await store.memberActions(organisation.slug, LOG_SHOWN) };
    },

    /** Adds a member, or changes the role of one, for managers. Throws `conflict`. */
    async addMember(
      session: string | null,
      slug: string | null,
      { email, role }: z.infer<typeof memberInput>,
    ): Promise<void> {
      const address = recipient(email);
      const added = [{ email: address, role }];
      await changeOthers(session, slug, address, "add_member", { added, removed: [] });
    },

    /** Removes a member, whose sessions can no longer act for the organisation, for managers. Throws `conflict`. */
    async removeMember(
      session: string | null,
      slug: string | null,
      { email }: z.infer<typeof formerMemberInput>,
    ): Promise<void> {
      const address = recipient(email);
      const removed = [address];
      await changeOthers(session, slug, address, "remove_member", { added: [], removed });
    },

    async membership(session: string | null, slug: string | null): Promise<OwnMembership> {
      const member = await readerFor(session, slug);
      const members = await store.members(member.organisation.slug, MEMBERS_MAX);
      const managers = members.filter(({ role }) => role === "manager");
      return { member, isLastManager: member.role === "manager" && managers.length === 1 };
    },

    /** Ends the membership of the caller, whom only a manager or the operator can add again. Throws `conflict` for the last manager. */
    async leaveOrganisation(session: string | null, slug: string | null): Promise<MemberSession> {
      const member = await writerFor(session, slug);
      const left = { added: [], removed: [member.email] };
      await saveMembers(left, actionOf(member, "leave", ""));
      await renew(session);
      return member;
    },
  };
}
