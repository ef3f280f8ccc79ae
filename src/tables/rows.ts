import { LOCALES } from "../messages/locale.ts";
import type { Language } from "../messages/languages.ts";
import { FIELDS, TEXTS } from "../core/alerts/fields.ts";
import type { Age, AlertType, Species } from "../values/animal.ts";
import { chipNumber, PHOTO_URL_MAX, PHOTOS_MAX } from "../core/alerts/publication.ts";
import { ANIMAL_PAGE_MAX } from "../core/organisations/animal-page.ts";
import type { Point } from "../values/point.ts";
import { folded } from "../text/tokenize.ts";
import { escapeControls, plural } from "../text/terminal-text.ts";
import { createPackedList, type PackedList } from "./packed-list.ts";
import { parseDate } from "./date-format.ts";
import {
  AGE_LIMITS,
  type ColumnChoice,
  type Mapping,
  type MappingCircle,
  type MappingCondition,
  type MappingPlace,
  type Skip,
} from "./mapping.ts";
import {
  ageOn,
  knownText,
  normalizeBreed,
  normalizeColor,
  parseAge,
  parseCoordinates,
  parseDecimal,
  parseTime,
  withoutCapitals,
} from "./normalize.ts";
import type { TableRow, Table } from "./table.ts";

/** Row of the table as normalized values, not geocoded yet. */
export type ImportEntry = {
  readonly line: number;
  /** Id in the source. */
  readonly id: string;
  /** Day it was lost or found, YYYY-MM-DD. */
  readonly eventDate: string;
  readonly type: AlertType;
  readonly species: Species;
  /** Null if the mapping names none. */
  readonly countryCode: string | null;
  /** Candidate town names, the likeliest first. */
  readonly towns: readonly string[];
  readonly point: Point | null;
  readonly postcode: string | null;
  /** Place of last resort. */
  readonly place: MappingPlace | null;
  /** Circle that limits the search for towns, if the mapping has one. */
  readonly near: MappingCircle | null;
  /** Other fields of a publication, as far as they are known. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** Address of the animal's page at its organisation's site; null if there is none. */
  readonly page: string | null;
  /** True when it has a chip number that is not valid. */
  readonly hasUnreadableChip: boolean;
};

/** Row that cannot be published, with the reason for the operator. */
export type Rejection = {
  readonly line: number;
  /** Id in the source, if it has one. */
  readonly id: string | null;
  readonly why: string;
  /** True if its number of fields is wrong, so that not even its id is known. */
  readonly isDamaged?: true;
};

