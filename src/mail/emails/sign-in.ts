import type { EmailMessages } from "../messages/messages.ts";
import { timeOf, unsealToken, type Draft, type ContentOf, type EmailSite } from "./draft.ts";

export function adminDraft(
  content: ContentOf<"admin">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const link = site.links.adminEntry(unsealToken(content.sealedToken, site));
  const { subject, title, opening, button, ends, ignore } = messages.admin;
  return {
    subject,
    title,
    parts: [
      { kind: "text", text: opening(site.name) },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(messages.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: ignore },
    ],
    link,
    unsubscribeUrl: null,
  };
}
