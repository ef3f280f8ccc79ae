import { ALERT_TYPES, SPECIES } from "../core/alerts/alert.ts";
import type { CountedAlert } from "./density.ts";
import type { ObservationIds } from "./frequency.ts";

/** Contribution of an alert to the statistics; its point is snapped. */
export type Contribution = {
  readonly alert: CountedAlert;
  readonly observationIds: ObservationIds;
};

/**
 * Contribution of each active alert by its key, needed to undo it once the alert is edited or erased. There can be a
 * million, so they are rows of typed arrays, some 20 bytes each: a `Map` would triple the memory of the statistics.
 */
export type Contributions = {
  /** Adds the contribution of a key that has none. */
  set(key: number, contribution: Contribution): void;
  /** Ids of a key, valid until the next change; null if it has none. */
  observationIds(key: number): ObservationIds | null;
  /** Removes and returns the contribution of a key; null if it has none. */
  remove(key: number): Contribution | null;
};

const ROWS_MIN = 256;
/** Kind of a removed row; other kinds start at 1. */
const REMOVED = 0;

/** `idsMax`: ids that a contribution can hold. */
export function createContributions(idsMax: number): Contributions {
  // Rows are sorted by key, which is nearly always the order in which alerts come. A removed row stays until half of
  // them are removed.
  let columns = emptyColumns(ROWS_MIN, idsMax);
  let rows = 0;
  let removed = 0;

  /** Row of a key, or of the smallest key above it. */
  function rowOf(key: number): number {
    const { keys } = columns;
    if (rows === 0 || keys[rows - 1]! < key) return rows;
    let [low, high] = [0, rows - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const isAt = (row: number, key: number) => row < rows && columns.keys[row] === key;

  /** Drops the removed rows and makes room. */
  function compact(): void {
    const [old, oldRows] = [columns, rows];
    columns = emptyColumns(Math.max(ROWS_MIN, 2 * (rows - removed)), idsMax);
    rows = 0;
    removed = 0;
    for (let row = 0; row < oldRows; row++) {
      if (old.kinds[row] === REMOVED) continue;
      columns.keys[rows] = old.keys[row]!;
      columns.kinds[rows] = old.kinds[row]!;
      columns.cells[rows] = old.cells[row]!;
      for (let nth = 0; nth < idsMax; nth++)
        columns.ids[rows * idsMax + nth] = old.ids[row * idsMax + nth]!;
      rows++;
    }
  }

  function insertRow(row: number): void {
    rows++;
    if (row === rows - 1) return;
    const { keys, kinds, cells, ids } = columns;
    for (const column of [keys, kinds, cells]) column.copyWithin(row + 1, row, rows - 1);
    ids.copyWithin((row + 1) * idsMax, row * idsMax, (rows - 1) * idsMax);
  }

  return {
    set(key, { alert, observationIds }) {
      if (rows === columns.keys.length) compact();
      const row = rowOf(key);
      if (isAt(row, key)) removed--;
      else insertRow(row);
      columns.keys[row] = key;
      columns.kinds[row] = kindOf(alert);
      columns.cells[row] = cellOf(alert);
      for (let nth = 0; nth < idsMax; nth++)
        columns.ids[row * idsMax + nth] = observationIds[nth] ?? 0;
    },
    observationIds(key) {
      const row = rowOf(key);
      if (!isAt(row, key) || columns.kinds[row] === REMOVED) return null;
      return columns.ids.subarray(row * idsMax, (row + 1) * idsMax);
    },
    remove(key) {
      const row = rowOf(key);
      const kind = isAt(row, key) ? columns.kinds[row]! : REMOVED;
      if (kind === REMOVED) return null;
      const observationIds = columns.ids.slice(row * idsMax, (row + 1) * idsMax);
      const alert = alertOf(kind, columns.cells[row]!);
      columns.kinds[row] = REMOVED;
      removed++;
      if (2 * removed > rows && rows > ROWS_MIN) compact();
      return { alert, observationIds };
    },
  };
}

function emptyColumns(rows: number, idsMax: number) {
  return {
    keys: new Float64Array(rows),
    kinds: new Uint8Array(rows),
    cells: new Uint32Array(rows),
    ids: new Uint16Array(rows * idsMax),
  };
}

function kindOf({ type, species }: CountedAlert): number {
  return 1 + SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type);
}

/** A snapped point as one number: its coordinates have two decimals at most. */
function cellOf({ point }: CountedAlert): number {
  return Math.round((point.lat + 90) * 100) * CELLS_IN_ROW + Math.round((point.lng + 180) * 100);
}
const CELLS_IN_ROW = 36_001;

function alertOf(kind: number, cell: number): CountedAlert {
  return {
    type: ALERT_TYPES[(kind - 1) % ALERT_TYPES.length]!,
    species: SPECIES[Math.floor((kind - 1) / ALERT_TYPES.length)]!,
    point: {
      lat: (Math.floor(cell / CELLS_IN_ROW) - 9_000) / 100,
      lng: ((cell % CELLS_IN_ROW) - 18_000) / 100,
    },
  };
}
