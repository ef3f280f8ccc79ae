import { z } from "zod";
import type { Desk, ModeratedAlert, ModerationDesk } from "./desk.ts";
import { askDiscreetly, type Asker, discreetLink } from "./discreet-link.ts";
import { HOUR_MS, MINUTE_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import { emailField, languageField } from "./input.ts";
import type { Caller } from "./limit.ts";
import type { PhotoSize, Ports } from "./ports.ts";
import { newToken } from "./private-link.ts";
import type { ModerationAct } from "./report.ts";

/** Asking for the way in. */
export const signInInput = z.object({ email: emailField, language: languageField.optional() });
export type SignInInput = z.infer<typeof signInInput>;

/** The desk of one moderator. */
export type Moderation = Desk & {
  /** The moderator's own mailbox. */
  readonly who: string;
};

/** What is moderated: an alert, and for `block_writer` a conversation about it. */
export type Moderated = { readonly alertId: string; readonly conversationId?: string | undefined };

/** A link by e-mail works this long, and so does the session it opens. */
export const ADMIN_MS = 30 * MINUTE_MS;
/** Letters with such a link that one moderator gets. */
const SIGN_IN_MAIL_RATE = { max: 3, windowMs: HOUR_MS };

/**
 * Moderators: how they come in and what they do. Where nobody moderates, all throw `not_found`; what needs a session
 * throws `forbidden` without one.
 */
export function createModerating(ports: Ports, desk: ModerationDesk) {
  const { store, vault } = ports;

  /** The moderator a session belongs to. The settings may have changed since it was opened. */
  async function moderatorOf(session: string | null): Promise<string> {
    requireModerators();
    const email =
      session === null ? null : await store.adminSession(vault.tokenHash(session), ports.clock());
    if (email === null || !ports.adminEmails.includes(email))
      throw new Fault("forbidden", { reason: "sign_in" });
    return email;
  }

  function requireModerators(): void {
    if (ports.adminEmails.length === 0) throw new Fault("not_found", { reason: "nothing_here" });
  }

  return {
    requireModerators,

    /**
     * Notes that a moderator is to get the way in. The answer is the same for every address. Throws `too_many` by what
     * the caller asked, whatever the address.
     */
    async signIn(input: SignInInput, caller: Caller): Promise<{ readonly sentTo: string }> {
      requireModerators();
      return askDiscreetly(ports, "admin", input, caller);
    },

    /** Sends the way in, where it was a moderator who asked. */
    async sendWayIn({ askId, email, language }: Asker, now: number): Promise<void> {
      const to = ports.adminEmails.find((one) => one.toLowerCase() === email.toLowerCase());
      if (to === undefined) return store.dropLinkAsk(askId);
      const hits = [
        { key: `admin:to:${vault.mark("mailbox", to.toLowerCase())}`, ...SIGN_IN_MAIL_RATE },
      ];
      const { link, letter } = discreetLink(
        ports,
        { to, language },
        ADMIN_MS,
        { kind: "admin" },
        now,
      );
      await store.addAdminLink(link, { askId, letter, hits }, now);
    },

    /** Opens a session with the link of a letter, which works once; gives its token. Throws `not_found` for a spent or late link. */
    async enter(token: string): Promise<string> {
      requireModerators();
      const now = ports.clock();
      const session = newToken(ports.dice);
      const opened = await store.openAdminSession(
        vault.tokenHash(token),
        { tokenHash: vault.tokenHash(session), expiresAt: now + ADMIN_MS },
        now,
      );
      if (!opened) throw new Fault("not_found", { reason: "admin_link_spent" });
      return session;
    },

    async signOut(session: string): Promise<void> {
      await store.endAdminSession(vault.tokenHash(session));
    },

    async moderation(session: string | null): Promise<Moderation> {
      const who = await moderatorOf(session);
      return { who, ...(await desk.seen()) };
    },

    /** One alert, to be asked about before something is done that cannot be taken back. */
    async moderated(session: string | null, alertId: string): Promise<ModeratedAlert> {
      await moderatorOf(session);
      return desk.faceOf(await desk.alertOf(alertId), true);
    },

    /** A picture of any alert, hidden ones too, or null. */
    async moderatedPhoto(
      session: string | null,
      name: string,
      size: PhotoSize,
    ): Promise<Uint8Array | null> {
      await moderatorOf(session);
      return ports.photos.read(name, size);
    },

    /** Does it, writes it down and closes the reports about the alert. What was done already, or is not open, changes nothing. */
    async moderate(
      session: string | null,
      act: ModerationAct,
      { alertId, conversationId }: Moderated,
    ): Promise<void> {
      const who = await moderatorOf(session);
      await desk.carryOut(who, act, await desk.alertOf(alertId), conversationId);
    },
  };
}
