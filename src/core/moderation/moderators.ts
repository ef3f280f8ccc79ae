import { z } from "zod";
import { emailField, languageField } from "../input.ts";
import type { ModeratedAlert, ModerationQueue, ModerationQueueActions } from "./queue.ts";
import {
  linkLimits,
  type LinkRequester,
  newMagicLink,
  requestMagicLink,
  SIGN_IN_MS,
} from "../people/magic-link.ts";
import { createSessions } from "../people/session.ts";
import { Fault } from "../fault.ts";
import type { Caller } from "../limits.ts";
import type { Ports } from "./ports.ts";
import type { ModerationAct, ReportReason } from "./report.ts";

export const signInInput = z.object({ email: emailField, language: languageField.optional() });
type SignInInput = z.infer<typeof signInInput>;

/** Moderation queue as one moderator sees it. */
export type Moderation = ModerationQueue & {
  readonly who: string;
};

/** Subject of an action: an alert, for `block_writer` a conversation about it, for `remove_sighting` a sighting. */
export type Moderated = {
  readonly alertId: string;
  readonly conversationId?: string;
  readonly sightingId?: string;
};

/**
 * Sign-in and actions of moderators. All throw `not_found` on a server without moderators, and `forbidden` if they need
 * a session and get none.
 */
export function createModerators(ports: Ports, queue: ModerationQueueActions) {
  const { store, secrets } = ports;
  const sessions = createSessions(ports, "moderation");

  function requireModerators(): void {
    if (ports.adminEmails.length === 0) throw new Fault("not_found", { reason: "nothing_here" });
  }

  /** Mailbox of a session's moderator. Checks the settings again, which may have changed since sign-in. */
  async function moderatorOf(session: string | null): Promise<string> {
    requireModerators();
    const email =
      session === null
        ? null
        : await store.sessionMailbox("moderation", secrets.tokenHash(session), ports.clock());
    if (email === null || !ports.adminEmails.includes(email))
      throw new Fault("forbidden", { reason: "sign_in" });
    return email;
  }

  return {
    requireModerators,

    /** Requests a sign-in link by email; see `requestMagicLink`. */
    async signIn(input: SignInInput, caller: Caller): Promise<{ readonly sentTo: string }> {
      requireModerators();
      return requestMagicLink(ports, "admin", input, caller);
    },

    /** Sends the sign-in link if the address is a moderator's. */
    async sendSignInLink(requester: LinkRequester, now: number): Promise<void> {
      const { requestId, email, language, networkHash } = requester;
      const to = ports.adminEmails.find((one) => one.toLowerCase() === email.toLowerCase());
      if (to === undefined) return store.dropLinkRequest(requestId);
      const limits = linkLimits(secrets, "admin", { email: to, networkHash });
      const magic = newMagicLink(ports, { to, language }, SIGN_IN_MS, { kind: "admin" }, now);
      await store.addSignInLinks(
        [{ ...magic.link, purpose: "moderation" }],
        { requestId, emails: [magic.email], ...limits },
        now,
      );
    },

    /** Opens a session with a sign-in link and returns its token. Throws `not_found` for a used or expired link. */
    async openSession(token: string): Promise<string> {
      requireModerators();
      return sessions.open(token);
    },

    signOut: sessions.end,

    /** Everything that the moderator of a session can do. */
    async as(session: string | null) {
      const who = await moderatorOf(session);
      return {
        /** `reason`: only open reports of this reason. */
        queue: async (reason?: ReportReason): Promise<Moderation> => ({
          who,
          ...(await queue.list(reason)),
        }),
        /** Page of alerts of any status. Throws `bad_input`. */
        search: queue.search,
        /** Everything about one alert. */
        caseOf: queue.caseOf,
        /** One alert, for the page that asks before an irreversible action. */
        alert: async (id: string): Promise<ModeratedAlert> =>
          queue.viewOf(await queue.alertById(id), true),
        /** Photo of any alert, hidden or not, or null. */
        photo: ports.photos.read,
        /** Carries an action out, if the alert's state allows it, logs it, closes the reports about the alert and renews the session. Idempotent. */
        async moderate(act: ModerationAct, { alertId, ...part }: Moderated): Promise<void> {
          await queue.carryOut(who, act, await queue.alertById(alertId), part);
          await sessions.renew(session);
        },
      };
    },
  };
}
