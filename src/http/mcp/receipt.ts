import { z } from "zod";
import type { Removed } from "../../core/alerts/publication.ts";
import type { RequestReceipt } from "../../core/pending/request.ts";
import { OFFICIAL_NAME } from "../../core/conversations/sender-name.ts";
import type { FailedPhoto } from "../../core/photos/photos.ts";
import { isoTime } from "../api/alert-json.ts";

export const notesSchema = z.array(z.string()).optional();
/** Object whose members explain themselves: naming them would lengthen the list of tools. */
export const plainObject = z.looseObject({});

/** Schema of the result of a tool that writes. */
export const receiptSchema = z.object({
  status: z.literal("pending_confirmation"),
  sent_to: z.string().describe("Masked"),
  expires_at: z.string(),
  next_step: z.string(),
  area: plainObject.optional(),
  notes: notesSchema,
});

/** The same whatever was sent: the answer tells nobody if a mailbox is known, or full. */
const WHERE_IT_WAITS =
  "If we can email this address right now, the email arrives within a minute. If it has already had emails from us today, open the newest one: its page lists everything that is waiting.";

/** Result of a tool that writes. */
export function receiptToWire(
  receipt: RequestReceipt,
  nextStep: string,
  sentences: readonly string[],
) {
  const { sentTo, expiresAt, removed } = receipt;
  return {
    status: "pending_confirmation",
    sent_to: sentTo,
    expires_at: isoTime(expiresAt),
    next_step: `The request is waiting to be confirmed from ${sentTo}. ${WHERE_IT_WAITS} ${nextStep} The confirmation link works for 48 hours. If no email arrives, check the spam folder, or use the form on our website.`,
    ...notes([...removed.map(removedNote), ...sentences]),
  };
}

/** Sentence about a photo that could not be fetched. */
export function failedPhotoNote({ position, reason }: FailedPhoto): string {
  return `Photo ${position} of photo_urls is left out: ${reason}`;
}

function removedNote({ field, kinds }: Removed): string {
  if (kinds.includes(OFFICIAL_NAME))
    return `The ${field} is not shown: it contains a name that belongs to this site, a shelter or an authority.`;
  return `Removed from ${field}, because contact and payment details must not be public: ${kinds.join(", ")}.`;
}

/** Notes as the first member of a result, where a reader of a long one still sees them. */
export function notes(sentences: readonly string[]): { readonly notes?: readonly string[] } {
  return sentences.length === 0 ? {} : { notes: sentences };
}