/** Rows of a table by its mapping. */
export type TableEntries = {
  readonly entries: PackedList<ImportEntry>;
  /** Number of rows that the mapping skips, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  readonly rejected: readonly Rejection[];
};

/** Reads all rows of a table. Of rows with the same id, the first is used and the others are rejected. */
export async function readEntries(
  table: Table,
  mapping: Mapping,
  language: Language,
): Promise<TableEntries> {
  const entries = createPackedList<ImportEntry>();
  const lines = new Map<string, number>();
  const skipped = new Map<string, number>();
  const rejected: Rejection[] = [];
  for await (const row of table.rows) {
    const result = readRow(row, mapping, language);
    if ("skip" in result) {
      skipped.set(result.skip, (skipped.get(result.skip) ?? 0) + 1);
      continue;
    }
    const { line, id } = result;
    const same = id === null ? undefined : lines.get(id);
    if ("why" in result) rejected.push(result);
    else if (same !== undefined)
      rejected.push({ line, id, why: `its ${mapping.id} is the same as in line ${same}` });
    else {
      lines.set(result.id, line);
      entries.add(result);
    }
  }
  return { entries, skipped, rejected };
}

const ID_MAX = 100;

/** Reads a row by a mapping. Columns that the mapping does not name are ignored. */
function readRow(
  row: TableRow,
  mapping: Mapping,
  language: Language,
): ImportEntry | Skip | Rejection {
  const { line, excess } = row;
  // With missing or extra fields, no column can be trusted, not even the id.
  if (excess !== 0) {
    const why = `it has ${plural(Math.abs(excess), "field")} too ${excess > 0 ? "many" : "few"}`;
    return { line, id: null, why, isDamaged: true };
  }
  const unmet = mapping.where.find((condition) => !isMet(condition, row));
  if (unmet !== undefined) return { skip: unmet.skip ?? `not wanted by ${unmet.column}` };
  const id = row.value(mapping.id);
  const reject = (why: string) => ({ line, id: id === "" ? null : id, why });
  const type = choose(mapping.type, row);
  if (type === null) return reject(unknownValue(mapping.type, row));
  if (typeof type === "object") return type;
  const species = choose(mapping.species, row);
  if (species === null) return reject(unknownValue(mapping.species, row));
  if (typeof species === "object") return species;

  if (id === "") return reject(`it has no id: ${mapping.id} is empty`);
  if (id.length > ID_MAX) return reject(`${mapping.id} must have at most ${ID_MAX} characters`);
  const countryCode = choose(mapping.country, row);
  if (mapping.country !== undefined && countryCode === null)
    return reject(unknownValue(mapping.country, row));
  const day = row.value(mapping.date.column);
  const eventDate = parseDate(day, mapping.date.format);
  if (eventDate === null)
    return reject(
      `${mapping.date.column} is "${shorten(day)}", not a date in the format ${mapping.date.format}`,
    );

  return {
    line,
    id,
    eventDate,
    type,
    species,
    countryCode,
    towns: mapping.city.flatMap((column) => {
      // Some programs mark towns: "*WINDSOR".
      const town = row.value(column).replace(/^[^\p{L}\p{N}]+/u, "");
      return knownText(town, mapping.unknown) ?? [];
    }),
    point: pointOf(row, mapping),
    postcode: textOf(mapping.postcode, row, mapping),
    place: choose(mapping.place, row),
    near: choose(mapping.near, row),
    fields: fieldsOf(row, mapping, { type, species, eventDate }, language),
    // One that is too long stays so, and is refused with a reason.
    page: textOf(mapping.page, row, mapping)?.slice(0, ANIMAL_PAGE_MAX + 1) ?? null,
    hasUnreadableChip:
      textOf(mapping.microchip, row, mapping) !== null && validChip(row, mapping) === null,
  };
}

/** Text of a column; null if there is none, or it means "unknown". */
function textOf(
  column: string | undefined,
  row: TableRow,
  { unknown }: Pick<Mapping, "unknown">,
): string | null {
  return column === undefined ? null : knownText(row.value(column), unknown);
}

/** Value that a choice gives for a row: an exact match first, then prefixes (`Dead *`) in their order, then `*`. */
function choose<Value>(choice: ColumnChoice<Value> | undefined, row: TableRow): Value | null {
  if (choice === undefined) return null;
  const { column, values } = choice;
  const value = matching(column === null ? "" : row.value(column), Object.keys(values));
  return value === undefined ? null : values[value]!;
}

/** The value that a cell has, of those in a mapping. */
function matching(cell: string, values: readonly string[]): string | undefined {
  const lower = cell.toLowerCase();
  return (
    values.find((value) => value.trim().toLowerCase() === lower) ??
    values.find(
      (value) => value.endsWith("*") && lower.startsWith(value.slice(0, -1).toLowerCase()),
    )
  );
}

function isMet({ column, is, not }: MappingCondition, row: TableRow): boolean {
  const cell = row.value(column);
  return is === undefined
    ? matching(cell, not ?? []) === undefined
    : matching(cell, is) !== undefined;
}

function unknownValue({ column }: ColumnChoice<unknown>, row: TableRow): string {
  return `${column} is "${shorten(row.value(column ?? ""))}", which is not in the mapping`;
}

function pointOf(row: TableRow, mapping: Mapping): Point | null {
  const { coordinates } = mapping;
  const point =
    inTwoColumns(row, mapping) ??
    (coordinates === undefined ? null : parseCoordinates(row.value(coordinates)));
  if (point === null || Math.abs(point.lat) > 90 || Math.abs(point.lng) > 180) return null;
  // Programs write 0, 0 for an unknown position.
  return point.lat === 0 && point.lng === 0 ? null : point;
}

function inTwoColumns(row: TableRow, { latitude, longitude }: Mapping): Point | null {
  const lat = latitude === undefined ? null : parseDecimal(row.value(latitude));
  const lng = longitude === undefined ? null : parseDecimal(row.value(longitude));
  return lat === null || lng === null ? null : { lat, lng };
}

function fieldsOf(
  row: TableRow,
  mapping: Mapping,
  { type, species, eventDate }: Pick<ImportEntry, "type" | "species" | "eventDate">,
  language: Language,
): Record<string, string | readonly string[]> {
  const text = (column: string | undefined) => textOf(column, row, mapping);
  const name = ownName(text(mapping.name), type, mapping);
  const kind = species === "other" ? text(columnOf(mapping.species)) : null;
  const breed = breedOf(text(mapping.breed), kind);
  const color =
    mapping.color === undefined ? null : normalizeColor(row.value(mapping.color), mapping);
  const texts = TEXTS.map((name): [string, string | null] => {
    return [name, text(mapping[name])?.slice(0, FIELDS[name].max) ?? null];
  });
  const fields = {
    ...Object.fromEntries(texts),
    name: name === null ? null : withoutCapitals(name, 3),
    breed: breed === null ? null : normalizeBreed(breed, mapping),
    color: color ?? "unknown",
    size: choose(mapping.size, row),
    sex: choose(mapping.sex, row),
    age: ageOf(row, mapping, eventDate),
    custody: type === "lost" ? null : choose(mapping.custody, row),
    eventTime: parseTime(text(mapping.time) ?? ""),
    description: withNumber(text(mapping.description), text(mapping.number), language),
    microchip: validChip(row, mapping),
    photoUrls: photosOf(row, mapping),
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value === null ? [] : [[field, value]])),
  );
}

