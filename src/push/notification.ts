import { animalHeadline } from "../core/alerts/alert-text.ts";
import type { Language } from "../messages/languages.ts";
import { EMAIL_MESSAGES, type EmailMessages } from "../messages/messages.ts";
import { capitalize } from "../messages/locale.ts";
import { placeText } from "../places/places.ts";
import type { PushAlert, PushContent } from "../core/push/push.ts";
import type { Links } from "../core/urls.ts";
import { openerOf } from "../core/people/private-link.ts";
import type { SealPurpose } from "../core/instance.ts";

/** Notification as a device shows it. Pushes about one thing have one tag, and replace each other. */
export type PushNotification = {
  readonly title: string;
  readonly body: string;
  /** Address that opens when it is pressed. */
  readonly navigate: string;
  readonly lang: Language;
  readonly dir: "ltr";
  readonly tag: string;
  readonly silent: false;
};

/** Everything a notification needs besides its content. */
export type NotificationSite = {
  readonly links: Links;
  readonly unseal: (purpose: SealPurpose, sealed: string) => string | null;
};

/** Composes a notification. Throws when a sealed link cannot be unsealed because the secret key has changed. */
export function composeNotification(
  { content, language, tag }: { content: PushContent; language: Language; tag: string },
  { links, unseal }: NotificationSite,
): PushNotification {
  const messages = EMAIL_MESSAGES[language];
  const opened = openerOf(unseal);
  return {
    ...wordsOf(content, messages),
    navigate: addressOf(content, links, opened),
    lang: language,
    dir: "ltr",
    tag,
    silent: false,
  };
}

/** Declarative Web Push, which Safari shows by itself; elsewhere the service worker does. */
export function declarative(notification: PushNotification): string {
  return JSON.stringify({ web_push: 8030, notification });
}

function wordsOf(content: PushContent, messages: EmailMessages): { title: string; body: string } {
  const { push, message, sighting, digest, match, zone } = messages;
  switch (content.kind) {
    case "welcome":
      return {
        title: push.welcome,
        body: content.alert === null ? push.welcomeZone : push.welcomeOwner,
      };
    case "message": {
      const { type, species, name } = content.alert;
      const plain = message.fromStranger[type][species];
      return { title: name === null ? message.title : push.message({ name }), body: plain };
    }
    case "sighting": {
      const { name } = content.alert;
      return { title: sighting.title, body: nameOr(content.alert, name, messages) };
    }
    case "digest":
      return { title: digest.title, body: nameOr(content.alert, content.alert.name, messages) };
    case "match":
      return { title: match.title, body: push.match[content.alert.type] };
    case "zone": {
      const { alert, more, label } = content;
      const area = label === null ? zone.titleOne : `${zone.titleOne}: ${label}`;
      return {
        title: `${headline(alert, messages)} – ${placeText(alert)}`,
        body: more > 0 ? `${area}. ${zone.more({ count: more })}` : area,
      };
    }
  }
}

/** "Lost cat – Mimi". */
function nameOr(alert: PushAlert, name: string | null, messages: EmailMessages): string {
  const kind = headline(alert, messages);
  return name === null ? kind : `${kind} – ${name}`;
}

function headline(alert: PushAlert, messages: EmailMessages): string {
  return capitalize(animalHeadline(messages, alert));
}

function addressOf(
  content: PushContent,
  links: Links,
  opened: (purpose: SealPurpose, sealed: string) => string,
): string {
  switch (content.kind) {
    case "welcome":
      return links.device;
    case "message":
      return links.conversation(opened("conversation", content.sealedToken));
    case "match":
      return links.pair(opened("pair", content.sealedToken));
    case "digest":
      return content.sealedManage === null
        ? links.alert(content.alert.slug)
        : links.manage(opened("manage", content.sealedManage));
    case "sighting":
    case "zone":
      return links.alert(content.alert.slug);
  }
}
