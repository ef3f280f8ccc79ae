import type { Messages } from "../messages/messages.ts";

/** Attributes for the script `draft`, which keeps a form on the device under a name until it has arrived. */
export function draftAttributes(name: string, { publish: { draft } }: Messages) {
  return {
    "data-draft": name,
    "data-restored": draft.restored,
    "data-forget": draft.forget,
    "data-sending": draft.sending,
    "data-offline": draft.offline,
    "data-busy": draft.busy,
    "data-failed": draft.failed,
  } as const;
}
