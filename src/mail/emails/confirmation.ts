import { HOUR_MS } from "../../core/duration.ts";
import type { EmailMessages } from "../messages/messages.ts";
import { timeOf, unsealToken, type Draft, type ContentOf, type EmailSite } from "./draft.ts";

/** Says nothing that the asker wrote: whoever can make us write to a stranger must not choose the messages. */
export function confirmDraft(
  content: ContentOf<"confirm">,
  createdAt: number,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const token = unsealToken(content.sealedToken, site);
  const code = content.shortCode ?? "";
  const link = site.links.confirm(token);
  const { subject, title, opening, next, button } = messages.confirm[content.action];
  const hours = Math.max(1, Math.round((content.expiresAt - createdAt) / HOUR_MS));
  return {
    subject: subject(code),
    title,
    parts: [
      { kind: "text", text: opening(site.name, code) },
      { kind: "text", text: next },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: messages.confirm.nothingYet },
      {
        kind: "text",
        text: messages.confirm.ends(
          hours,
          messages.day(content.expiresAt),
          timeOf(content.expiresAt),
        ),
      },
      { kind: "text", text: messages.neverACode },
      { kind: "text", text: messages.confirm.ignore },
      { kind: "link", label: messages.confirm.notMe, url: site.links.notMe(token) },
    ],
    link,
    unsubscribeUrl: null,
  };
}

/** The same about several requests: of each, its kind and our code, and a link of its own. */
export function confirmationsDraft(
  content: ContentOf<"confirmations">,
  createdAt: number,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { requests, expiresAt } = content;
  const [first] = requests;
  if (first === undefined) throw new Error("a gathered email lists requests");
  const firstToken = unsealToken(first.sealedToken, site);
  const hours = Math.max(1, Math.round((expiresAt - createdAt) / HOUR_MS));
  const { confirm, confirmations } = messages;
  return {
    subject: confirmations.subject(requests.length),
    title: confirmations.title(requests.length),
    parts: [
      { kind: "text", text: confirmations.opening(site.name) },
      { kind: "text", text: confirmations.next },
      ...requests.map(({ action, shortCode, sealedToken }) => ({
        kind: "address" as const,
        label: confirm[action].subject(shortCode ?? ""),
        url: site.links.confirm(unsealToken(sealedToken, site)),
      })),
      { kind: "strong", text: confirm.nothingYet },
      {
        kind: "text",
        text: confirmations.ends(hours, messages.day(expiresAt), timeOf(expiresAt)),
      },
      { kind: "text", text: messages.neverACode },
      { kind: "text", text: confirm.ignore },
      { kind: "link", label: confirm.notMe, url: site.links.notMe(firstToken) },
    ],
    link: site.links.confirm(firstToken),
    unsubscribeUrl: null,
  };
}
