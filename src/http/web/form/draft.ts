import type { PageMessages } from "../../../messages/messages.ts";

/**
 * Attributes for the script `draft`, which keeps a form on the device under a name until it has arrived; the private fields
 * in its tab only, until the form was sent in vain.
 */
export function draftAttributes(
  name: string,
  privateFields: readonly string[],
  { publish: { draft } }: PageMessages,
) {
  return {
    "data-draft": name,
    "data-private": privateFields.join(" "),
    "data-restored": draft.restored,
    "data-forget": draft.forget,
    "data-sending": draft.sending,
    "data-offline": draft.offline,
    "data-busy": draft.busy,
    "data-failed": draft.failed,
  } as const;
}
