import { capitalized, CELLS_PER_DEGREE, postcodeFile } from "./postcodes.ts";
import { foldName } from "./format.ts";
import type { Gazetteer } from "../core/ports.ts";
import { openGazetteer } from "./gazetteer.ts";

/**
 * Makes postcodes.bin: `bun src/geo/pack-postcodes.ts postcodes.tsv.gz`. The input has a header and a line for each
 * postcode and place: country (ISO 3166-1 alpha-2), postcode, place, latitude, longitude, with tabs between them. It is
 * gathered from GeoNames' postal codes (https://download.geonames.org/export/zip/, CC BY 4.0, as of 2026-03-30). The same
 * input always gives the same bytes. postcodes.bin is committed, unlike places.bin, because no package carries the input.
 */

type PostcodeRow = {
  readonly country: string;
  readonly code: string;
  readonly place: string;
  readonly lat: number;
  readonly lng: number;
};

/** A place of this name within so many km is known to the gazetteer. */
const SAME_PLACE_KM = 15;
/** Cells of 0.01 degrees to which positions are rounded before places of one name are taken for the same. */
const SAME_CELLS = 3;

function rowsIn(tsv: string): PostcodeRow[] {
  const [, ...lines] = tsv.trimEnd().split("\n");
  return lines.map((line) => {
    const [country = "", code = "", place = "", lat, lng] = line.split("\t");
    return {
      country,
      code: code.replace(/^L-|[\s-]/g, ""),
      place,
      lat: Number(lat),
      lng: Number(lng),
    };
  });
}

/**
 * Lines `code, country, latitude, longitude, town`, one per postcode and country. The position is the mean of its places
 * that have the fewest postcodes: a village says more about the position than the city it shares the code with. The town is
 * the place with the most postcodes, left out where the gazetteer's nearest town is one of the places.
 */
function codeLines(rows: readonly PostcodeRow[], gazetteer: Gazetteer): string[] {
  const codesOfPlace = new Map<string, Set<string>>();
  const placeOf = ({ country, place }: PostcodeRow) => `${country}\t${place}`;
  for (const row of rows) {
    const codes = codesOfPlace.get(placeOf(row)) ?? new Set();
    codesOfPlace.set(placeOf(row), codes.add(row.code));
  }
  const codes = (row: PostcodeRow) => codesOfPlace.get(placeOf(row))!.size;
  const ofCode = Map.groupBy(rows, ({ code, country }) => `${code}\t${country}`);
  return [...ofCode]
    .map(([code, places]) => {
      const sorted = places.toSorted((one, other) => codes(one) - codes(other));
      const own = sorted.filter((row) => codes(row) === codes(sorted[0]!));
      const [lat, lng] = [cellOf(own.map(({ lat }) => lat)), cellOf(own.map(({ lng }) => lng))];
      const { name } = gazetteer.nearest({
        lat: lat / CELLS_PER_DEGREE,
        lng: lng / CELLS_PER_DEGREE,
      });
      const isNamed = places.some(({ place }) => foldName(place) === foldName(name));
      return [code, lat, lng, ...(isNamed ? [] : [sorted.at(-1)!.place])].join("\t");
    })
    .sort();
}

function cellOf(degrees: readonly number[]): number {
  const mean = degrees.reduce((sum, one) => sum + one) / degrees.length;
  return Math.round(mean * CELLS_PER_DEGREE);
}

/** `folded name, name, country, cell` of each place that the gazetteer does not have; the name only if it is needed. */
function nameLines(rows: readonly PostcodeRow[], gazetteer: Gazetteer): string[] {
  const lines = new Map<string, string>();
  for (const { place, country, lat, lng } of rows) {
    const name = foldName(place);
    const cell = [cellOf([lat]), cellOf([lng])];
    const id = [name, country, ...cell.map((one) => Math.round(one / SAME_CELLS))].join("\t");
    if (name === "" || lines.has(id)) continue;
    const near = { point: { lat, lng }, radiusKm: SAME_PLACE_KM };
    if (gazetteer.find(place, { countryCode: country, near, limit: 1 }).length > 0) continue;
    const written = place === capitalized(name) ? "" : place;
    lines.set(id, [name, written, country, ...cell].join("\t"));
  }
  return [...lines.values()].sort();
}

if (import.meta.main) {
  const [input] = Bun.argv.slice(2);
  if (input === undefined) throw new Error("Usage: bun src/geo/pack-postcodes.ts postcodes.tsv.gz");
  const rows = rowsIn(new TextDecoder().decode(Bun.gunzipSync(await Bun.file(input).bytes())));
  const gazetteer = await openGazetteer({ postcodes: () => [], villages: () => [] });
  const file = postcodeFile({
    codes: codeLines(rows, gazetteer),
    names: nameLines(rows, gazetteer),
  });
  await Bun.write(`${import.meta.dir}/postcodes.bin`, file);
  console.log(`${rows.length} rows packed into ${file.length} bytes`);
}
