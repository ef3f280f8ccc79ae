import type { GoesOutside } from "../../core/alerts/alert.ts";
import { cellRadiusKm, distanceKm, type TownArea } from "../../core/place.ts";
import { searchRadiusKm } from "../search-window.ts";
import {
  type Cell,
  cellAround,
  lawOf,
  logDensityBetweenCells,
  logDensityBetweenDiscs,
} from "./distance-law.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Distance between the loss and the find. Only cells are public, so the density is that of ending anywhere in one cell
 * after starting anywhere in another; if only the town is known, anywhere in the town. The owner's answer about a lost cat
 * chooses between the laws of cats that go outside and of those that do not. The alternative hypothesis is a uniform
 * density within the search radius.
 */
export const distance: Evidence<Location, DistanceDetails> = {
  read: ({ point, somewhere = null, goesOutside = null }) => ({
    ...cellAround(point),
    somewhere,
    goesOutside,
  }),
  compare(lost, found, { species }) {
    const km = distanceKm(lost.centre, found.centre);
    const law = lawOf(species, lost.goesOutside);
    const logDensity =
      lost.somewhere === null && found.somewhere === null
        ? logDensityBetweenCells(lost, found, km, law)
        : logDensityBetweenDiscs(radiusKm(lost), radiusKm(found), km, law);
    return {
      logRatio: logDensity + Math.log(Math.PI * searchRadiusKm(species) ** 2),
      details: detailsOf(lost, found, km),
    };
  },
};

/** Whole km; "centres apart" and the towns if one of the points is the centre of a town and stands for all of it. */
export type DistanceDetails =
  | { readonly kind: "apart" | "centres apart"; readonly km: number }
  | { readonly kind: "in town" | "around town"; readonly town: string };

/** A cell, and the town if no more is known. */
type Location = Cell & {
  readonly somewhere: TownArea | null;
  readonly goesOutside: GoesOutside | null;
};

function radiusKm({ centre, somewhere }: Location): number {
  return somewhere?.radiusKm ?? cellRadiusKm(centre);
}

function detailsOf(lost: Location, found: Location, km: number): DistanceDetails {
  const [wider] = [lost.somewhere, found.somewhere]
    .filter((one) => one !== null)
    .toSorted((one, other) => other.radiusKm - one.radiusKm);
  if (wider === undefined) return { kind: "apart", km: Math.round(km) };
  if (km > wider.radiusKm) return { kind: "centres apart", km: Math.round(km) };
  return { kind: km === 0 ? "in town" : "around town", town: wider.town };
}
