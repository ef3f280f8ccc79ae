import type { Part } from "../layout.tsx";
import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function matchDraft(
  content: ContentOf<"match">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert, other, score, reasons } = content;
  const link = site.links.pair(unsealToken(content.sealedToken, site));
  const unsubscribeUrl = site.links.unsubscribe(unsealToken(content.sealedUnsubscribe, site));
  const { match } = messages;
  return {
    subject: match.subject(headline(other, messages), other.shortCode),
    title: match.title,
    parts: [
      { kind: "text", text: match.opening[alert.type] },
      alertEntry(other, messages, site),
      { kind: "strong", text: match.score(score) },
      { kind: "text", text: match.reasons },
      { kind: "list", items: reasons },
      { kind: "button", label: match.button, url: link },
      { kind: "text", text: match.notMine },
      { kind: "strong", text: match.beware },
      { kind: "text", text: match.yours },
      alertEntry(alert, messages, site),
      { kind: "link", label: match.unsubscribe, url: unsubscribeUrl },
    ],
    link,
    unsubscribeUrl,
  };
}

export function matchDigestDraft(
  content: ContentOf<"match-digest">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { pairs, more } = content;
  const unsubscribeUrl = site.links.unsubscribe(unsealToken(content.sealedUnsubscribe, site));
  const { match, matchDigest } = messages;
  const links = pairs.map(({ sealedToken }) => site.links.pair(unsealToken(sealedToken, site)));
  const subject = matchDigest.subject(pairs.length + more);
  return {
    subject,
    title: subject,
    parts: [
      { kind: "text", text: matchDigest.opening },
      ...pairs.flatMap(({ alert, other, score }, nth): Part[] => [
        alertEntry(other, messages, site),
        {
          kind: "text",
          text: matchDigest.pair(score, headline(alert, messages), alert.shortCode),
        },
        { kind: "link", label: match.button, url: links[nth] ?? site.links.home },
      ]),
      ...(more === 0 ? [] : [{ kind: "text" as const, text: matchDigest.more(more) }]),
      { kind: "text", text: match.notMine },
      { kind: "strong", text: match.beware },
      { kind: "link", label: matchDigest.unsubscribe, url: unsubscribeUrl },
    ],
    link: links[0] ?? site.links.home,
    unsubscribeUrl,
  };
}
