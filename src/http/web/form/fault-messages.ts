import type { FaultReason, FieldReason } from "../../../core/fault-sentences.ts";
import type { Fault } from "../../../core/fault.ts";
import { capitalize } from "../../../core/locale.ts";
import { townName } from "../components/town-name.ts";
import type { Messages } from "../messages/messages.ts";

type FaultMessages = Messages["fault"]["because"];

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
      return because.too_often(why);
    case "too_often_just_now":
      return because.too_often_just_now(why);
    case "photos_too_large":
    case "photo_too_large":
      return because[why.reason](why);
    case "photo_too_wide":
      return because.photo_too_wide(why);
    case "zones_full":
      return because.zones_full(why);
    default:
      return because[why.reason];
  }
}

/** Label and message: "Colour: please fill this in". A question gets no colon: "Which animal? Please fill this in". */
export function fieldMessage(t: Messages, label: string, reason: FieldReason): string {
  const said = fieldReasonMessage(t, reason);
  return label.endsWith("?")
    ? `${label} ${capitalize(said)}`
    : t.named({ headline: label, name: said });
}

function fieldReasonMessage(t: Messages, reason: FieldReason): string {
  const { fieldFault, day } = t;
  switch (reason.kind) {
    case "at_least":
    case "more_than":
    case "at_most":
    case "longest":
    case "most_entries":
      return fieldFault[reason.kind]({ limit: reason.limit });
    case "too_early":
      return fieldFault.too_early({ day: day(reason.first) });
    case "before_loss":
      return fieldFault.too_early({ day: day(reason.day) });
    case "which_town":
      return fieldFault.which_town;
    case "town_like":
      return fieldFault.town_like({
        towns: t.or(reason.choices.map((town) => townName(t, town))),
      });
    case "unread_part":
      return fieldFault.unread_part({ part: reason.part, town: townName(t, reason.choices[0]) });
    default:
      return fieldFault[reason.kind];
  }
}
