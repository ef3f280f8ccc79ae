import { EMAIL_MESSAGES } from "../../messages/messages.ts";
import type { Email } from "../../core/email.ts";
import { liveDraft, manageLinksDraft, planDigestDraft, planDraft, reminderDraft } from "./alert.ts";
import { confirmationDraft, erasureDraft, signInDraft } from "./confirmation.ts";
import { digestDraft, messageDraft, replyRefusalDraft, sightingDraft } from "./contact.ts";
import type { Draft, EmailContext, EmailSite } from "./draft.ts";
import { matchDigestDraft, matchDraft } from "./match.ts";
import { reportsDraft } from "./reports.ts";
import { tableDraft } from "./table.ts";
import { zoneDraft } from "./zone.ts";
import { renderHtml, renderText } from "./layout.tsx";
import { openerOf } from "../../core/people/private-link.ts";

/** Email composed in its reader's language. */
export type ComposedEmail = {
  /** Contains no text written by the public: only our phrases, short codes and counts. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** URL of the email's button. */
  readonly link: string;
  /** For emails that can be stopped: URL that mail programs call when the reader unsubscribes. */
  readonly unsubscribeUrl: string | null;
  /** Address at which a reply is passed on to the other side; null or absent if nobody reads replies. */
  readonly replyTo?: string | null;
};

/** Drafts by kind of content. */
const DRAFTS = {
  confirm: confirmationDraft,
  live: liveDraft,
  links: manageLinksDraft,
  admin: signInDraft,
  inbox: signInDraft,
  reports: reportsDraft,
  table: tableDraft,
  erase: erasureDraft,
  message: messageDraft,
  "reply-refusal": replyRefusalDraft,
  sighting: sightingDraft,
  digest: digestDraft,
  zone: zoneDraft,
  match: matchDraft,
  "match-digest": matchDigestDraft,
  reminder: reminderDraft,
  plan: planDraft,
  "plan-digest": planDigestDraft,
};
type EmailKind = keyof typeof DRAFTS;

/** Content of every kind of email. */
export type EmailContent = Parameters<(typeof DRAFTS)[EmailKind]>[0];

/** Composes an email. Throws when a sealed link cannot be unsealed because the secret key has changed. */
export function composeEmail(email: Email, site: EmailSite): ComposedEmail {
  const { language, createdAt } = email;
  const { name, operator, links } = site;
  const unseal = openerOf(site.unseal);
  const messages = EMAIL_MESSAGES[language];
  const draftOf = DRAFTS[email.content.kind as EmailKind] as (
    content: Email["content"],
    context: EmailContext,
  ) => Draft;
  const draft = draftOf(email.content, { site, links, messages, language, unseal, createdAt });
  const parts = draft.parts.filter((part) => part !== null);
  const { title, replyTo = null } = draft;
  const canReply = replyTo !== null;
  const layout = { language, title, parts, site: name, operator, home: links.home, canReply };
  return {
    subject: draft.subject,
    text: renderText(layout),
    html: renderHtml(layout),
    link: draft.link,
    unsubscribeUrl: draft.unsubscribeUrl ?? null,
    replyTo,
  };
}
