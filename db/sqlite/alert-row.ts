import { Column, getTableColumns } from "drizzle-orm";
import type { Alert } from "../../src/core/alerts/alert.ts";
import { alert } from "./schema.ts";

export type AlertRow = typeof alert.$inferSelect;

/** Columns that the store keeps for itself, apart from those of an `Alert`. */
const {
  lat,
  lng,
  announcedAt: _announcedAt,
  comparedAt: _comparedAt,
  compareAt: _compareAt,
  matchesMuted: _matchesMuted,
  remindersMuted: _remindersMuted,
  outcomeTold: _outcomeTold,
  hiddenFrom: _hiddenFrom,
  erasedAt: _erasedAt,
  revision: _revision,
  ...SAME_NAMED
} = getTableColumns(alert);
/** Columns of an `Alert`, in the order of the values that `readAlert` gets. */
export const ALERT_COLUMNS = { lat, lng, ...SAME_NAMED };
const NAMES = Object.keys(SAME_NAMED) as (keyof typeof SAME_NAMED)[];
const FIRST = Object.keys(ALERT_COLUMNS).length - NAMES.length;
/** Columns whose values are not those of the row, such as JSON; null for others. */
const DECODED = Object.values(SAME_NAMED).map((column: Column) =>
  column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : column,
);

/** Alert in a row. */
export function toAlert({ lat, lng, ...row }: AlertRow): Alert {
  const alert: Record<string, unknown> = { point: { lat, lng } };
  for (const name of NAMES) alert[name] = row[name];
  return alert as Alert;
}

/** Alert in the values of `ALERT_COLUMNS`. Drizzle takes as long to map a row as SQLite to read it. */
export function readAlert(values: readonly unknown[]): Alert {
  const alert: Record<string, unknown> = { point: { lat: values[0], lng: values[1] } };
  for (let nth = 0; nth < NAMES.length; nth++) {
    const value = values[nth + FIRST];
    const column = DECODED[nth];
    alert[NAMES[nth]!] = column && value !== null ? column.mapFromDriverValue(value) : value;
  }
  return alert as Alert;
}
