import type { Ports as ConversationPorts } from "../conversations/ports.ts";
import type { InboxStore } from "./inbox-store.ts";
import type { LimitPorts } from "../limits.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { LinkStore } from "../people/link-store.ts";

/** Ports of the inboxes of organisations. */
export type Ports = ConversationPorts &
  LimitPorts & {
    readonly store: InboxStore & LinkStore & Pick<OrganisationStore, "members" | "organisation">;
  };
