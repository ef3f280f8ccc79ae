import { FAULT_SENTENCES, faultInEnglish } from "../../../../core/fault-sentences.ts";
import type { FaultCode } from "../../../../core/fault.ts";
import type { FaultMessages, FieldMessages } from "../../form/fault-messages.ts";

/** Error messages. */
export const faults = {
  trouble: {
    heading: "Please correct the following",
  },
  fieldFault: {
    missing: "please fill this in",
    empty: "please fill this in",
    not_valid: "please check this",
    other_type: "please check this",
    number: "please enter a number",
    whole_number: "please enter a whole number",
    text: "please enter text only",
    twice: "this was sent more than once",
    wordless: "please enter at least one word",
    choice: "please choose one of the options",

    email: "please enter one email address, such as name@example.org",
    alert_ref: "this is not an alert",
    date: "please enter a date, such as 2026-11-21",
    time: "please enter a date, such as 2026-11-21",
    future: "this date is in the future",
    second_time: "please enter only one time",
    too_early: (day) => `please choose ${day} or later`,
    chip: "a microchip number has 9, 10 or 15 characters",
    country: "please enter two letters, such as FR",

    half_position: "please choose the place again",
    no_centre: "please enter a place as well",
    cursor: "please start the search again: this page belongs to another one",
    cursor_of_newest: "please start the search again: this page belongs to another one",
    cursor_of_nearest: "please start the search again: this page belongs to another one",
    unknown_town: "we couldn’t find this town; try the nearest larger one",
    town_like: (towns) => `we couldn’t find this town; did you mean ${towns}`,

    found_only: "this applies only to found animals",
    lost_cats_only: "this applies only to lost cats",
    photo_gone: "one photo is no longer available; please choose it again",
    at_least: (limit) => `please enter at least ${limit}`,
    more_than: (limit) => `please enter more than ${limit}`,
    at_most: (limit) => `no more than ${limit}, please`,
    longest: (limit) => `no more than ${limit} characters, please`,
    most_entries: (limit) => `no more than ${limit}, please`,
  } satisfies FieldMessages,
  fault: {
    title: {
      bad_input: "That did not work",
      forbidden: "This is not allowed",
      not_found: "Page not found",
      bad_method: "This page can’t be used like that",
      not_acceptable: "This page can’t be used like that",
      conflict: "That isn’t possible right now",
      gone: "This alert has been removed",
      too_large: "That was too large",
      bad_type: "This page can’t be used like that",
      too_many: "Please wait a moment",
      unavailable: "We will be back soon",
    } satisfies Record<FaultCode, string>,
    general: {
      bad_input: "We couldn’t understand part of it. Please go back and check it.",
      forbidden: "You can’t do this from here.",
      not_found: "The link may be incomplete, or the page may have been removed.",
      bad_method: "Please go back and try again from the page.",
      not_acceptable: "Please go back and try again from the page.",
      conflict: "Something has changed in the meantime. Please reload the page.",
      gone: "This page has been removed.",
      too_large: "That is more than we can accept at once.",
      bad_type: "Please go back and try again from the page.",
      too_many: "Too many requests in a short time. Please try again later.",
      unavailable: "Please try again in a few minutes.",
    } satisfies Record<FaultCode, string>,
    because: {
      ...FAULT_SENTENCES,
      alert_removed: "This alert was removed by its owner or by us.",
      code_unknown: "No alert has this short code. Please check it for typing errors.",
      alert_unknown: "We couldn’t find this alert. Part of the link may be missing.",
      alert_waiting:
        "This alert isn’t public yet. It appears here once its publisher opens the link in our email and presses the button.",
      forms_only: "Please go back and try again from the page.",
      move_closed: "This isn’t possible while the alert is in its current state.",
      address_fixed: "The address can no longer be changed. Please send the form again instead.",
      photo_empty: "One of the photos is an empty file. Please choose another one.",
      photo_broken: "One of the photos can’t be read: the file is damaged or incomplete.",
      photo_heic: "We can’t read HEIC or AVIF photos. Please send JPEG, PNG or WebP.",
      photo_type: "One of the files isn’t a photo we can read. Please send JPEG, PNG, WebP or GIF.",
      photos_wait:
        "We are receiving many photos right now. Please go back and send the form again in a minute: your browser still has what you typed.",
      photos_slow:
        "The photos arrived too slowly. Please go back and send fewer or smaller ones, or publish without photos and add them later.",
      photos_not_kept: "We can’t store photos right now. Please try again in a minute.",
      photos_too_large: (mb) => faultInEnglish({ reason: "photos_too_large", mb }),
      photo_too_large: (mb) => `One of the photos is larger than ${mb} MB.`,
      photo_too_wide: (megapixels) =>
        `One of the photos has more than ${megapixels} million pixels.`,
      request_too_large: "That is more than we can accept at once.",
      zones_full: (max) =>
        `You already get alerts for ${max} areas, which is the maximum. Stop one of them, then confirm again.`,
      too_often: (minutes) => faultInEnglish({ reason: "too_often", minutes }),
      too_often_just_now: (seconds) => faultInEnglish({ reason: "too_often_just_now", seconds }),
    } satisfies FaultMessages,
    bugTitle: "Something went wrong",
    bugText: (request: string) =>
      `It’s our fault, not yours. We have logged it as ${request}. Please try again later.`,
    home: "See the newest alerts",
  },
};
