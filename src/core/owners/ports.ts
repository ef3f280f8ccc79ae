import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { OwnerNewsStore } from "../conversations/conversation-store.ts";
import type { HelpPlace } from "../help.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { PairStore } from "../matches/pair-store.ts";
import type { OutcomeStore } from "../outcomes/outcome.ts";
import type { OwnerStore } from "./owner-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { SuppressionStore } from "../people/suppression.ts";
import type { PlanStore } from "../plan/plan-store.ts";
import type { SightingStore } from "../sightings/sighting.ts";

/** Ports of the owners' actions by manage link. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: OwnerStore &
      LinkStore &
      Pick<AlertStore, "alert" | "removeAlert" | "changeStatus" | "editAlert"> &
      Pick<OutcomeStore, "hasOutcome" | "addOutcome"> &
      Pick<PlanStore, "donePlanSteps" | "markPlanStep"> &
      Pick<PairStore, "chipPairs"> &
      Pick<SuppressionStore, "suppression" | "liftSuppression"> &
      Pick<OwnerNewsStore, "conversationsAbout"> &
      Pick<SightingStore, "removeSighting">;
    readonly gazetteer: Gazetteer;
    /** People to call, by the operator's list. */
    readonly help: readonly HelpPlace[];
  };
