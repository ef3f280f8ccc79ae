import type { Part } from "../layout.tsx";
import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  removedNote,
  headline,
  timeOf,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function digestDraft(
  content: ContentOf<"digest">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { alert, conversations, moreConversations, sightings, moreSightings } = content;
  const { digest } = messages;
  const page = site.links.alert(alert.slug);
  const link =
    content.sealedManage === null
      ? page
      : site.links.manage(unsealToken(content.sealedManage, site));
  const seen = ({ city, distanceKm, seenAt }: (typeof sightings)[number]) =>
    messages.sighting.seen(city, distanceKm, messages.day(seenAt), timeOf(seenAt));
  return {
    subject: digest.subject(headline(alert, messages), alert.shortCode),
    title: digest.title,
    parts: [
      { kind: "text", text: digest.opening },
      ...conversations.flatMap(({ name, text, messages: count, sealedToken }): Part[] => [
        {
          kind: "strong",
          text: name === null ? messages.message.unnamed : messages.message.writes(name),
        },
        { kind: "quote", text },
        ...(count > 1 ? [{ kind: "text" as const, text: digest.moreOfOne(count - 1) }] : []),
        {
          kind: "link",
          label: messages.message.button,
          url: site.links.conversation(unsealToken(sealedToken, site)),
        },
      ]),
      ...(moreConversations === 0
        ? []
        : [{ kind: "strong" as const, text: digest.moreConversations(moreConversations) }]),
      ...sightings.flatMap((one): Part[] => [
        { kind: "strong", text: seen(one) },
        ...(one.note === null ? [] : [{ kind: "quote" as const, text: one.note }]),
      ]),
      ...(moreSightings === 0
        ? []
        : [{ kind: "strong" as const, text: digest.moreSightings(moreSightings) }]),
      ...removedNote(
        [...conversations.map(({ text }) => text), ...sightings.map(({ note }) => note ?? "")],
        messages,
      ),
      {
        kind: "button",
        label: content.sealedManage === null ? digest.buttonAlert : digest.button,
        url: link,
      },
      { kind: "text", text: messages.message.hidden },
      { kind: "strong", text: messages.message.beware },
      { kind: "text", text: messages.message.alert },
      alertEntry(alert, messages, site),
    ],
    link,
    unsubscribeUrl: null,
  };
}
