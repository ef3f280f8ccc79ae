import type { Language } from "../messages/languages.ts";
import { SYNC_ROWS_MAX, type TableRead } from "../core/tables/table-read.ts";
import { Fault } from "../core/fault.ts";
import { formatNumber } from "../text/terminal-text.ts";
import { createGeocoder, createLastResorts, type LastResorts, type Place } from "./geocode.ts";
import type { MappingPlace } from "./mapping.ts";
import type { ImportEntry, readEntries, Rejection } from "./rows.ts";
import type { Gazetteer } from "../places/town.ts";

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
  const { name, email, language, since } = options;
  if (entries.length + rejected.length > SYNC_ROWS_MAX)
    throw new Fault(
      "bad_input",
      `The table has ${formatNumber(entries.length + rejected.length)} animals, and ${formatNumber(SYNC_ROWS_MAX)} can be in sync: leave out those that are no longer missing or there ("where" in the mapping).`,
    );
  const geocode = await createGeocoder(gazetteer, entries, options);
  const rows: TableRead["rows"] = [];
  const kept: string[] = [];
  const lines = new Map<string, number>();
  const all = [...rejected];
  const lastResorts = createLastResorts();
  let nth = 0;
  for (const entry of entries) {
    if (nth++ % ROWS_PER_PAUSE === 0) await options.pause?.();
    lines.set(entry.id, entry.line);
    if (since !== null && entry.eventDate < since) {
      kept.push(entry.id);
      continue;
    }
    const place = geocode(entry);
    if ("why" in place)
      all.push({ line: entry.line, id: entry.id, why: place.why, isDamaged: false });
    else {
      rows.push({
        id: entry.id,
        input: { ...publicationFields(entry, place) },
        ...(entry.page === null ? {} : { page: entry.page }),
      });
      lastResorts.add(entry, place);
    }
  }
  kept.push(...all.flatMap(({ id }) => id ?? []));
  const isDamaged = rejected.some((one) => one.isDamaged);
  const input = {
    mapping: name,
    email,
    language,
    rows,
    kept,
    rejected: all.length,
    isWhole: !isDamaged,
  };
  return { input, rejected: all, lines, isDamaged, lastResorts: lastResorts.value() };
}

/** Fields of a publication from a row and its place, but for email and language. */
export function publicationFields(
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
