import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { ConversationStore, OwnerNewsStore } from "./conversation-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts, LimitStore } from "../limits.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { Photos } from "../photos/photo-files.ts";

/** Ports of conversations. */
export type Ports = Instance &
  Pick<LimitPorts, "onRateLimited"> & {
    readonly store: ConversationStore &
      OwnerNewsStore &
      Pick<AlertStore, "alert"> &
      Pick<LinkStore, "link" | "linkTo"> &
      Pick<OrganisationStore, "organisations"> &
      Pick<LimitStore, "countHits">;
    readonly photos: Photos;
    readonly gazetteer: Gazetteer;
    /** Names of the site and of its operator, null if nobody is named. */
    readonly siteName: string;
    readonly operatorName: string | null;
  };
