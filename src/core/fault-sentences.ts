import type { PendingKind } from "./caps.ts";
import type { TownChoice } from "../places/geocoder.ts";
import { townLabel } from "../places/place-name.ts";

/** Reason for a fault, from which each adapter makes a sentence in its reader's language. */
export type FaultReason =
  | { readonly reason: PlainFaultReason }
  /** `over`: the limit of a write, for programs. */
  | { readonly reason: "too_often"; readonly minutes: number; readonly over?: WriteLimit | null }
  | {
      readonly reason: "too_often_just_now";
      readonly seconds: number;
      /** Limit of reads in words, "300 a minute", for programs. */
      readonly rate?: string;
    }
  | { readonly reason: "move_closed"; readonly status: string }
  | { readonly reason: "request_too_large"; readonly kib: number }
  | { readonly reason: "photos_too_large" | "photo_too_large"; readonly mb: number }
  | { readonly reason: "photo_too_wide"; readonly megapixels: number }
  | { readonly reason: "zones_full"; readonly max: number };
/** Limit of a write, its rate in words: "5 an hour". */
export type WriteLimit = { readonly kind: PendingKind; readonly rate: string };
export type PlainFaultReason = keyof typeof FAULT_SENTENCES;

/** Reason why a field of the input is invalid. */
export type FieldReason =
  | { readonly kind: PlainFieldReason }
  | { readonly kind: "other_type"; readonly expected: string }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "at_least" | "more_than" | "at_most"; readonly limit: number }
  /** Characters of a text, entries of a list. */
  | { readonly kind: "longest" | "most_entries"; readonly limit: number }
  /** A day, YYYY-MM-DD. */
  | { readonly kind: "too_early"; readonly first: string }
  /** The day the animal was lost, YYYY-MM-DD. */
  | { readonly kind: "before_loss"; readonly day: string }
  /** Places that a text may mean, or whose names are like it. */
  | { readonly kind: "which_town" | "town_like"; readonly choices: readonly TownChoice[] }
  /** Part of a text that names nothing, beside the town that the rest of it names. */
  | {
      readonly kind: "unread_part";
      readonly part: string;
      readonly choices: readonly [TownChoice];
    };
export type PlainFieldReason = keyof typeof FIELD_SENTENCES;

/** English sentence for a reason. */
export function faultInEnglish(why: FaultReason): string {
  switch (why.reason) {
    case "too_often": {
      const many = why.over
        ? `Too many ${WRITES[why.over.kind]}: the limit is ${why.over.rate} for each client.`
        : "Too many requests.";
      return `${many} Try again in ${why.minutes} minute${why.minutes === 1 ? "" : "s"}.`;
    }
    case "too_often_just_now":
      return `${why.rate === undefined ? "Too many requests." : `Too many requests: the limit is ${why.rate} for each client.`} Try again in ${why.seconds} seconds.`;
    case "move_closed":
      return `This is not possible while the alert is ${why.status}.`;
    case "request_too_large":
      return `The request is larger than ${why.kib} KiB.`;
    case "photos_too_large":
      return `The photos are larger than ${why.mb} MB in total. Please choose fewer or smaller ones.`;
    case "photo_too_large":
      return `The photo is larger than ${why.mb} MB.`;
    case "photo_too_wide":
      return `The photo has more than ${why.megapixels} million pixels.`;
    case "zones_full":
      return `This address already watches ${why.max} zones, the maximum. End one of them, then press the button again.`;
    default:
      return FAULT_SENTENCES[why.reason];
  }
}

const WRITES = {
  publish: "publications",
  message: "messages and sightings",
  sighting: "messages and sightings",
  zone: "subscriptions",
} satisfies Record<PendingKind, string>;

/** English predicate for a field's reason, to follow the field's name. */
export function fieldInEnglish(reason: FieldReason): string {
  switch (reason.kind) {
    case "other_type":
      return `must be a ${reason.expected}`;
    case "choice":
      return `must be one of ${reason.options.join(", ")}`;
    case "at_least":
      return `must be at least ${reason.limit}`;
    case "more_than":
      return `must be more than ${reason.limit}`;
    case "at_most":
      return `must be at most ${reason.limit}`;
    case "longest":
      return `must have at most ${reason.limit} characters`;
    case "most_entries":
      return `must have at most ${reason.limit} entries`;
    case "too_early":
      return `must not be before ${reason.first}`;
    case "before_loss":
      return `must not be before ${reason.day}, when the animal was lost`;
    case "which_town":
      return `may mean ${labelsOf(reason.choices)}`;
    case "town_like":
      return `is unknown; perhaps ${labelsOf(reason.choices)}`;
    case "unread_part":
      return `is only partly known: "${reason.part}" is unknown, ${labelsOf(reason.choices)} is known`;
    default:
      return FIELD_SENTENCES[reason.kind];
  }
}

const TOWNS_NAMED_MAX = 5;

function labelsOf(choices: readonly TownChoice[]): string {
  return choices.slice(0, TOWNS_NAMED_MAX).map(townLabel).join("; ");
}

