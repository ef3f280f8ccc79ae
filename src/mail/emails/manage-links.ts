import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function linksDraft(
  content: ContentOf<"links">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const { entries, part, parts, total } = content;
  const [newest] = entries;
  if (newest === undefined) throw new Error("an email of manage links lists at least one alert");
  const { subject, subjectMany, title, titleMany, opening, openingMany, button, ignore } =
    messages.link;
  const manage = (sealed: string) => site.links.manage(unsealToken(sealed, site));
  const isOne = total === 1;
  return {
    subject: isOne
      ? subject(headline(newest.alert, messages), newest.alert.shortCode)
      : subjectMany(total),
    title: isOne ? title : titleMany,
    parts: [
      { kind: "text", text: isOne ? opening : openingMany },
      ...(parts === 1
        ? []
        : [{ kind: "text" as const, text: messages.link.part(part, parts, total) }]),
      ...entries.flatMap(({ alert, sealedToken }) => [
        alertEntry(alert, messages, site),
        { kind: isOne ? "button" : "link", label: button, url: manage(sealedToken) } as const,
      ]),
      ...(part >= parts
        ? []
        : [
            {
              kind: "button" as const,
              label: messages.link.nextPart,
              url: site.links.requestManageLinksPart(part + 1),
            },
          ]),
      { kind: "strong", text: isOne ? messages.live.keepPrivate : messages.link.keepPrivateMany },
      { kind: "text", text: ignore },
    ],
    link: manage(newest.sealedToken),
    unsubscribeUrl: null,
  };
}
