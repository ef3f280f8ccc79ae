import { lifetimeMs, type Species } from "../alerts/alert.ts";
import { DAY_MS } from "../duration.ts";
import { searchRadiusKm, WINDOW_DAYS } from "./search-window.ts";
import type { LocalDensity } from "./density.ts";

/**
 * Natural logarithm of the odds that a lost and a found alert are one animal before any field is compared: the chance
 * that the lost animal's find was posted, against the unrelated finds expected within radius and window around the find.
 * It is the same from both sides: the number of pairs is losses times that chance, or finds times the chance that the
 * owner posted. `byTown`: no more than the town is known of one of the two.
 */
export function priorLogOdds(
  species: Species,
  { foundsPerKm2, region }: LocalDensity,
  { byTown = false } = {},
): number {
  const foundsPerDay = 1 / (lifetimeMs("found", species) / DAY_MS);
  const lostsPerDay = 1 / (lifetimeMs("lost", species) / DAY_MS);
  const perKm2 = byTown ? Math.max(foundsPerKm2, TOWN_FOUNDS_PER_KM2_MIN) : foundsPerKm2;
  const rivals = perKm2 * foundsPerDay * Math.PI * searchRadiusKm(species) ** 2 * WINDOW_DAYS;
  return Math.log(postedChance(region.lost * lostsPerDay, region.found * foundsPerDay) / rivals);
}

/**
 * Finds assumed in a town: one for each 100,000 people, at 5,000 people per km². A young instance knows few of a city's
 * strays, so an absence of other finds proves nothing. Pins still separate neighbours from strangers; a town does not.
 * No source; chosen by hand.
 */
const TOWN_FOUNDS_PER_KM2_MIN = 5_000 / 100_000;

/**
 * Chance that a lost animal's find was posted. There are no more pairs than losses or finds, so pairs are estimated as
 * half their harmonic mean times a share: where one type is rare, most of its alerts are part of a pair.
 */
function postedChance(lostsPerDay: number, foundsPerDay: number): number {
  return (PAIRED_SHARE * foundsPerDay) / (lostsPerDay + foundsPerDay);
}

/**
 * Twice the share of alerts that are part of a pair, where there are as many losses as finds; 38% of the finders in Lord
 * et al. 2007 (JAVMA 230:12) reunited their find. Fitted: see `score.ts`.
 */
const PAIRED_SHARE = 1;
