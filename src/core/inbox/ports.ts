import type { AlertStore } from "../alerts/alert-store.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { InboxStore } from "./inbox-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { Photos } from "../photos/photo-files.ts";

/** Ports of the inboxes of organisations. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: InboxStore &
      Pick<AlertStore, "alert"> &
      Pick<ConversationStore, "conversation" | "messages" | "addReply"> &
      LinkStore &
      Pick<OrganisationStore, "members" | "organisation">;
    readonly photos: Photos;
  };
