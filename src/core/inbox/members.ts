import type { z } from "zod";
import { Fault } from "../fault.ts";
import { maskedMailbox, recipient } from "../input.ts";
import type { Ports } from "./ports.ts";
import type { MemberChanges } from "../organisations/organisation-store.ts";
import type { MemberSession, MemberSessions } from "./member-session.ts";
import {
  type Member,
  type MemberAction,
  memberInput,
  MEMBERS_MAX,
} from "../organisations/organisation.ts";

export const formerMemberInput = memberInput.pick({ email: true });

/** Newest actions on the page of managers. */
const LOG_SHOWN = 50;

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

/** Members of organisations, changed by managers and by themselves. Throws as `createMemberSessions` does. */
export function createMembers({ store }: Pick<Ports, "store">, sessions: MemberSessions) {
  const { reader, writer, actionOf, renew } = sessions;

  /** Changes a membership of somebody else than the manager. */
  async function changeOthers(
    session: string | null,
    slug: string | null,
    about: string,
    act: "add_member" | "remove_member",
    changes: MemberChanges,
  ): Promise<void> {
    const manager = requireManager(await writer(session, slug));
    if (about.toLowerCase() === manager.email.toLowerCase())
      throw new Fault("conflict", { reason: "own_membership" });
    await saveMembers(changes, actionOf(manager, act, maskedMailbox(about)), true);
    await renew(session);
  }

  async function saveMembers(
    changes: MemberChanges,
    action: MemberAction,
    needsManager: boolean,
  ): Promise<void> {
    const { kind } = await store.changeMembers(changes, action, needsManager);
    switch (kind) {
      case "saved":
        return;
      case "full":
        throw new Fault("conflict", { reason: "members_full" });
      case "no_manager":
        throw new Fault("conflict", { reason: "last_manager" });
      case "not_allowed":
        throw new Fault("forbidden", { reason: "managers_only" });
    }
  }

  function requireManager(member: MemberSession): MemberSession {
    if (member.role !== "manager") throw new Fault("forbidden", { reason: "managers_only" });
    return member;
  }

  return {
    /** Members of an organisation and its log, for managers. */
    async memberList(session: string | null, slug: string | null): Promise<MemberList> {
      const member = requireManager(await reader(session, slug));
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

    /** Membership that the caller may end. */
    async membership(session: string | null, slug: string | null): Promise<OwnMembership> {
      const member = await reader(session, slug);
      const members = await store.members(member.organisation.slug, MEMBERS_MAX);
      const managers = members.filter(({ role }) => role === "manager");
      return { member, isLastManager: member.role === "manager" && managers.length === 1 };
    },

    /** Ends the caller's membership, which only a manager or the operator can renew. Throws `conflict` for the last manager. */
    async leaveOrganisation(session: string | null, slug: string | null): Promise<MemberSession> {
      const member = await writer(session, slug);
      const left = { added: [], removed: [member.email] };
      await saveMembers(left, actionOf(member, "leave", ""), false);
      await renew(session);
      return member;
    },
  };
}
