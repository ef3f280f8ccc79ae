/** Why something did not work, so that each door can tell it in its reader's language. */
export type FaultReason =
  | { readonly reason: PlainFaultReason }
  | { readonly reason: "too_often"; readonly minutes: number }
  | { readonly reason: "too_often_just_now"; readonly seconds: number }
  | { readonly reason: "move_closed"; readonly status: string }
  | { readonly reason: "request_too_large"; readonly kib: number }
  | { readonly reason: "photos_too_large" | "photo_too_large"; readonly mb: number }
  | { readonly reason: "photo_too_wide"; readonly megapixels: number };
export type PlainFaultReason = keyof typeof FAULT_SENTENCES;

/** What is wrong with one field of the input. */
export type FieldReason =
  | { readonly kind: PlainFieldReason }
  | { readonly kind: "other_type"; readonly expected: string }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "at_least" | "more_than" | "at_most"; readonly limit: number }
  /** Characters of a text, entries of a list. */
  | { readonly kind: "longest" | "most_entries"; readonly limit: number }
  /** A day, YYYY-MM-DD. */
  | { readonly kind: "too_early"; readonly first: string }
  /** Towns as the reader's language lists them. */
  | { readonly kind: "town_like"; readonly towns: string };
export type PlainFieldReason = keyof typeof FIELD_SENTENCES;

/** The reason as programs and assistants read it. */
export function faultInEnglish(why: FaultReason): string {
  switch (why.reason) {
    case "too_often":
      return `That was too often for now. Try again in ${why.minutes} minute${why.minutes === 1 ? "" : "s"}.`;
    case "too_often_just_now":
      return `That was too often for now. Try again in ${why.seconds} seconds.`;
    case "move_closed":
      return `This alert is ${why.status}; that step is not open to it.`;
    case "request_too_large":
      return `A request may hold ${why.kib} KiB at most.`;
    case "photos_too_large":
      return `The photos are too large together: ${why.mb} MB at most. Please choose fewer or smaller ones.`;
    case "photo_too_large":
      return `The picture file is larger than ${why.mb} MB.`;
    case "photo_too_wide":
      return `The picture has more than ${why.megapixels} million pixels.`;
    default:
      return FAULT_SENTENCES[why.reason];
  }
}

/** The same for a field; the sentence goes on after the field's name. */
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
    case "town_like":
      return `is not known; perhaps ${reason.towns}`;
    default:
      return FIELD_SENTENCES[reason.kind];
  }
}

/** The reasons that say all by themselves. */
export const FAULT_SENTENCES = {
  nothing_here: "There is nothing at this address.",
  other_site: "This form was sent from another site.",
  forms_only: "This address takes forms only.",
  form_broken: "This form is broken and could not be read.",

  alert_unknown: "There is no alert by that name.",
  code_unknown: "There is no alert with that short code.",
  alert_removed: "This alert was removed.",
  alert_changed: "The alert changed a moment ago. Please look at it again.",
  alert_ended: "An alert that has ended cannot be changed.",
  not_home_yet: "This can be told once the animal is home.",
  animal_home: "This animal is home again; its alert takes no more messages.",
  no_owner: "Nobody can be written to about this alert: it has no owner on this server.",

  link_dead: "This link opens nothing any more, or a part of it was cut off.",
  link_unknown: "This link is not known here. Perhaps a part of it was cut off.",
  sent_twice: "This email was sent twice already, or is needed no more.",
  address_fixed: "The address cannot be changed any more. Please ask anew.",
  sightings_full:
    "This alert has had its share of sightings for today. Please press again tomorrow.",
  not_at_large: "Nobody needs to look for this animal any more; its alert takes no sightings.",
  ended_long_ago: "This alert ended long ago; it takes no more sightings.",
  messages_full: "This alert has had its share of messages for today. Please press again tomorrow.",
  its_alert_removed: "The alert this was for has been removed.",

  conversation_erased: "This conversation has been erased.",
  conversation_closed: "This conversation was closed: nobody can write in it any more.",
  conversation_over:
    "Your conversation about this alert was closed: no more messages reach its other side.",
  nobody_left: "Nobody is left on the other side of this conversation.",
  enough_for_today: "That is enough for one day. Please go on tomorrow.",

  sign_in: "Please sign in.",
  admin_link_spent: "This link was used before, or its 30 minutes are over.",

  photo_unknown: "There is no such photo.",
  photo_empty: "The picture file is empty.",
  photo_broken: "The picture cannot be read: the file is damaged or incomplete.",
  photo_heic:
    "HEIC and AVIF pictures are not read here: please send the picture as JPEG, PNG or WebP.",
  photo_type: "This is not a picture that is read here: please send JPEG, PNG, WebP or GIF.",
  photos_wait: "Too many pictures wait just now. Please try again shortly.",
  photos_not_kept:
    "The server cannot keep pictures on its disk just now. Please try again in a minute.",
};

const FIELD_SENTENCES = {
  missing: "is missing",
  empty: "must not be empty",
  not_valid: "is not valid",
  number: "must be a number",
  whole_number: "must be a whole number",
  text: "must be text",
  twice: "is given more than once",
  wordless: "must hold a word",

  email: "must be one e-mail address, such as name@example.org",
  alert_ref: "must be the UUID, slug, short code or page address of an alert",
  date: "must be a date, such as 2026-11-21",
  time: "must be a date or a timestamp, such as 2026-11-21 or 2026-11-21T07:30:00Z",
  future: "must not lie in the future",
  second_time: "cannot be given beside seenAt",
  chip: "must be a microchip number of 9, 10 or 15 characters",
  country: "must be two letters (ISO 3166-1 alpha-2)",

  half_position: "is missing: lat and lng come together",
  no_centre: "needs a centre: give lat and lng too",
  unknown_town: "is not known: try the nearest larger town",

  found_only: "is for found animals only",
  photo_gone: "must be chosen again: one is not here any more",
};
