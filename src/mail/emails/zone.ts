import type { EmailMessages } from "../../messages/messages.ts";
import type { EmailZone, ZoneNewsEmail } from "../../core/zones/notify.ts";
import {
  alertEntry,
  button,
  type Draft,
  type EmailContext,
  link,
  list,
  subjectAbout,
  text,
} from "./draft.ts";

/** New alerts in one zone, or in several zones of the reader. */
export function zoneDraft(content: ZoneNewsEmail, context: EmailContext): Draft {
  const { messages, links, unseal } = context;
  const { alerts, more, label, circle, zones, moreZones = 0 } = content;
  const { zone } = messages;
  const only = alerts.length === 1 && more === 0 ? alerts[0] : undefined;
  const isMany = zones !== undefined;
  const title =
    only === undefined ? zone.subjectMany({ count: alerts.length + more }) : zone.titleOne;
  const search = circle === undefined ? links.home : links.search(circle);
  const url = only === undefined ? search : links.alert(only.slug);
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  const opening = label === null ? zone.opening : zone.openingNamed({ label });
  return {
    subject: only === undefined ? title : subjectAbout(title, only, messages),
    title,
    parts: [
      text(isMany ? zone.openingMany : opening),
      isMany
        ? list([
            ...zones.map((one) => nameOf(one, messages)),
            ...(moreZones === 0 ? [] : [zone.moreZones({ count: moreZones })]),
          ])
        : null,
      ...alerts.map((alert) => alertEntry(alert, context)),
      more === 0 ? null : text(zone.more({ count: more })),
      text(zone.seen),
      button(only === undefined ? zone.buttonMany : zone.buttonOne, url),
      text(isMany ? zone.whyMany : content.isDaily ? zone.whyDaily : zone.why),
      ...(zones ?? []).map((one) =>
        link(
          zone.unsubscribeOne({ zone: nameOf(one, messages) }),
          links.unsubscribe(unseal("unsubscribe", one.sealedUnsubscribe)),
        ),
      ),
      link(isMany ? zone.unsubscribeAll : zone.unsubscribe, unsubscribeUrl),
    ],
    link: url,
    unsubscribeUrl,
  };
}

/** "Home – 5 km around Lyon". */
function nameOf({ label, radiusKm, town }: EmailZone, messages: EmailMessages): string {
  const circle = messages.circle(radiusKm, town);
  return label === null ? circle : `${label} – ${circle}`;
}
