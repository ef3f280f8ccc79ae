import { z } from "zod";
import { CAPS } from "../caps.ts";
import { emailTo } from "../email.ts";
import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { emailField } from "../input.ts";
import type { Caller } from "../limits.ts";
import { linkLimits, type LinkRequester, requestMagicLink } from "../people/magic-link.ts";
import type { Ports } from "./ports.ts";
import type { LinkAnswer } from "../people/link-store.ts";

/** To the owner on request: the manage links, newest alert first. */
export type ManageLinksEmail = {
  readonly kind: "links";
  readonly entries: readonly { readonly alert: EmailAlert; readonly sealedToken: string }[];
  readonly part: number;
  readonly parts: number;
  readonly total: number;
};
export const MANAGE_LINKS_IN_EMAIL_MAX = 50;

/** Highest part number accepted in a request for manage links. */
export const LINK_PARTS_MAX = 1_000;

/** Request for lost manage links. */
export const linksInput = z.object({
  email: emailField.describe("The address the alerts were published with"),
  part: z
    .number()
    .int()
    .min(1)
    .max(LINK_PARTS_MAX)
    .optional()
    .describe("Part of a list too long for one email, from 1"),
});
type LinksInput = z.infer<typeof linksInput>;

/** Sending owners their lost manage links again. */
export function createManageLinks(ports: Ports) {
  const { store, secrets } = ports;
  return {
    /** Requests one part of the list of manage links by email; see `requestMagicLink`. */
    requestManageLinks: (input: LinksInput, caller: Caller): Promise<{ readonly sentTo: string }> =>
      requestMagicLink(ports, "links", input, caller),

    /**
     * Sends one part of the list to its owner. Anyone can request it in the owner's name, so the emails per day are
     * limited. A list not sent within the last day is sent regardless of that limit, so that nobody can withhold it by
     * using the limit up.
     */
    async sendManageLinks(requester: LinkRequester, now: number): Promise<void> {
      const { requestId, email, part } = requester;
      const limit = MANAGE_LINKS_IN_EMAIL_MAX;
      const { alerts, total } = await store.manageableAlerts(email, limit, (part - 1) * limit);
      const newest = alerts[0]?.alert;
      if (newest?.ownerEmail == null) return store.dropLinkRequest(requestId);
      const ids = alerts.map(({ alert }) => alert.id);
      const content: ManageLinksEmail = {
        kind: "links",
        entries: alerts.map(({ alert, link }) => ({
          alert: emailAlert(alert),
          sealedToken: link.sealed,
        })),
        part,
        parts: Math.ceil(total / limit),
        total,
      };
      const reader = { to: newest.ownerEmail, language: newest.language };
      const { hits, alternatives } = linkLimits(secrets, "links", requester);
      const listKey = `links:list:${secrets.keyedHash("content", JSON.stringify(ids))}`;
      const answer: LinkAnswer = {
        requestId,
        emails: [emailTo(ports.random, reader, content, now)],
        hits,
        alternatives: [...alternatives, [{ key: listKey, ...CAPS.manageLinkEmailsPerList }]],
      };
      await store.sendManageLinks(ids, answer, now);
    },
  };
}
