import type { Messages } from "../messages/messages.ts";

/** Attributes of a form that the script `draft` keeps on the device under a name until it has arrived, and sends. */
export function draftAttributes(name: string, { publish: { draft } }: Messages) {
  return {
    "data-draft": name,
    "data-restored": draft.restored,
    "data-forget": draft.forget,
    "data-sending": draft.sending,
    "data-offline": draft.offline,
    "data-busy": draft.busy,
  } as const;
}
