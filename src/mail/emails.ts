import type { Email } from "../core/email.ts";
import { confirmDraft, confirmationsDraft } from "./emails/confirmation.ts";
import { eraseDraft } from "./emails/erasure-link.ts";
import { liveDraft } from "./emails/live-alert.ts";
import { linksDraft } from "./emails/manage-links.ts";
import { matchDigestDraft, matchDraft } from "./emails/match.ts";
import { messageDraft } from "./emails/message.ts";
import { digestDraft } from "./emails/owner-digest.ts";
import { reminderDraft } from "./emails/reminder.ts";
import { sightingDraft } from "./emails/sighting.ts";
import { adminDraft } from "./emails/sign-in.ts";
import { zoneDraft } from "./emails/zone-news.ts";
import type { Draft, EmailSite } from "./emails/draft.ts";
import { renderHtml, renderText } from "./layout.tsx";
import { type EmailMessages, messagesFor } from "./messages/messages.ts";

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
};

/** Composes an email. Throws when a sealed link cannot be unsealed because the secret key has changed. */
export function composeEmail(email: Email, site: EmailSite): ComposedEmail {
  const messages = messagesFor(email.language);
  const { subject, title, parts, link, unsubscribeUrl } = draftOf(email, messages, site);
  const layout = {
    language: email.language,
    title,
    parts,
    site: site.name,
    home: site.links.home,
  };
  return { subject, text: renderText(layout), html: renderHtml(layout), link, unsubscribeUrl };
}

function draftOf(email: Email, messages: EmailMessages, site: EmailSite): Draft {
  const { content } = email;
  switch (content.kind) {
    case "confirm":
      return confirmDraft(content, email.createdAt, messages, site);
    case "confirmations":
      return confirmationsDraft(content, email.createdAt, messages, site);
    case "live":
      return liveDraft(content, messages, site);
    case "links":
      return linksDraft(content, messages, site);
    case "link":
      return linksDraft(
        { kind: "links", entries: [content], part: 1, parts: 1, total: 1 },
        messages,
        site,
      );
    case "admin":
      return adminDraft(content, messages, site);
    case "erase":
      return eraseDraft(content, messages, site);
    case "message":
      return messageDraft(content, messages, site);
    case "sighting":
      return sightingDraft(content, messages, site);
    case "digest":
      return digestDraft(content, messages, site);
    case "zone":
      return zoneDraft(content, messages, site);
    case "match":
      return matchDraft(content, messages, site);
    case "match-digest":
      return matchDigestDraft(content, messages, site);
    case "reminder":
      return reminderDraft(content, email.createdAt, messages, site);
  }
}
