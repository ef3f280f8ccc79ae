import { DAY_MS } from "../../core/duration.ts";
import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  timeOf,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function reminderDraft(
  content: ContentOf<"reminder">,
  createdAt: number,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert } = content;
  const link = site.links.manage(unsealToken(content.sealedToken, site));
  const unsubscribeUrl = site.links.unsubscribe(unsealToken(content.sealedUnsubscribe, site));
  const days = Math.max(1, Math.ceil((content.expiresAt - createdAt) / DAY_MS));
  const { subject, title, opening, orEnd, ends, button, keepPrivate, unsubscribe } =
    messages.reminder;
  return {
    subject: subject(days, headline(alert, messages), alert.shortCode),
    title: title(days),
    parts: [
      { kind: "text", text: opening[alert.type][alert.species] },
      alertEntry(alert, messages, site),
      { kind: "text", text: orEnd[alert.type] },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(messages.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: keepPrivate },
      { kind: "link", label: unsubscribe, url: unsubscribeUrl },
    ],
    link,
    unsubscribeUrl,
  };
}
