import { z } from "zod";
import { emailField, languageField } from "../input.ts";
import type { Caller } from "../limits.ts";
import {
  linkLimits,
  type LinkRequester,
  newMagicLink,
  requestMagicLink,
  SIGN_IN_MS,
} from "../people/magic-link.ts";
import { createSessions } from "../people/session.ts";
import type { Ports } from "./ports.ts";

export const inboxSignInInput = z.object({ email: emailField, language: languageField.optional() });

/** Spellings of one address that are sent a link at once. An organisation has one of them at most. */
const SPELLINGS_MAX = 10;

/** Sign-in of members of organisations to their inboxes. */
export function createInboxSignIn(ports: Ports) {
  const { store, secrets } = ports;
  const sessions = createSessions(ports, "inbox");
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
      const emails = [first.email, ...others.map((one) => one.email)] as const;
      const links = [first, ...others].map(({ link }) => ({ ...link, purpose: "inbox" as const }));
      // The links go to the stored spellings, whatever capital letters were typed.
      const asked = { ...requester, email: email.toLowerCase() };
      const limits = linkLimits(secrets, "inbox", asked);
      await store.addSignInLinks(links, { requestId, emails, ...limits }, now);
    },

    /** Opens a session with a sign-in link and returns its token. Throws `not_found` for a used or expired link. */
    openInbox: sessions.open,
    signOutOfInbox: sessions.end,
  };
}