/** English sentences for reasons without parameters. */
export const FAULT_SENTENCES = {
  nothing_here: "There is nothing at this address.",
  other_site: "This form was sent from another site.",
  forms_only: "This address accepts forms only.",
  form_broken: "The form could not be read: it is damaged or incomplete.",

  device_full:
    "This device already follows as many alerts and areas as it can, or too many devices already follow this alert. Please stop one of them first.",

  alert_unknown: "No alert with that id.",
  alert_waiting:
    "This alert is not public yet: it waits for the person who received the confirmation email to open its link and press the button.",
  alert_unconfirmed: "This alert was never published: it was not confirmed by email in time.",
  code_unknown: "No alert with that short code.",
  alert_removed: "This alert was removed.",
  alert_changed: "The alert has just changed. Please reload the page.",
  plan_over: "This step is not part of a plan, or the alert has ended. Please reload the page.",
  alert_ended: "An alert that has ended cannot be edited.",
  not_home_yet: "You can answer this once the animal is home.",
  animal_home: "This animal is home again. Its alert no longer accepts messages.",
  no_owner: "This alert does not accept messages: it has no owner on this server.",

  link_dead: "This link has expired or is incomplete.",
  link_unknown: "This link is unknown. Part of it may be missing.",
  sent_twice: "You have already asked for this email twice, or it is no longer needed.",
  address_fixed: "The address can no longer be changed. Please start again.",
  sender_sightings_full:
    "You have reached the daily limit of sightings of this animal. Please press the button again tomorrow.",
  not_at_large: "This animal is no longer missing. Its alert does not accept sightings.",
  ended_long_ago: "This alert ended long ago. It no longer accepts sightings.",
  sender_messages_full:
    "You have reached the daily limit of messages about this alert. Please press the button again tomorrow.",
  its_alert_removed: "The alert has been removed.",

  conversation_erased: "This conversation has been erased.",
  conversation_closed: "This conversation was closed. No more messages can be sent in it.",
  conversation_over:
    "Your conversation about this alert was closed. You cannot send more messages.",
  nobody_left: "The other person can no longer be reached.",
  enough_for_today: "You have reached the daily limit of messages. Please continue tomorrow.",

  busy: "The server is busy. Please try again in a minute.",

  sign_in: "Please sign in.",
  members_full: "An organisation has at most 50 members. Please remove one first.",
  not_a_member:
    "You are not a member of this organisation. If you were added just now, please sign out and sign in again.",
  managers_only: "Only managers can change the members.",
  own_membership:
    "You cannot change your own membership here. Please ask another manager, or leave from your inbox.",
  last_manager:
    "An organisation needs a manager. Please make somebody else a manager first, or ask the operator of this site to remove you.",
  which_organisation:
    "You are a member of several organisations, and this form does not say for which one it is. Please open the page again and send the form from there.",
  admin_link_spent: "This link has already been used, or it is older than 24 hours.",

  photo_unknown: "No such photo.",
  photo_empty: "The photo file is empty.",
  photo_broken: "The photo cannot be read: the file is damaged or incomplete.",
  photo_heic: "HEIC and AVIF photos are not supported. Please send JPEG, PNG or WebP.",
  photo_type: "This file type is not supported. Please send JPEG, PNG, WebP or GIF.",
  photos_wait:
    "The server is busy with other photos. Please go back and send the form again in a minute.",
  photos_slow: "The photos arrived too slowly. Please send fewer or smaller ones.",
  photos_not_kept: "The server cannot store photos at the moment. Please try again in a minute.",
  photos_no_room: "The server has no room for photos at the moment. Please send this without them.",
};

const FIELD_SENTENCES = {
  missing: "is required",
  empty: "must not be empty",
  not_valid: "is not valid",
  number: "must be a number",
  whole_number: "must be a whole number",
  text: "must be text",
  twice: "is given more than once",
  wordless: "must contain a word",
  slug: "must be lower-case letters, digits and single hyphens, such as happy-paws",
  phone: "must be a telephone number, such as +33 4 78 00 00 00",
  web_page: "must be the address of a web page, such as https://example.org",

  email: "must be an email address, such as name@example.org",
  alert_ref: "must be the UUID, slug, short code or page address of an alert",
  date: "must be a day, such as 2026-11-21, today or yesterday",
  clock: "must be a time of day, such as 13:20",
  time: "must be a date or a timestamp, such as 2026-11-21 or 2026-11-21T07:30:00Z",
  written_time:
    "must be a day or a time by the clocks of the place, such as yesterday, 2026-11-21 evening or 2026-11-21T19:30",
  future: "must not be in the future",
  second_time: "must not be combined with another time",
  chip: "must be a microchip number of 9, 10 or 15 characters",
  country: "must be two letters (ISO 3166-1 alpha-2)",

  half_position: "is required: lat and lng go together",
  no_centre: "requires lat and lng",
  no_place: "requires place",
  cursor: "is not from this search: use its next_cursor unchanged and with the same lat and lng",
  cursor_of_newest: "is from sort=newest: continue with that sort, or start again without a cursor",
  cursor_of_nearest:
    "is from sort=nearest: continue with that sort, or start again without a cursor",
  unknown_town: "is unknown: try the nearest larger town",

  found_only: "is for found animals only",
  photo_gone: "must be chosen again: one is no longer available",
};
