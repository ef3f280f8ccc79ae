import type { Gazetteer } from "../../places/town.ts";
import type { SightingStore } from "./sighting.ts";

/** What sightings needs from outside. */
export type Ports = {
  readonly store: Pick<SightingStore, "sightings">;
  readonly gazetteer: Gazetteer;
};
