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
import { createYield } from "./event-loop.ts";
import type { MappingPlace } from "./mapping.ts";
import type { ImportEntry, Rejection, TableEntries } from "./rows.ts";
import type { Gazetteer } from "../places/places.ts";

/** A table as it was read, with its rows as the service takes them. */
export type SyncInput = {
  readonly input: Omit<TableRead, "acceptMissing" | "dryRun">;
  /** Number of rows before the earliest day. */
  readonly older: number;
  readonly rejected: readonly Rejection[];
  readonly lastResorts: LastResorts;
};

export type SyncOptions = {
  /** Name by which its rows are known again. */
  readonly name: string;
  readonly email: string;
  readonly language: Language;
  /** Earliest day, YYYY-MM-DD, of animals that are published. */
  readonly since: string | null;
  readonly acceptTowns: boolean;
  /** Place of last resort. */
  readonly place: MappingPlace | null;
};

/** Rows with their places, as the service takes them. Throws `bad_input` for too many. */
export async function createSyncInput(
  rows: TableEntries,
  gazetteer: Gazetteer,
  options: SyncOptions,
): Promise<SyncInput> {
  requireSyncRows(rows);
  const placed = createPlacedRows(
    await createGeocoder(gazetteer, rows.entries, options),
    options.since,
  );
  const yieldToOthers = createYield();
  for (const entry of rows.entries) {
    await yieldToOthers();
    placed.add(entry);
  }
  const { name: mapping, email, language } = options;
  const all = [...rows.rejected, ...placed.rejected];
  return {
    input: {
      mapping,
      email,
      language,
      rows: placed.rows,
      // Those that cannot be published are there all the same.
      kept: [...placed.older, ...all.flatMap(({ id }) => id ?? [])],
      rejected: all.length,
      isWhole: !rows.rejected.some(({ isDamaged }) => isDamaged),
    },
    older: placed.older.length,
    rejected: all,
    lastResorts: lastResortsOf(placed.places),
  };
}

/** Throws `bad_input` if a table has more rows than can be in sync. */
function requireSyncRows({ entries, rejected }: TableEntries): void {
  const count = entries.length + rejected.length;
  if (count > SYNC_ROWS_MAX)
    throw new Fault(
      "bad_input",
      `The table has ${formatNumber(count)} animals, and ${formatNumber(SYNC_ROWS_MAX)} can be in sync: leave out those that are no longer missing or there ("where" in the mapping).`,
    );
}

/** Collects rows with their places; those before a day (YYYY-MM-DD), and those without a place, apart. */
export function createPlacedRows(geocode: (entry: ImportEntry) => Geocoded, since: string | null) {
  /** Rows as the service takes them. */
  const rows: TableRead["rows"][number][] = [];
  const places: PlacedRow[] = [];
  /** Ids of rows before the day. */
  const older: string[] = [];
  const rejected: Rejection[] = [];
  return {
    rows,
    places,
    older,
    rejected,
    add(entry: ImportEntry): void {
      const { id, line, page, type, eventDate, hasUnreadableChip } = entry;
      if (since !== null && eventDate < since) {
        older.push(id);
        return;
      }
      const place = geocode(entry);
      if ("why" in place) {
        rejected.push({ line, id, why: place.why });
        return;
      }
      const input = publicationFields(entry, place);
      rows.push({ id, input: { ...input }, ...(page === null ? {} : { page }) });
      places.push({ id, line, type, eventDate, hasUnreadableChip, place });
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
