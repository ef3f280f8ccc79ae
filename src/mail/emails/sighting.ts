import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  timeOf,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function sightingDraft(
  content: ContentOf<"sighting">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert, note } = content;
  const link = site.links.alert(alert.slug);
  const { subject, title, opening, seen, unproven, adds, button, beware } = messages.sighting;
  const { city, distanceKm, seenAt } = content;
  return {
    subject: subject(headline(alert, messages), alert.shortCode),
    title,
    parts: [
      { kind: "text", text: opening },
      { kind: "strong", text: seen(city, distanceKm, messages.day(seenAt), timeOf(seenAt)) },
      ...(note === null
        ? []
        : [
            { kind: "text" as const, text: adds },
            { kind: "quote" as const, text: note },
          ]),
      { kind: "text", text: unproven },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: beware },
      alertEntry(alert, messages, site),
    ],
    link,
    unsubscribeUrl: null,
  };
}
