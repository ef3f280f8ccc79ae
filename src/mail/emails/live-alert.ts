import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function liveDraft(
  content: ContentOf<"live">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert } = content;
  const link = site.links.manage(unsealToken(content.sealedToken, site));
  return {
    subject: messages.live.subject(headline(alert, messages), alert.shortCode),
    title: messages.live.title,
    parts: [
      { kind: "text", text: messages.live.opening[alert.type][alert.species] },
      alertEntry(alert, messages, site),
      { kind: "text", text: messages.live.manage },
      { kind: "list", items: messages.live.actions[alert.type] },
      { kind: "button", label: messages.live.button, url: link },
      { kind: "strong", text: messages.live.keepPrivate },
      { kind: "text", text: messages.live.ends(messages.day(content.expiresAt)) },
      { kind: "text", text: messages.live.share },
      { kind: "address", label: messages.live.page, url: site.links.alert(alert.slug) },
      { kind: "address", label: messages.live.shortLink, url: site.links.short(alert.shortCode) },
      { kind: "address", label: messages.live.qr, url: site.links.qr(alert.shortCode) },
      { kind: "text", text: messages.live.beware },
    ],
    link,
    unsubscribeUrl: null,
  };
}
