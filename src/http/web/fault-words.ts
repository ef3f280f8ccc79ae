import type {
  FaultReason,
  FieldReason,
  PlainFaultReason,
  PlainFieldReason,
} from "../../core/fault-reason.ts";
import type { Fault } from "../../core/fault.ts";
import type { Words } from "./words/words.ts";

/** What a language says to each reason. Programs that ask too much are told the measure; people need not know it. */
export type FaultSentences = Readonly<
  Record<PlainFaultReason | "move_closed" | "request_too_large", string> &
    Record<
      | "too_often"
      | "too_often_just_now"
      | "photos_too_large"
      | "photo_too_large"
      | "photo_too_wide",
      (count: number) => string
    >
>;
/** The same for a field. A sentence stands after the field's label and a colon, and is no part of the label's sentence. */
export type FieldSentences = Readonly<
  Record<PlainFieldReason | "other_type" | "choice", string> &
    Record<
      "at_least" | "more_than" | "at_most" | "longest" | "most_entries",
      (limit: number) => string
    > &
    Record<"too_early" | "town_like", (said: string) => string>
>;

/** Why something did not work, in a whole sentence; what its code says in general where there is no reason. */
export function faultInWords({ fault }: Words, { code, why }: Pick<Fault, "code" | "why">): string {
  return why === null ? fault.general[code] : reasonInWords(fault.because, why);
}

function reasonInWords(because: FaultSentences, why: FaultReason): string {
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
    default:
      return because[why.reason];
  }
}

/** "Colour: this is still empty". After a question there is no colon: "Which animal? This is still empty". */
export function fieldInWords(words: Words, label: string, reason: FieldReason): string {
  const said = fieldReasonInWords(words, reason);
  return label.endsWith("?") ? `${label} ${capitalised(said)}` : words.trouble.entry(label, said);
}

function fieldReasonInWords({ fieldFault, day }: Words, reason: FieldReason): string {
  switch (reason.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "longest":
    case "most_entries":
      return fieldFault[reason.kind](reason.limit);
    case "too_early":
      return fieldFault.too_early(day(reason.first));
    case "town_like":
      return fieldFault.town_like(reason.towns);
    default:
      return fieldFault[reason.kind];
  }
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
