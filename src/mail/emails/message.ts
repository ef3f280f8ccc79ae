import type { EmailMessages } from "../messages/messages.ts";
import {
  removedNote,
  alertEntry,
  headline,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function messageDraft(
  content: ContentOf<"message">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert } = content;
  const link = site.links.conversation(unsealToken(content.sealedToken, site));
  const { fromStranger, fromOwner, writes, unnamed } = messages.message;
  const opening = content.from === "stranger" ? fromStranger : fromOwner;
  return {
    subject: messages.message.subject(headline(alert, messages), alert.shortCode),
    title: messages.message.title,
    parts: [
      { kind: "text", text: opening[alert.type][alert.species] },
      { kind: "strong", text: content.name === null ? unnamed : writes(content.name) },
      { kind: "quote", text: content.text },
      ...removedNote([content.text], messages),
      { kind: "button", label: messages.message.button, url: link },
      { kind: "text", text: messages.message.hidden },
      { kind: "strong", text: messages.message.beware },
      { kind: "text", text: messages.message.alert },
      alertEntry(alert, messages, site),
    ],
    link,
    unsubscribeUrl: null,
  };
}
