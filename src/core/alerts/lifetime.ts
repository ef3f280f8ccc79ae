import { DAY_MS } from "../duration.ts";
import type { AlertType, Species } from "../../values/animal.ts";

/** Lifetime in milliseconds of an active alert, until its owner renews it. */
export function lifetimeMs(type: AlertType, species: Species): number {
  if (type === "found") return 30 * DAY_MS;
  switch (species) {
    case "dog":
      return 45 * DAY_MS;
    case "cat":
      return 90 * DAY_MS;
    case "bird":
    case "other":
      return 60 * DAY_MS;
  }
}

/** Time after resolving an alert in which its owner may reopen it. */
export const REOPEN_MS = 30 * DAY_MS;
/** Time for which the owner's address and the conversations are kept after the end. */
export const KEEP_PERSONAL_DATA_MS = 30 * DAY_MS;
