import { capitalize } from "../../../messages/locale.ts";
import { type Fault, faultSentence, type FieldReason } from "../../../core/fault.ts";
import { sayOf } from "../../../messages/compile.ts";
import { ERROR_MESSAGES, type PageMessages } from "../../../messages/messages.ts";
import { townName } from "../components/town-name.ts";

/** Sentence for an error: for its reason or, without one, for its code. */
export function faultMessage(
  { pageLanguage }: PageMessages,
  { code, why }: Pick<Fault, "code" | "why">,
): string {
  const errors = ERROR_MESSAGES[pageLanguage];
  return why === null ? errors.general[code] : faultSentence(errors, why);
}

/** Label and message: "Colour: please fill this in". A question gets no colon: "Which animal? Please fill this in". */
export function fieldMessage(t: PageMessages, label: string, reason: FieldReason): string {
  const said = fieldReasonMessage(t, reason);
  return label.endsWith("?")
    ? `${label} ${capitalize(said)}`
    : t.named({ headline: label, name: said });
}

function fieldReasonMessage(t: PageMessages, reason: FieldReason): string {
  const { field } = ERROR_MESSAGES[t.pageLanguage];
  const message = field[reason.kind === "before_loss" ? "too_early" : reason.kind];
  const towns = "choices" in reason ? reason.choices.map((town) => townName(t, town)) : [];
  return sayOf(message, {
    ...reason,
    ...("day" in reason ? { day: t.day(reason.day) } : {}),
    town: towns[0],
    towns: t.or(towns),
  });
}
