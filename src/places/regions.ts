import { foldName } from "./format.ts";
import regions from "./regions.json" with { type: "json" };

/**
 * States, provinces and parts of the countries whose people name them after a town: "Paris, Texas", "Portland, ME". Codes
 * are the first-order administrative codes of GeoNames; those of the US and of Switzerland are also the common abbreviations.
 * A name that is a city's as well is left out: "Kreuzberg, Berlin" names no region.
 */
type NamedRegion = {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly code: string;
  readonly names: readonly string[];
};

const REGIONS: readonly NamedRegion[] = Object.entries(regions).flatMap(
  ([countryCode, ofCountry]) =>
    Object.entries(ofCountry).map(([code, names]) => ({ countryCode, code, names })),
);

/** Number of a region in packed files, from 1; 0 for one that is not listed. */
export function regionNumber(countryCode: string, code: string): number {
  return REGIONS.findIndex((one) => one.countryCode === countryCode && one.code === code) + 1;
}

/** Numbers of the regions with this name or abbreviation, ignoring case and accents. */
export function regionsNamed(name: string): readonly number[] {
  numbers ??= createNumbers();
  return numbers.get(foldName(name)) ?? [];
}

/** Countries whose codes of regions people write. */
const ABBREVIATED = new Set(["US", "CH"]);

/** Built on first use. */
let numbers: ReadonlyMap<string, readonly number[]> | undefined;

function createNumbers(): ReadonlyMap<string, readonly number[]> {
  const byName = new Map<string, number[]>();
  for (const [at, { countryCode, code, names }] of REGIONS.entries())
    for (const known of new Set(
      [...names, ...(ABBREVIATED.has(countryCode) ? [code] : [])].map(foldName),
    ))
      byName.set(known, [...(byName.get(known) ?? []), at + 1]);
  return byName;
}
