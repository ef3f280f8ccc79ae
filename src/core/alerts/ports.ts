import type { NamedAlertStore } from "./directory.ts";
import type { Gazetteer } from "../../places/town.ts";
import type { AlertIndex } from "../../search/indexes.ts";
import type { AlertStore } from "./alert-store.ts";
import type { Instance } from "../instance.ts";

/** What the directory of alerts needs from outside. */
export type Ports = Instance & {
  readonly store: AlertStore & NamedAlertStore;
  readonly alertIndex: AlertIndex;
  readonly gazetteer: Gazetteer;
};
