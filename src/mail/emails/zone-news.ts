import type { EmailZone } from "../../core/email.ts";
import type { Part } from "../layout.tsx";
import type { EmailMessages } from "../messages/messages.ts";
import {
  alertEntry,
  headline,
  unsealToken,
  type Draft,
  type ContentOf,
  type EmailSite,
} from "./draft.ts";

export function zoneDraft(
  content: ContentOf<"zone">,
  messages: EmailMessages,
  site: EmailSite,
): Draft {
  const unsubscribeUrl = site.links.unsubscribe(unsealToken(content.sealedUnsubscribe, site));
  const { alerts, more, label, circle } = content;
  const only = alerts.length === 1 && more === 0 ? alerts[0] : undefined;
  const count = alerts.length + more;
  const { subjectOne, subjectMany, titleOne, opening, openingNamed, buttonOne, buttonMany } =
    messages.zone;
  const started =
    content.zones === undefined
      ? label === null
        ? opening
        : openingNamed(label)
      : messages.zone.openingMany;
  const all = circle === undefined ? site.links.home : site.links.search(circle);
  const link = only === undefined ? all : site.links.alert(only.slug);
  return {
    subject:
      only === undefined
        ? subjectMany(count)
        : subjectOne(headline(only, messages), only.shortCode),
    title: only === undefined ? subjectMany(count) : titleOne,
    parts: [
      { kind: "text", text: started },
      ...zonesNamed(content, messages),
      ...alerts.map((alert) => alertEntry(alert, messages, site)),
      ...(more === 0 ? [] : [{ kind: "text" as const, text: messages.zone.more(more) }]),
      { kind: "text", text: messages.zone.seen },
      { kind: "button", label: only === undefined ? buttonMany : buttonOne, url: link },
      {
        kind: "text",
        text: content.zones === undefined ? messages.zone.why : messages.zone.whyMany,
      },
      ...(content.zones ?? []).map((zone): Part => ({
        kind: "link",
        label: messages.zone.unsubscribeOne(nameOf(zone, messages)),
        url: site.links.unsubscribe(unsealToken(zone.sealedUnsubscribe, site)),
      })),
      {
        kind: "link",
        label:
          content.zones === undefined ? messages.zone.unsubscribe : messages.zone.unsubscribeAll,
        url: unsubscribeUrl,
      },
    ],
    link,
    unsubscribeUrl,
  };
}

/** The zones an email speaks for, when there are several. */
function zonesNamed({ zones, moreZones = 0 }: ContentOf<"zone">, messages: EmailMessages): Part[] {
  if (zones === undefined) return [];
  const more = moreZones === 0 ? [] : [messages.zone.moreZones(moreZones)];
  return [{ kind: "list", items: [...zones.map((zone) => nameOf(zone, messages)), ...more] }];
}

function nameOf({ label, radiusKm, town }: EmailZone, messages: EmailMessages): string {
  const circle = messages.zone.circle(radiusKm, town);
  return label === null ? circle : `${label} – ${circle}`;
}
