import type { Instance } from "../instance.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { PlanStore } from "./plan-store.ts";

/** What the plan of the first days needs from outside. */
export type Ports = Pick<Instance, "dice" | "secrets"> & {
  readonly store: PlanStore & Pick<LinkStore, "linkTo">;
};
