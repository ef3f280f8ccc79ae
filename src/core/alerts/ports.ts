import type { Gazetteer } from "../../places/places.ts";
import type { AlertIndex } from "../../search/search.ts";
import type { AlertStore, NamedAlertStore } from "./alert-store.ts";
import type { Instance } from "../instance.ts";

/** Ports of the directory of alerts. */
export type Ports = Instance & {
  readonly store: AlertStore & NamedAlertStore;
  readonly alertIndex: AlertIndex;
  readonly gazetteer: Gazetteer;
};
