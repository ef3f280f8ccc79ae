import type { Language } from "../messages/languages.ts";
import { SYNC_ROWS_MAX, type TableRead } from "../core/tables/table-read.ts";
import { Fault } from "../core/fault.ts";
import { formatNumber } from "../text/terminal-text.ts";
import {
  createGeocoder,
  type Geocoded,
  type LastResorts,
  lastResortsOf,
  type Place,
  type PlacedRow,
} from "./geocode.ts";
import type { MappingPlace } from "./mapping.ts";
import type { ImportEntry, readEntries, Rejection } from "./rows.ts";
import type { Gazetteer } from "../places/places.ts";

/** A table as it was read, with its rows as the service takes them. */
export type ReadTable = {
  readonly input: Omit<TableRead, "acceptMissing" | "dryRun">;
  readonly rejected: readonly Rejection[];
  /** Lines of the rows, by their id. */
  readonly lines: ReadonlyMap<string, number>;
  /** True if rows were damaged, so that nothing counts as missing. */
  readonly isDamaged: boolean;
  readonly lastResorts: LastResorts;
};

export type TableReadOptions = {
  /** Name by which its rows are known again. */
  readonly name: string;
  readonly email: string;
  readonly language: Language;
  /** Earliest day, YYYY-MM-DD, of animals that are published. */
  readonly since: string | null;
  readonly acceptTowns: boolean;
  /** Place of last resort. */
  readonly place: MappingPlace | null;
  /** Lets others have their turn. */
  readonly pause?: () => Promise<void>;
};

/** Rows read before others have their turn. To look for towns like an unknown one can take 50 ms. */
const ROWS_PER_PAUSE = 5;

/** Rows with their places, as the service takes them. Throws `bad_input` for too many. */
export async function readTable(
  { entries, rejected }: Awaited<ReturnType<typeof readEntries>>,
  gazetteer: Gazetteer,
  options: TableReadOptions,
): Promise<ReadTable> {
  const { name, email, language, pause } = options;
  if (entries.length + rejected.length > SYNC_ROWS_MAX)
    throw new Fault(
      "bad_input",
      `The table has ${formatNumber(entries.length + rejected.length)} animals, and ${formatNumber(SYNC_ROWS_MAX)} can be in sync: leave out those that are no longer missing or there ("where" in the mapping).`,
    );
  const geocode = await createGeocoder(gazetteer, entries, options);
  const lines = new Map<string, number>();
  const placed = createPlacedRows(geocode, options.since);
  let nth = 0;
  for (const entry of entries) {
    if (nth++ % ROWS_PER_PAUSE === 0) await pause?.();
    lines.set(entry.id, entry.line);
    placed.add(entry);
  }
  const all = [...rejected, ...placed.rejected];
  const isDamaged = rejected.some((one) => one.isDamaged);
  const input = {
    mapping: name,
    email,
    language,
    rows: placed.rows,
    kept: [...placed.older, ...all.flatMap(({ id }) => id ?? [])],
    rejected: all.length,
    isWhole: !isDamaged,
  };
  return { input, rejected: all, lines, isDamaged, lastResorts: lastResortsOf(placed.places) };
}

/** Collects rows with their places; those before a day (YYYY-MM-DD), and those without a place, apart. */
export function createPlacedRows(geocode: (entry: ImportEntry) => Geocoded, since: string | null) {
  const rows: TableRead["rows"][number][] = [];
  const places: PlacedRow[] = [];
  const older: string[] = [];
  const rejected: Rejection[] = [];
  return {
    /** Rows as the service takes them. */
    rows,
    places,
    /** Ids of rows before the day. */
    older,
    rejected,
    add(entry: ImportEntry): void {
      const { id, line, page } = entry;
      if (since !== null && entry.eventDate < since) {
        older.push(id);
        return;
      }
      const place = geocode(entry);
      if ("why" in place) {
        rejected.push({ line, id, why: place.why, isDamaged: false });
        return;
      }
      const input = publicationFields(entry, place);
      rows.push({ id, input: { ...input }, ...(page === null ? {} : { page }) });
      places.push({ id, line, place });
    },
  };
}

/** Fields of a publication from a row and its place, but for email and language. */
function publicationFields(
  { fields, type, species, eventDate, countryCode }: ImportEntry,
  { lat, lng, city, district = null }: Place,
): Readonly<Record<string, unknown>> {
  return {
    ...fields,
    lat,
    lng,
    type,
    species,
    eventDate,
    ...(city === null ? {} : { city }),
    ...(district === null ? {} : { district }),
    ...(countryCode === null ? {} : { countryCode }),
  };
}
