import type { Language } from "../../messages/languages.ts";
import type { EmailMessages } from "../../messages/messages.ts";
import { animalHeadline, eventDay, writtenText } from "../../core/alerts/alert-text.ts";
import { capitalize } from "../../messages/locale.ts";
import type { Side } from "../../core/conversations/conversation.ts";
import type { EmailAlert } from "../../core/alerts/email-alert.ts";
import { placeText } from "../../places/places.ts";
import { REMOVED } from "../../redaction/redact.ts";
import type { Operator } from "../../settings/operator.ts";
import type { Links } from "../../core/urls.ts";
import type { Part } from "./layout.tsx";
import type { SealPurpose } from "../../core/instance.ts";

/** Site that sends the email. */
export type EmailSite = {
  readonly name: string;
  /** Null if nobody is named. */
  readonly operator: Operator | null;
  readonly links: Links;
  readonly unseal: (purpose: SealPurpose, sealed: string) => string | null;
  /** Address to which a side of a conversation replies; null or absent if replies are not read. */
  readonly replyAddress?: (conversationId: string, side: Side) => string | null;
};

/** Everything an email needs besides its content. */
export type EmailContext = {
  readonly site: EmailSite;
  readonly links: Links;
  readonly messages: EmailMessages;
  readonly language: Language;
  /** Private token of a link. Throws when it cannot be unsealed because the secret key has changed. */
  readonly unseal: (purpose: SealPurpose, sealed: string) => string;
  readonly createdAt: number;
};

/** Email before its layout. */
export type Draft = {
  readonly subject: string;
  readonly title: string;
  /** Null for a part that this email lacks. */
  readonly parts: readonly (Part | null)[];
  readonly link: string;
  readonly unsubscribeUrl?: string;
  /** Address at which a reply is passed on to the other side. */
  readonly replyTo?: string | null;
};

export const text = (words: string): Part => ({ kind: "text", text: words });
export const strong = (words: string): Part => ({ kind: "strong", text: words });
export const quote = (words: string, messages: EmailMessages): Part => ({
  kind: "quote",
  text: writtenText(messages, words),
});
export const list = (items: readonly string[]): Part => ({ kind: "list", items });
export const button = (label: string, url: string): Part => ({ kind: "button", label, url });
export const link = (label: string, url: string): Part => ({ kind: "link", label, url });
export const address = (label: string, url: string): Part => ({ kind: "address", label, url });

/** "Your alert is live: lost cat (K7F3Q2)". */
export function subjectAbout(title: string, alert: EmailAlert, messages: EmailMessages): string {
  return messages.subject({ title, headline: headline(alert, messages), code: alert.shortCode });
}

/** "lost cat" */
export function headline(alert: EmailAlert, messages: EmailMessages): string {
  return animalHeadline(messages, alert);
}

/** "Lost cat – Mimi" with colour, place, day and code under it. The country is named if it is not the reader's. */
export function alertEntry(
  alert: EmailAlert,
  { messages, links }: EmailContext,
  country = alert.countryCode,
): Part {
  const kind = capitalize(headline(alert, messages));
  const color = alert.color === "unknown" ? [] : [alert.color];
  const place = whereOf(alert, messages, country);
  return {
    kind: "entry",
    picture: links.previewInEmail(alert.slug),
    title: alert.name === null ? kind : `${kind} – ${alert.name}`,
    details: [...color, place, eventDay(messages, alert), alert.shortCode].join(" · "),
    url: links.alert(alert.slug),
  };
}

/** "Friedrichshain, Berlin, near Boxhagener Platz". */
function whereOf(alert: EmailAlert, messages: EmailMessages, country: string): string {
  const { countryCode, landmark } = alert;
  const name = placeText(alert);
  const place = countryCode === country ? name : `${name}, ${messages.country(countryCode)}`;
  return landmark === null ? place : messages.near(place, landmark);
}

/** Explanation of "[removed]" if one of the texts contains it. */
export function removedNote(texts: readonly string[], messages: EmailMessages): Part | null {
  return texts.some((one) => one.includes(REMOVED)) ? text(messages.message.removed) : null;
}
