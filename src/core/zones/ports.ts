import type { Gazetteer } from "../../places/places.ts";
import type { ZoneIndex } from "../../search/search.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { PairStore } from "../matches/pair-store.ts";
import type { PlanStore } from "../plan/plan-store.ts";
import type { ZoneNewsStore, ZoneStore } from "./zone-store.ts";

/** Ports of zones. */
export type Ports = Instance & {
  readonly store: ZoneStore &
    ZoneNewsStore &
    Pick<AlertStore, "alert" | "muteReminders"> &
    Pick<PairStore, "muteMatches" | "muteMatchesOfOwner"> &
    Pick<PlanStore, "mutePlanEmails" | "mutePlanEmailsOfOwner"> &
    Pick<LinkStore, "link" | "linkTo" | "linksTo">;
  readonly zoneIndex: ZoneIndex;
  readonly gazetteer: Gazetteer;
};