/** Words for any animal, as in a column of species. */
const ANY_KIND = /^(?:other|autre|otro|ander|sonst|small|exotic|livestock|misc)/;

/** Breed with the kind of animal before it, which nothing else would tell of one that is neither dog, cat nor bird. */
function breedOf(breed: string | null, kind: string | null): string | null {
  if (breed === null || kind === null) return breed ?? kind;
  const isTold = ANY_KIND.test(folded(kind)) || folded(breed).includes(folded(kind));
  const both = `${kind}, ${breed}`;
  return isTold || both.length > FIELDS.breed.max ? breed : both;
}

/** Description with the shelter's number as its last line, if there is room for it. */
function withNumber(
  description: string | null,
  number: string | null,
  language: Language,
): string | null {
  if (number === null) return description;
  const line = LOCALES[language].numberAtShelter({ number });
  const both = description === null ? line : `${description}\n${line}`;
  return both.length > FIELDS.description.max ? description : both;
}

/** Between addresses in a cell; a comma may be part of one. */
const BETWEEN_ADDRESSES = /[\s|;]+|,(?=\s*https?:)/;

/** Addresses of the photos, as many as an alert can have. */
function photosOf(row: TableRow, { photos, unknown }: Mapping): readonly string[] | null {
  const cells = photos.flatMap((column) => knownText(row.value(column), unknown) ?? []);
  const addresses = cells.flatMap((cell) => cell.split(BETWEEN_ADDRESSES));
  const usable = addresses.filter((one) => one !== "" && one.length <= PHOTO_URL_MAX);
  return usable.length === 0 ? null : [...new Set(usable)].slice(0, PHOTOS_MAX);
}

/** Name without those that the shelter's staff gave, which nobody who knows the animal would call it by. */
function ownName(name: string | null, type: AlertType, { staffNames }: Mapping): string | null {
  if (name === null || staffNames === undefined) return name;
  if (staffNames === "found") return type === "found" ? null : name;
  return name.startsWith(staffNames) || name.endsWith(staffNames) ? null : name;
}

function ageOf(row: TableRow, { age, birthDate }: Mapping, eventDate: string): Age | null {
  const written = age === undefined ? "unknown" : parseAge(row.value(age.column), age);
  if (written !== "unknown" || birthDate === undefined)
    return age === undefined && birthDate === undefined ? null : written;
  const born = parseDate(row.value(birthDate.column), birthDate.format, eventDate);
  return born === null ? "unknown" : ageOn(eventDate, born, age ?? AGE_LIMITS);
}

function validChip(row: TableRow, mapping: Mapping): string | null {
  const chip = textOf(mapping.microchip, row, mapping);
  return chip === null || chipNumber(chip) === null ? null : chip;
}

/** Column of the table that a publication field comes from, or the field's own name. */
export function sourceColumn(field: string, mapping: Mapping): string {
  const columns: Readonly<Record<string, string | undefined>> = {
    eventDate: mapping.date.column,
    ...Object.fromEntries(TEXTS.map((name) => [name, mapping[name]])),
    breed: mapping.breed ?? columnOf(mapping.species),
    eventTime: mapping.time,
    microchip: mapping.microchip,
    city: mapping.city[0],
    lat: mapping.latitude ?? mapping.coordinates,
    lng: mapping.longitude ?? mapping.coordinates,
  };
  return columns[field] ?? field;
}

function columnOf(choice: ColumnChoice<unknown>): string | undefined {
  return choice.column ?? undefined;
}

const SHOWN_MAX = 40;

/** Text of a cell, shortened and escaped for an error message. */
export function shorten(text: string): string {
  return escapeControls(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);
}
