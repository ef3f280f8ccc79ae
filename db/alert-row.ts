import { Column } from "drizzle-orm";
import type { Alert, AlertStatus } from "../src/core/alerts/alert.ts";

/** Row of the table of alerts. */
export type AlertRow = Omit<Alert, "point"> &
  Alert["point"] & {
    readonly announcedAt: number | null;
    readonly comparedAt: number | null;
    readonly compareAt: number;
    readonly matchesMuted: boolean;
    readonly planMutedAt: number | null;
    readonly remindersMuted: boolean;
    readonly outcomeTold: boolean;
    readonly rowHash: string | null;
    readonly missedReads: number;
    readonly animalPage: string | null;
    readonly hiddenFrom: AlertStatus | null;
    readonly erasedAt: number | null;
    readonly revision: number;
  };

/** Reading of alerts from a table with these columns. */
export function alertMapping<AnyColumn extends Column>(
  columns: Readonly<Record<keyof AlertRow, AnyColumn>>,
) {
  // Without the columns that the store keeps for itself.
  const {
    lat,
    lng,
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
    ...sameNamed
  } = columns;
  const alertColumns = { lat, lng, ...sameNamed };
  const names = Object.keys(sameNamed) as Exclude<keyof Alert, "point">[];
  const first = Object.keys(alertColumns).length - names.length;
  /** Columns whose values are not those of the row, such as JSON; null for others. */
  const decoded = Object.values(sameNamed).map((column) =>
    column.mapFromDriverValue === Column.prototype.mapFromDriverValue ? null : column,
  );
  return {
    /** Columns of an `Alert`, in the order of the values that `readAlert` gets. */
    alertColumns,

    /** Alert in a row. */
    toAlert({ lat, lng, ...row }: AlertRow): Alert {
      const alert: Record<string, unknown> = { point: { lat, lng } };
      for (const name of names) alert[name] = row[name];
      return alert as Alert;
    },

    /** Alert in the values of `alertColumns`. Drizzle takes as long to map a row as SQLite to read it. */
    readAlert(values: readonly unknown[]): Alert {
      const alert: Record<string, unknown> = { point: { lat: values[0], lng: values[1] } };
      for (let nth = 0; nth < names.length; nth++) {
        const value = values[nth + first];
        const column = decoded[nth];
        alert[names[nth]!] = column && value !== null ? column.mapFromDriverValue(value) : value;
      }
      return alert as Alert;
    },
  };
}
