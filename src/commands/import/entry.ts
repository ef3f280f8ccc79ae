import type { AlertType, Species } from "../../core/alert.ts";
import { chipNumber } from "../../core/publication.ts";
import { visible } from "../visible.ts";
import type { Choice, Circle, Mapping, Skip } from "./mapping.ts";
import type { Row } from "./table.ts";
import {
  ageOf,
  breedInWords,
  colorInWords,
  dayOf,
  decimalOf,
  known,
  withoutShouting,
} from "./wording.ts";

/** What a row tells, in our words; its place is not looked up yet. */
export type Entry = {
  readonly line: number;
  /** Its number where it comes from. */
  readonly id: string;
  /** The day it was lost or found, YYYY-MM-DD. */
  readonly eventDate: string;
  readonly type: AlertType;
  readonly species: Species;
  readonly countryCode: string;
  /** Towns the row may mean, the likeliest first. */
  readonly towns: readonly string[];
  readonly spot: { readonly lat: number; readonly lng: number } | null;
  /** Where the mapping says that towns of this row lie. */
  readonly near: Circle | null;
  /** The other fields of a publication, as far as they are known. */
  readonly told: Readonly<Record<string, string>>;
  /** Whether it names a chip by what is no chip's number. */
  readonly hasUnreadableChip: boolean;
};

/** What becomes of a row. */
export type Reading =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "skipped"; readonly why: string }
  | { readonly kind: "refused"; readonly id: string | null; readonly why: string };

const ID_MAX = 100;

/** Reads one row by a mapping. Columns the mapping does not name are not looked at. */
export function readRow(row: Row, mapping: Mapping): Reading {
  // Where fields are missing or too many, none can be trusted to be the number.
  if (row.excess !== 0)
    return refusedAs(null)(
      `it has ${Math.abs(row.excess)} fields too ${row.excess > 0 ? "many" : "few"}`,
    );
  const id = row.value(mapping.id);
  const refused = refusedAs(id);
  const type = chosen(mapping.type, row);
  if (type === null) return refused(unknownValue(mapping.type, row));
  if (isSkip(type)) return { kind: "skipped", why: type.skip };
  const species = chosen(mapping.species, row);
  if (species === null) return refused(unknownValue(mapping.species, row));
  if (isSkip(species)) return { kind: "skipped", why: species.skip };

  if (id === "") return refused(`it has no number: ${mapping.id} is empty`);
  if (id.length > ID_MAX) return refused(`${mapping.id} must have at most ${ID_MAX} characters`);
  const countryCode = chosen(mapping.country, row);
  if (countryCode === null) return refused(unknownValue(mapping.country, row));
  const day = row.value(mapping.date.column);
  const eventDate = dayOf(day, mapping.date.format);
  if (eventDate === null)
    return refused(`${mapping.date.column} is "${cut(day)}", not a day as ${mapping.date.format}`);

  const entry: Entry = {
    line: row.line,
    id,
    eventDate,
    type,
    species,
    countryCode,
    towns: mapping.city.flatMap((column) => known(row.value(column), mapping.unknown) ?? []),
    spot: spotOf(row, mapping),
    near: mapping.near === undefined ? null : chosen(mapping.near, row),
    told: toldOf(row, mapping, type, species),
    hasUnreadableChip: chipOf(row, mapping) !== null && readableChip(row, mapping) === null,
  };
  return { kind: "entry", entry };
}

function toldOf(
  row: Row,
  mapping: Mapping,
  type: AlertType,
  species: Species,
): Record<string, string> {
  const text = (column: string | undefined) =>
    column === undefined ? null : known(row.value(column), mapping.unknown);
  const name = text(mapping.name);
  const breed =
    text(mapping.breed) ?? (species === "other" ? text(columnOf(mapping.species)) : null);
  const color =
    mapping.color === undefined ? null : colorInWords(row.value(mapping.color), mapping);
  const told = {
    name: name === null ? null : withoutShouting(name, 3),
    breed: breed === null ? null : breedInWords(breed),
    color: color ?? "unknown",
    size: mapping.size === undefined ? null : chosen(mapping.size, row),
    sex: mapping.sex === undefined ? null : chosen(mapping.sex, row),
    age: mapping.age === undefined ? null : ageOf(row.value(mapping.age.column), mapping.age),
    custody: mapping.custody === undefined || type === "lost" ? null : chosen(mapping.custody, row),
    description: text(mapping.description),
    microchip: readableChip(row, mapping),
  };
  return Object.fromEntries(
    Object.entries(told).flatMap(([field, value]) => (value === null ? [] : [[field, value]])),
  );
}

function chipOf(row: Row, { microchip, unknown }: Mapping): string | null {
  return microchip === undefined ? null : known(row.value(microchip), unknown);
}

function readableChip(row: Row, mapping: Mapping): string | null {
  const chip = chipOf(row, mapping);
  return chip === null || chipNumber(chip) === null ? null : chip;
}

/** The column of the table that a field of a publication was read from; the field's own name where there is none. */
export function columnBehind(field: string, mapping: Mapping): string {
  const columns: Readonly<Record<string, string | undefined>> = {
    eventDate: mapping.date.column,
    name: mapping.name,
    breed: mapping.breed ?? columnOf(mapping.species),
    color: mapping.color,
    description: mapping.description,
    microchip: mapping.microchip,
    city: mapping.city[0],
    lat: mapping.latitude,
    lng: mapping.longitude,
  };
  return columns[field] ?? field;
}

function columnOf(choice: Choice<unknown>): string | undefined {
  return choice.column ?? undefined;
}

function spotOf(row: Row, mapping: Mapping): Entry["spot"] {
  if (mapping.latitude === undefined || mapping.longitude === undefined) return null;
  const lat = decimalOf(row.value(mapping.latitude));
  const lng = decimalOf(row.value(mapping.longitude));
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return null;
  // 0, 0 is what programs write for "not known".
  return lat === 0 && lng === 0 ? null : { lat, lng };
}

/** What a choice gives for a row: the exact value first, then beginnings (`Dead *`) in their order, `*` for the rest. */
function chosen<Value>({ column, values }: Choice<Value>, row: Row): Value | null {
  const said = column === null ? "" : row.value(column).toLowerCase();
  const entries = Object.entries(values);
  const exact = entries.find(([value]) => value.trim().toLowerCase() === said);
  const begun = entries.find(
    ([value]) => value.endsWith("*") && said.startsWith(value.slice(0, -1).toLowerCase()),
  );
  return (exact ?? begun)?.[1] ?? null;
}

function isSkip(value: string | Skip): value is Skip {
  return typeof value === "object";
}

function unknownValue({ column }: Choice<unknown>, row: Row): string {
  return `${column} is "${cut(row.value(column ?? ""))}", which the mapping does not know`;
}

const SHOWN_MAX = 40;

/** What a cell says, as far as a sentence for the terminal may hold it. */
export function cut(text: string): string {
  return visible(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);
}

function refusedAs(id: string | null) {
  return (why: string): Reading => ({ kind: "refused", id: id === "" ? null : id, why });
}
