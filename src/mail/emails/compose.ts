import { EMAIL_MESSAGES } from "../../messages/messages.ts";
import type { Email } from "../../core/email.ts";
import type { ManageLinksEmail } from "../../core/owners/manage-links.ts";
import type { ReminderEmail } from "../../core/owners/reminder.ts";
import type { ReplyRefusalEmail } from "../../core/conversations/emailed-reply.ts";
import type { OwnerDigestEmail } from "../../core/conversations/owner-digest.ts";
import type { MessageEmail } from "../../core/conversations/reply.ts";
import type { LikelyMatchEmail, MatchDigestEmail } from "../../core/matches/match-emails.ts";
import type { ReportsEmail } from "../../core/moderation/report-emails.ts";
import type { LiveEmail } from "../../core/pending/changes.ts";
import type { ConfirmEmail } from "../../core/pending/pending.ts";
import type { ErasureEmail, SignInEmail } from "../../core/people/magic-link.ts";
import type { PlanDigestEmail, PlanEmail } from "../../core/plan/plan-emails.ts";
import type { SightingEmail } from "../../core/sightings/sighting.ts";
import type { TableEmail } from "../../core/tables/notices.ts";
import type { ZoneNewsEmail } from "../../core/zones/notify.ts";
import { liveDraft, manageLinksDraft, planDigestDraft, planDraft, reminderDraft } from "./alert.ts";
import { confirmationDraft, erasureDraft, signInDraft } from "./confirmation.ts";
import { digestDraft, messageDraft, replyRefusalDraft, sightingDraft } from "./contact.ts";
import type { Draft, EmailContext, EmailSite } from "./draft.ts";
import { matchDigestDraft, matchDraft } from "./match.ts";
import { reportsDraft } from "./reports.ts";
import { tableDraft } from "./table.ts";
import { zoneDraft } from "./zone.ts";
import { renderHtml, renderText } from "./layout.tsx";
import type { SealPurpose } from "../../core/instance.ts";

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

/** Content of every kind of email. */
export type EmailContent =
  | ConfirmEmail
  | LiveEmail
  | ManageLinksEmail
  | SignInEmail
  | ReportsEmail
  | TableEmail
  | ErasureEmail
  | ReminderEmail
  | PlanEmail
  | PlanDigestEmail
  | MessageEmail
  | ReplyRefusalEmail
  | SightingEmail
  | LikelyMatchEmail
  | MatchDigestEmail
  | OwnerDigestEmail
  | ZoneNewsEmail;

/** Composes an email. Throws when a sealed link cannot be unsealed because the secret key has changed. */
export function composeEmail(email: Email, site: EmailSite): ComposedEmail {
  const { language, createdAt } = email;
  const { name, operator, links } = site;
  const unseal = (purpose: SealPurpose, sealed: string) => {
    const token = site.unseal(purpose, sealed);
    if (token === null)
      throw new Error("a sealed link could not be unsealed: has the secret key changed?");
    return token;
  };
  const messages = EMAIL_MESSAGES[language];
  const draft = draftOf(email.content as EmailContent, {
    site,
    links,
    messages,
    language,
    unseal,
    createdAt,
  });
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

function draftOf(content: EmailContent, context: EmailContext): Draft {
  switch (content.kind) {
    case "confirm":
      return confirmationDraft(content, context);
    case "live":
      return liveDraft(content, context);
    case "links":
      return manageLinksDraft(content, context);
    case "admin":
    case "inbox":
      return signInDraft(content, context);
    case "reports":
      return reportsDraft(content, context);
    case "table":
      return tableDraft(content, context);
    case "erase":
      return erasureDraft(content, context);
    case "message":
      return messageDraft(content, context);
    case "reply-refusal":
      return replyRefusalDraft(content, context);
    case "sighting":
      return sightingDraft(content, context);
    case "digest":
      return digestDraft(content, context);
    case "zone":
      return zoneDraft(content, context);
    case "match":
      return matchDraft(content, context);
    case "match-digest":
      return matchDigestDraft(content, context);
    case "reminder":
      return reminderDraft(content, context);
    case "plan":
      return planDraft(content, context);
    case "plan-digest":
      return planDigestDraft(content, context);
  }
}
