import { z } from "zod";
import { type AlertChange, changeAfter, isActionAllowed } from "../alerts/alert.ts";
import { alertRef } from "../alerts/alert-ref.ts";
import {
  type ConversationView,
  conversationView,
  type OpenedConversation,
  openConversation,
  photoInConversation,
  sendReply,
} from "../conversations/reply.ts";
import { Fault } from "../fault.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import type { InboxPage, ResolvedAlert } from "./inbox-store.ts";
import type { MemberSession, MemberSessions } from "./member-session.ts";
import type { SyncIndexes } from "../instance.ts";
import type { PhotoSize } from "../photos/photo-files.ts";

const conversationId = z.uuid();

/** Conversations on a page of an inbox. */
export const INBOX_PER_PAGE = 50;
/** Alerts that are ended at once. */
const RESOLVED_AT_ONCE_MAX = 100;

/** Conversation in an inbox, which the member opens as its owner. */
export type InboxConversation = {
  readonly member: MemberSession;
  readonly view: ConversationView;
};

/** Inbox of an organisation as one member sees it. */
export type Inbox = InboxPage & { readonly member: MemberSession; readonly page: number };

/**
 * Conversations and alerts of organisations, for their members. Throws as `createMemberSessions` does, and `not_found` for
 * what belongs to others.
 */
export function createInbox(
  ports: Ports,
  sessions: MemberSessions,
  syncIndexes: SyncIndexes,
  photos: PhotoActions,
) {
  const { store } = ports;
  const { membershipsOf, actingFor, reader, writer, actionOf, renew } = sessions;

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

  return {
    /** One page of conversations, from 1; beyond the last page, the first. */
    async inbox(session: string | null, slug: string | null, page = 1): Promise<Inbox> {
      const member = await reader(session, slug);
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
      const member = await writer(session, slug);
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
  };
}
