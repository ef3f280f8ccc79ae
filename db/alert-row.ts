import { Column, getTableColumns } from "drizzle-orm";
import type { Alert } from "../src/core/alerts/alert.ts";
import type { Row, Tables } from "./schema/tables.ts";

/** Alert in a row, without the columns that the store keeps for itself. */
export function toAlert(row: Row<"alert">): Alert {
  const { lat, lng, ...columns } = withoutOwn(row);
  return { point: { lat, lng }, ...columns };
}

/** A row or the columns of the table, without what the store keeps for itself. */
function withoutOwn<Values extends Record<keyof Row<"alert">, unknown>>({
  announcedAt: _announcedAt,
  comparedAt: _comparedAt,
  compareAt: _compareAt,
  matchesMuted: _matchesMuted,
  planMutedAt: _planMutedAt,
  remindersMuted: _remindersMuted,
  outcomeTold: _outcomeTold,
  rowHash: _rowHash,
  missedReads: _missedReads,
  animalPage: _animalPage,
  hiddenFrom: _hiddenFrom,
  erasedAt: _erasedAt,
  revision: _revision,
  ...columns
}: Values) {
  return columns;
}

/** Columns of an `Alert`, in the order of the values that `readAlert` gets. */
export function alertColumns({ alert }: Tables) {
  const { lat, lng, ...sameNamed } = withoutOwn(getTableColumns(alert));
  return { lat, lng, ...sameNamed };
}

/** Reader of alerts from the values of `alertColumns`. Drizzle takes as long to map a row as SQLite to read it. */
export function alertReader(tables: Tables): (values: readonly unknown[]) => Alert {
  const columns = Object.entries<Column>(alertColumns(tables));
  const names = columns.map(([name]) => name);
  /** Columns whose values are not those of the row, such as JSON; null for others. */
  const decoded = columns.map(([, column]) =>
    column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : column,
  );
  return (values) => {
    const alert: Record<string, unknown> = { point: { lat: values[0], lng: values[1] } };
    for (let nth = 2; nth < names.length; nth++) {
      const value = values[nth];
      const column = decoded[nth];
      alert[names[nth]!] = column && value !== null ? column.mapFromDriverValue(value) : value;
    }
    return alert as Alert;
  };
}
