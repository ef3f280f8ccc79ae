import { lifeMs, type Species } from "../alert.ts";
import { DAY_MS } from "../duration.ts";
import { reachKm, WINDOW_DAYS } from "./candidates.ts";
import type { Around } from "./crowd.ts";

/**
 * Natural logarithm of the odds that a lost and a found alert are of one animal, before anything is compared: the
 * chance that the lost animal's find was posted, against the unrelated finds expected within reach and window at the
 * place where the found one is. It is the same from both sides: losses times that chance is the number of pairs, and
 * so is finds times the chance that the owner posted. `byTown`: of one of the two no more is known than the town.
 */
export function priorLogOdds(
  species: Species,
  { foundsPerKm2, region }: Around,
  { byTown = false } = {},
): number {
  const foundsPerDay = 1 / (lifeMs("found", species) / DAY_MS);
  const lostsPerDay = 1 / (lifeMs("lost", species) / DAY_MS);
  const perKm2 = byTown ? Math.max(foundsPerKm2, TOWN_FOUNDS_PER_KM2_MIN) : foundsPerKm2;
  const rivals = perKm2 * foundsPerDay * Math.PI * reachKm(species) ** 2 * WINDOW_DAYS;
  return Math.log(foundChance(region.lost * lostsPerDay, region.found * foundsPerDay) / rivals);
}

/**
 * A young instance has heard of next to none of a city's strays, and of as few of its lost animals' finds: that it knows
 * no other find is no sign that there is none. Pins still tell neighbours from strangers then, a town does not: so one
 * find is reckoned with for each 100,000 people of a town (5000 per km²). No source; chosen by hand.
 */
const TOWN_FOUNDS_PER_KM2_MIN = 5_000 / 100_000;

/**
 * Chance that the find of a lost animal was posted. Neither losses nor finds can be part of more pairs than there are,
 * so pairs are counted as half their harmonic mean, times a share: where one kind is rare it is mostly part of a pair.
 */
function foundChance(lostsADay: number, foundsADay: number): number {
  return (PAIRED_SHARE * foundsADay) / (lostsADay + foundsADay);
}

/**
 * With as many losses as finds, half of this is the share of either that has its other half; 38% of the finders in Lord
 * et al. 2007 (JAVMA 230:12) reunited their find. Fitted: see `score.ts`.
 */
const PAIRED_SHARE = 1;
