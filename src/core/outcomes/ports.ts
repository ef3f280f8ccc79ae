import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { OutcomeStore } from "./outcome-store.ts";

/** What how animals came home needs from outside. */
export type Ports = Pick<Instance, "clock" | "links"> & {
  readonly store: OutcomeStore & Pick<AlertStore, "resolvedAlerts" | "resolvedCount">;
};
