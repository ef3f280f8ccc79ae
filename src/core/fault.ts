import { type ErrorMessages, ERROR_MESSAGES, PROGRAM_MESSAGES } from "../messages/messages.ts";
import { sayOf } from "../messages/compile.ts";
import { type TownChoice, townLabel } from "../places/places.ts";
import type { PendingKind } from "./caps.ts";

/** Error codes for callers. Each adapter maps them to its protocol's status. */
export type FaultCode =
  | "bad_input"
  | "forbidden"
  | "not_found"
  | "bad_method"
  | "not_acceptable"
  | "conflict"
  | "gone"
  | "too_large"
  | "bad_type"
  | "too_many"
  | "unavailable";

/** Invalid field of the input; the message is its reason in English, to follow the field's name. */
export type FieldFault = {
  readonly field: string;
  readonly reason: FieldReason;
  readonly message: string;
};

/**
 * Expected error, the only one whose message a caller may see. Any other error is a bug: logged in full, and shown as an
 * internal error. A reason is translated for people; for a fault with a mere English sentence they see a general message
 * for the code. `fields` is set for `bad_input` only, `retryAfterSeconds` for `too_many` and `unavailable` only.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** Null for an English sentence, and for `bad_input`. */
  readonly why: FaultReason | null;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;

  constructor(
    code: FaultCode,
    why: FaultReason | string,
    more: { fields?: readonly FieldFault[]; retryAfterSeconds?: number } = {},
  ) {
    super(typeof why === "string" ? why : faultInEnglish(why));
    this.code = code;
    this.why = typeof why === "string" ? null : why;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

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
export type PlainFaultReason = Exclude<
  PlainKey<ErrorMessages["because"]>,
  "move_closed" | "request_too_large"
>;

/** Reason why a field of the input is invalid. */
export type FieldReason =
  | { readonly kind: PlainFieldReason }
  | { readonly kind: "other_type"; readonly expected: string }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "at_least" | "more_than" | "at_most"; readonly limit: number }
  /** Characters of a text, entries of a list. */
  | { readonly kind: "longest" | "most_entries"; readonly limit: number }
  /** The first day allowed, YYYY-MM-DD; `before_loss`: the day the animal was lost. */
  | { readonly kind: "too_early" | "before_loss"; readonly day: string }
  /** Places that a text may mean, or whose names are like it. */
  | { readonly kind: "which_town" | "town_like"; readonly choices: readonly TownChoice[] }
  /** Part of a text that names nothing, beside the town that the rest of it names. */
  | {
      readonly kind: "unread_part";
      readonly part: string;
      readonly choices: readonly [TownChoice];
    };
export type PlainFieldReason = Exclude<
  PlainKey<(typeof PROGRAM_MESSAGES)["field"]>,
  "other_type" | "choice" | "which_town"
>;

/** Keys of texts without arguments. */
type PlainKey<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? Key : never;
}[keyof Texts];

/** English sentence for programs. */
function faultInEnglish(why: FaultReason): string {
  const { because, tooOften, tooOftenJustNow, writes } = PROGRAM_MESSAGES;
  if (why.reason === "too_often" && why.over)
    return tooOften({ ...why, ...why.over, writes: writes[why.over.kind] });
  if (why.reason === "too_often_just_now" && why.rate !== undefined)
    return tooOftenJustNow({ ...why, rate: why.rate });
  const sentences = { ...ERROR_MESSAGES.en.because, ...because };
  return sayOf(sentences[why.reason], why);
}

/** Sentence for people. */
export function faultSentence({ because }: ErrorMessages, why: FaultReason): string {
  return sayOf(because[why.reason], why);
}

const TOWNS_NAMED_MAX = 5;

/** English predicate for a field's reason, to follow the field's name. */
export function fieldInEnglish(reason: FieldReason): string {
  const options = "options" in reason ? reason.options.join(", ") : "";
  const choices = "choices" in reason ? reason.choices.slice(0, TOWNS_NAMED_MAX) : [];
  const towns = choices.map(townLabel).join("; ");
  return sayOf(PROGRAM_MESSAGES.field[reason.kind], { ...reason, options, towns });
}
