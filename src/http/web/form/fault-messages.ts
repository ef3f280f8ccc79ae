import type {
  FaultReason,
  FieldReason,
  PlainFaultReason,
  PlainFieldReason,
} from "../../../core/fault-sentences.ts";
import type { Fault } from "../../../core/fault.ts";
import { capitalize } from "../../../core/locale.ts";
import type { Messages } from "../messages/messages.ts";

/** Message for each reason in one language. API clients also get the limits; people do not need them. */
export type FaultMessages = Readonly<
  Record<PlainFaultReason | "move_closed" | "request_too_large", string> &
    Record<
      | "too_often"
      | "too_often_just_now"
      | "photos_too_large"
      | "photo_too_large"
      | "photo_too_wide"
      | "zones_full",
      (count: number) => string
    >
>;
/** Message for each reason about a field. It follows the field's label and a colon. */
export type FieldMessages = Readonly<
  Record<PlainFieldReason | "other_type" | "choice", string> &
    Record<
      "at_least" | "more_than" | "at_most" | "longest" | "most_entries",
      (limit: number) => string
    > &
    Record<"too_early" | "town_like", (said: string) => string>
>;

/** Sentence for an error: for its reason or, without one, for its code. */
export function faultMessage(
  { fault }: Messages,
  { code, why }: Pick<Fault, "code" | "why">,
): string {
  return why === null ? fault.general[code] : reasonMessage(fault.because, why);
}

function reasonMessage(because: FaultMessages, why: FaultReason): string {
  switch (why.reason) {
    case "too_often":
      return because.too_often(why.minutes);
    case "too_often_just_now":
      return because.too_often_just_now(why.seconds);
    case "photos_too_large":
    case "photo_too_large":
      return because[why.reason](why.mb);
    case "photo_too_wide":
      return because.photo_too_wide(why.megapixels);
    case "zones_full":
      return because.zones_full(why.max);
    default:
      return because[why.reason];
  }
}

/** Label and message: "Colour: please fill this in". A question gets no colon: "Which animal? Please fill this in". */
export function fieldMessage(t: Messages, label: string, reason: FieldReason): string {
  const said = fieldReasonMessage(t, reason);
  return label.endsWith("?") ? `${label} ${capitalize(said)}` : t.named(label, said);
}

function fieldReasonMessage({ fieldFault, day }: Messages, reason: FieldReason): string {
  switch (reason.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "longest":
    case "most_entries":
      return fieldFault[reason.kind](reason.limit);
    case "too_early":
      return fieldFault.too_early(day(reason.first));
    case "before_loss":
      return fieldFault.too_early(day(reason.day));
    case "town_like":
      return fieldFault.town_like(reason.towns);
    default:
      return fieldFault[reason.kind];
  }
}
