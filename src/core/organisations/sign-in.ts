import { z } from "zod";
import { CAPS } from "../caps.ts";
import { Fault } from "../fault.ts";
import { emailField, languageField } from "../input.ts";
import type { Caller } from "../limits.ts";
import {
  type LinkAnswer,
  type LinkRequester,
  newMagicLink,
  requestMagicLink,
} from "../magic-link.ts";
import { hashMailbox } from "../mailbox-hash.ts";
import { SESSION_MS, SIGN_IN_MS } from "../moderation/sign-in.ts";
import type { Ports } from "../ports.ts";
import { newToken } from "../private-link.ts";

export const inboxSignInInput = z.object({ email: emailField, language: languageField.optional() });

/** Spellings of one address that are sent a link at once. An organisation has one of them at most. */
const SPELLINGS_MAX = 10;

/** Sign-in of members of organisations to their inboxes. */
export function createInboxSignIn(ports: Ports) {
  const { store, secrets } = ports;
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
  };
}
