import type { EmailAlert, EmailContent } from "../../core/email.ts";
import type { Links } from "../../core/urls.ts";
import { REMOVED } from "../../core/redaction/fold.ts";
import type { Part } from "../layout.tsx";
import type { EmailMessages } from "../messages/messages.ts";

/** Site that sends the email. */
export type EmailSite = {
  readonly name: string;
  readonly links: Links;
  readonly unseal: (sealed: string) => string | null;
};

/** Email before its layout. */
export type Draft = {
  readonly subject: string;
  readonly title: string;
  readonly parts: readonly Part[];
  readonly link: string;
  readonly unsubscribeUrl: string | null;
};

/** Content of one kind of email. */
export type ContentOf<Kind extends EmailContent["kind"]> = Extract<EmailContent, { kind: Kind }>;

/** Private token of a link. Throws when it cannot be unsealed because the secret key has changed. */
export function unsealToken(sealed: string, site: EmailSite): string {
  const token = site.unseal(sealed);
  if (token === null)
    throw new Error("a sealed link could not be unsealed: has the secret key changed?");
  return token;
}

/** "lost cat" */
export function headline(alert: EmailAlert, messages: EmailMessages): string {
  return messages.headline[alert.type][alert.species];
}

/** "Lost cat: Mimi" with colour, place, day and code under it. */
export function alertEntry(alert: EmailAlert, messages: EmailMessages, site: EmailSite): Part {
  const kind = capitalize(headline(alert, messages));
  const day = messages.day(Date.parse(`${alert.eventDate}T00:00:00Z`));
  const color = alert.color === UNKNOWN ? [] : [alert.color];
  return {
    kind: "entry",
    title: alert.name === null ? kind : `${kind} – ${alert.name}`,
    details: [...color, alert.city, day, alert.shortCode].join(" · "),
    url: site.links.alert(alert.slug),
  };
}

/** Explanation of "[removed]" if a text contains it. */
export function removedNote(texts: readonly string[], messages: EmailMessages): Part[] {
  return texts.some((text) => text.includes(REMOVED))
    ? [{ kind: "text", text: messages.message.removed }]
    : [];
}

/** Colour of an alert whose colour is not known. */
const UNKNOWN = "unknown";

/** Text with a capital first letter. */
export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** 07:30, in UTC. */
export function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
