import type { Instance } from "../instance.ts";
import type { OrganisationStore } from "./organisation-store.ts";
import type { Photos } from "../photos/photo-files.ts";

/** Ports of organisations. */
export type Ports = Instance & {
  readonly store: OrganisationStore;
  readonly photos: Photos;
};
