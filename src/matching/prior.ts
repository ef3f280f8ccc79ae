import { lifetimeMs, type Species } from "../core/alerts/alert.ts";
import { DAY_MS } from "../core/duration.ts";
import { searchRadiusKm, WINDOW_DAYS } from "./search-window.ts";
import type { LocalDensity } from "./density.ts";

/**
 * Natural logarithm of the odds that a lost and a found alert are one animal before any field is compared: the chance
 * that the lost animal's find was posted, against the unrelated finds expected within radius and window around the find.
 * It is the same from both sides: the number of pairs is losses times that chance, or finds times the chance that the
 * owner posted.
 *
 * The chance that the find was posted is the coverage, the share of all finds around that are posted, times `pairShare`
 * (`pair-share.ts`). The unrelated finds are posted with the same coverage, so on an instance without posts it cancels
 * out: a find that nobody posted is neither a rival nor a match.
 */
export function priorLogOdds(
  species: Species,
  around: {
    readonly lost: Pick<LocalDensity, "coverage">;
    readonly found: Pick<LocalDensity, "foundsPerKm2">;
  },
  pairShare: number,
): number {
  const newPerActivePerDay = DAY_MS / lifetimeMs("found", species);
  const rivals =
    around.found.foundsPerKm2 *
    newPerActivePerDay *
    Math.PI *
    searchRadiusKm(species) ** 2 *
    WINDOW_DAYS;
  return Math.log((pairShare * around.lost.coverage) / rivals);
}
