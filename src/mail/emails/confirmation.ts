import type { ErasureEmail, SignInEmail } from "../../core/people/magic-link.ts";
import type { ConfirmEmail } from "../../core/pending/pending.ts";
import { say } from "../../messages/compile.ts";
import { HOUR_MS } from "../../core/duration.ts";
import { button, type Draft, type EmailContext, link, strong, text } from "./draft.ts";

// Anyone can have the emails of this file sent to anyone, so they contain no text written by the requester.

export function confirmationDraft(content: ConfirmEmail, context: EmailContext): Draft {
  const { messages, links, site } = context;
  const token = context.unseal("confirm", content.sealedToken);
  const code = content.shortCode ?? "";
  const { confirm } = messages;
  const request = confirm[content.action];
  return {
    subject: say(request.subject, { code }),
    title: request.title,
    parts: [
      text(request.opening({ site: site.name, code })),
      text(request.next),
      button(request.button, links.confirm(token)),
      strong(confirm.nothingYet),
      text(
        confirm.ends({
          hours: hoursOf(content, context),
          moment: messages.moment(content.expiresAt, content.timeZone),
        }),
      ),
      text(messages.neverACode),
      text(confirm.ignore),
      link(confirm.notMe, links.notMe(token)),
    ],
    link: links.confirm(token),
  };
}

export function erasureDraft(content: ErasureEmail, context: EmailContext): Draft {
  const { messages, links, site } = context;
  const token = context.unseal("erase", content.sealedToken);
  const { confirm, erase } = messages;
  return {
    subject: erase.title,
    title: erase.title,
    parts: [
      text(erase.opening({ site: site.name })),
      text(erase.next),
      button(erase.button, links.erase(token)),
      strong(
        confirm.ends({
          hours: hoursOf(content, context),
          moment: messages.moment(content.expiresAt),
        }),
      ),
      text(erase.keepPrivate),
      text(messages.neverACode),
      text(erase.ignore),
      content.canStop ? link(confirm.notMe, links.eraseNotMe(token)) : null,
    ],
    link: links.erase(token),
  };
}

/** Link by which moderators, or members of organisations, sign in. */
export function signInDraft(content: SignInEmail, context: EmailContext): Draft {
  const { messages, links, site } = context;
  const token = context.unseal(content.kind, content.sealedToken);
  const isInbox = content.kind === "inbox";
  const url = isInbox ? links.inboxEntry(token) : links.adminEntry(token);
  const texts = isInbox ? messages.inbox : messages.admin;
  return {
    subject: texts.title,
    title: texts.title,
    parts: [
      text(texts.opening({ site: site.name })),
      button(texts.button, url),
      strong(texts.ends({ moment: messages.moment(content.expiresAt) })),
      text(messages.link.ignore),
    ],
    link: url,
  };
}

function hoursOf({ expiresAt }: { expiresAt: number }, { createdAt }: EmailContext): number {
  return Math.max(1, Math.round((expiresAt - createdAt) / HOUR_MS));
}
