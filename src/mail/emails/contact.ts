import type { EmailMessages } from "../../messages/messages.ts";
import type { EmailSighting, SightingEmail } from "../../core/sightings/sighting.ts";
import type { MessageEmail } from "../../core/conversations/reply.ts";
import type { OwnerDigestEmail } from "../../core/conversations/owner-digest.ts";
import type { ReplyRefusalEmail } from "../../core/conversations/emailed-reply.ts";
import type { EmailAlert } from "../../core/alerts/email-alert.ts";
import { MESSAGE_TEXT_MAX } from "../../core/conversations/conversation.ts";
import { placeText } from "../../places/places.ts";
import type { Part } from "./layout.tsx";
import {
  address,
  alertEntry,
  button,
  type Draft,
  type EmailContext,
  link,
  quote,
  removedNote,
  strong,
  subjectAbout,
  text,
} from "./draft.ts";

export function messageDraft(content: MessageEmail, context: EmailContext): Draft {
  const { alert } = content;
  const { messages, links } = context;
  const { message } = messages;
  const conversation = links.conversation(context.unseal("conversation", content.sealedToken));
  const reader = content.from === "stranger" ? "owner" : "stranger";
  const replyTo = context.site.replyAddress?.(content.conversationId, reader) ?? null;
  return {
    subject: subjectAbout(message.title, alert, messages),
    title: message.title,
    parts: [
      text(openingOf(content, messages)),
      strong(introduction(content.name, messages)),
      quote(content.text, messages),
      withPhotos(content.photos, message.photos),
      removedNote([content.text], messages),
      button(message.button, conversation),
      text(replyTo === null ? message.hidden : message.hiddenReply),
      inboxOf(content.organisation, context),
      strong(message.beware),
      text(message.alert),
      alertEntry(alert, context),
    ],
    link: conversation,
    replyTo,
  };
}

function openingOf(
  { alert, from, isFromShelter }: MessageEmail,
  { message }: EmailMessages,
): string {
  if (isFromShelter) return message.fromShelter[alert.species];
  const opening = from === "stranger" ? message.fromStranger : message.fromOwner;
  return opening[alert.type][alert.species];
}

/** To a side whose reply by email was not passed on. Contains no text of the reply, which may be somebody else's. */
export function replyRefusalDraft(content: ReplyRefusalEmail, context: EmailContext): Draft {
  const { alert } = content;
  const { messages, links } = context;
  const { replyRefusal } = messages;
  const conversation = links.conversation(context.unseal("conversation", content.sealedToken));
  return {
    subject: subjectAbout(replyRefusal.title, alert, messages),
    title: replyRefusal.title,
    parts: [
      text(
        content.why === "unverified"
          ? replyRefusal.unverified
          : replyRefusal.unsuitable({ max: MESSAGE_TEXT_MAX }),
      ),
      text(replyRefusal.next),
      button(replyRefusal.button, conversation),
      text(messages.message.alert),
      alertEntry(alert, context),
    ],
    link: conversation,
  };
}

export function sightingDraft(content: SightingEmail, context: EmailContext): Draft {
  const { alert, note } = content;
  const { messages, links } = context;
  const { sighting } = messages;
  const page = links.alert(alert.slug);
  return {
    subject: subjectAbout(sighting.subject, alert, messages),
    title: sighting.title,
    parts: [
      text(sighting.opening),
      strong(seen(content, alert, messages)),
      ...(note === null ? [] : [text(sighting.adds), quote(note, messages)]),
      photosOf(content, context),
      text(sighting.unproven),
      button(sighting.button, page),
      strong(messages.beware),
      alertEntry(alert, context),
    ],
    link: page,
  };
}

/** Digest of messages and sightings for the owner. */
export function digestDraft(content: OwnerDigestEmail, context: EmailContext): Draft {
  const { alert, conversations, moreConversations, sightings, moreSightings } = content;
  const { messages, links, unseal } = context;
  const { digest, message } = messages;
  const page =
    content.sealedManage === null
      ? links.alert(alert.slug)
      : links.manage(unseal("manage", content.sealedManage));
  const texts = [...conversations.map((one) => one.text), ...sightings.map(({ note }) => note)];
  return {
    subject: subjectAbout(digest.title, alert, messages),
    title: digest.title,
    parts: [
      text(digest.opening),
      ...conversations.flatMap((one) => [
        strong(introduction(one.name, messages)),
        quote(one.text, messages),
        withPhotos(one.photos, message.photos),
        one.messages > 1 ? text(digest.moreOfOne({ count: one.messages - 1 })) : null,
        link(message.button, links.conversation(unseal("conversation", one.sealedToken))),
      ]),
      moreConversations === 0
        ? null
        : strong(digest.moreConversations({ count: moreConversations })),
      ...sightings.flatMap((one) => [
        strong(seen(one, alert, messages)),
        one.note === null ? null : quote(one.note, messages),
        withPhotos(one.photos.length, messages.sighting.photos),
      ]),
      moreSightings === 0 ? null : strong(digest.moreSightings({ count: moreSightings })),
      removedNote(
        texts.filter((one) => one !== null),
        messages,
      ),
      button(content.sealedManage === null ? digest.buttonAlert : digest.button, page),
      text(message.hidden),
      inboxOf(content.organisation, context),
      strong(message.beware),
      text(message.alert),
      alertEntry(alert, context),
    ],
    link: page,
  };
}

/** Address of the inbox in which the members of an organisation answer together; null for a private person. */
function inboxOf(organisation: string | null, { messages, links }: EmailContext): Part | null {
  return organisation === null
    ? null
    : address(messages.message.inbox, links.inboxOf(organisation));
}

/** Public photos of a sighting. */
function photosOf({ photos }: EmailSighting, { messages, links }: EmailContext): Part | null {
  if (photos.length === 0) return null;
  return {
    kind: "photos",
    photos: photos.map((name, at) => ({
      alt: messages.sighting.photo({ count: at + 1 }),
      thumbnail: links.thumbnail(name),
      url: links.photo(name),
    })),
  };
}

/** "With 2 photos." */
function withPhotos(count: number, sentence: (text: { count: number }) => string): Part | null {
  return count === 0 ? null : text(sentence({ count }));
}

/** "Claire writes:" */
function introduction(name: string | null, { message }: EmailMessages): string {
  return name === null ? message.unnamed : message.writes({ name });
}

function seen(
  { city, district, distanceKm, seenAt, seenOn }: EmailSighting,
  { timeZone }: EmailAlert,
  messages: EmailMessages,
): string {
  const { sighting } = messages;
  const moment = seenOn === null ? messages.moment(seenAt, timeZone) : messages.dayPart(seenOn);
  const where = { town: placeText({ city, district }), moment };
  return distanceKm === null
    ? sighting.seen(where)
    : sighting.seenNear({ ...where, km: distanceKm });
}
