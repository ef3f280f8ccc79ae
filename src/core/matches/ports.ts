import type { Gazetteer } from "../../places/places.ts";
import type { AlertIndex } from "../../search/search.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { PairStore } from "./pair-store.ts";
import type { LinkStore } from "../people/link-store.ts";

/** Ports of matches. */
export type Ports = Instance & {
  readonly store: PairStore &
    Pick<AlertStore, "alert" | "alertsByKeys"> &
    Pick<LinkStore, "link" | "linkTo">;
  readonly alertIndex: AlertIndex;
  readonly gazetteer: Gazetteer;
};
