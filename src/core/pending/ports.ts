import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts, LimitStore } from "../limits.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { ConfirmationStore, RequestStore } from "./request-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { Photos } from "../photos/photo-files.ts";
import type { ZoneStore } from "../zones/zone-store.ts";

/** Ports of the requests that wait for a confirmation. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: RequestStore &
      ConfirmationStore &
      Pick<AlertStore, "alert" | "isShortCodeTaken"> &
      Pick<ConversationStore, "conversationBetween"> &
      Pick<LimitStore, "limitedUntil"> &
      Pick<LinkStore, "linkTo"> &
      Pick<OrganisationStore, "organisations"> &
      Pick<ZoneStore, "zone" | "zonesOf">;
    readonly photos: Photos;
    readonly gazetteer: Gazetteer;
    readonly siteName: string;
    readonly operatorName: string | null;
  };
