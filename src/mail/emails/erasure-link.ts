import type { EmailMessages } from "../messages/messages.ts";
import { timeOf, unsealToken, type Draft, type ContentOf, type EmailSite } from "./draft.ts";

/** As a confirmation email: anybody can have it sent to a stranger. */
export function eraseDraft(
  content: ContentOf<"erase">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const token = unsealToken(content.sealedToken, site);
  const link = site.links.erase(token);
  const { subject, title, opening, next, button, ends, ignore } = messages.erase;
  return {
    subject,
    title,
    parts: [
      { kind: "text", text: opening(site.name) },
      { kind: "text", text: next },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(messages.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: messages.neverACode },
      { kind: "text", text: ignore },
      ...(content.canStop
        ? [
            {
              kind: "link" as const,
              label: messages.confirm.notMe,
              url: site.links.eraseNotMe(token),
            },
          ]
        : []),
    ],
    link,
    unsubscribeUrl: null,
  };
}
