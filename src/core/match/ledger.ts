import { ALERT_TYPES, SPECIES } from "../alert.ts";
import type { Receipt } from "./commonness.ts";
import type { Counted } from "./crowd.ts";

/** What an alert was counted as, its point snapped. */
export type Entry = { readonly counted: Counted; readonly receipt: Receipt };

/**
 * What each active alert was counted as, by its key: once it is wiped or edited nothing else knows. A million are kept,
 * so they lie in typed arrays, some twenty bytes for each.
 */
export type Ledger = {
  /** Nothing may stand under the key. */
  enter(key: number, entry: Entry): void;
  /** The receipt that stands under the key, good until the next change; null when none does. */
  receipt(key: number): Receipt | null;
  /** Takes out what stands under the key; null when nothing does. */
  strike(key: number): Entry | null;
};

const ROWS_MIN = 256;
/** Kinds are counted from 1. */
const STRUCK = 0;

/** `accountsMax`: how many accounts a receipt holds at most. */
export function createLedger(accountsMax: number): Ledger {
  // Rows by rising key, which is how alerts come, with hardly an exception. A row that was struck stays where it is
  // until half of them are.
  let columns = emptyColumns(ROWS_MIN, accountsMax);
  let rows = 0;
  let struck = 0;

  /** The row of a key, or of the least one above it. */
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

  /** Leaves out what was struck, and makes room. */
  function tidy(): void {
    const [old, oldRows] = [columns, rows];
    columns = emptyColumns(Math.max(ROWS_MIN, 2 * (rows - struck)), accountsMax);
    rows = 0;
    struck = 0;
    for (let row = 0; row < oldRows; row++) {
      if (old.kinds[row] !== STRUCK) copyRow(old, row, columns, rows++, accountsMax);
    }
  }

  function openRow(row: number): void {
    rows++;
    if (row === rows - 1) return;
    const { keys, kinds, squares, accounts } = columns;
    keys.copyWithin(row + 1, row, rows - 1);
    kinds.copyWithin(row + 1, row, rows - 1);
    squares.copyWithin(row + 1, row, rows - 1);
    accounts.copyWithin((row + 1) * accountsMax, row * accountsMax, (rows - 1) * accountsMax);
  }

  return {
    enter(key, { counted, receipt }) {
      if (rows === columns.keys.length) tidy();
      const row = rowOf(key);
      if (isAt(row, key)) struck--;
      else openRow(row);
      const { keys, kinds, squares, accounts } = columns;
      keys[row] = key;
      kinds[row] = kindOf(counted);
      squares[row] = squareOf(counted);
      for (let nth = 0; nth < accountsMax; nth++)
        accounts[row * accountsMax + nth] = receipt[nth] ?? 0;
    },
    receipt(key) {
      const row = rowOf(key);
      if (!isAt(row, key) || columns.kinds[row] === STRUCK) return null;
      return columns.accounts.subarray(row * accountsMax, (row + 1) * accountsMax);
    },
    strike(key) {
      const row = rowOf(key);
      const kind = isAt(row, key) ? columns.kinds[row]! : STRUCK;
      if (kind === STRUCK) return null;
      const receipt = columns.accounts.slice(row * accountsMax, (row + 1) * accountsMax);
      const counted = countedAs(kind, columns.squares[row]!);
      columns.kinds[row] = STRUCK;
      struck++;
      if (2 * struck > rows && rows > ROWS_MIN) tidy();
      return { counted, receipt };
    },
  };
}

type Columns = ReturnType<typeof emptyColumns>;

function emptyColumns(rows: number, accountsMax: number) {
  return {
    keys: new Float64Array(rows),
    kinds: new Uint8Array(rows),
    squares: new Uint32Array(rows),
    accounts: new Uint16Array(rows * accountsMax),
  };
}

function copyRow(from: Columns, row: number, to: Columns, there: number, accountsMax: number) {
  to.keys[there] = from.keys[row]!;
  to.kinds[there] = from.kinds[row]!;
  to.squares[there] = from.squares[row]!;
  for (let nth = 0; nth < accountsMax; nth++)
    to.accounts[there * accountsMax + nth] = from.accounts[row * accountsMax + nth]!;
}

function kindOf({ type, species }: Counted): number {
  return 1 + SPECIES.indexOf(species) * ALERT_TYPES.length + ALERT_TYPES.indexOf(type);
}

/** A snapped point in one number: it has at most two decimals. */
function squareOf({ point }: Counted): number {
  return Math.round((point.lat + 90) * 100) * SQUARES_ROUND + Math.round((point.lng + 180) * 100);
}
const SQUARES_ROUND = 36_001;

function countedAs(kind: number, square: number): Counted {
  return {
    type: ALERT_TYPES[(kind - 1) % ALERT_TYPES.length]!,
    species: SPECIES[Math.floor((kind - 1) / ALERT_TYPES.length)]!,
    point: {
      lat: (Math.floor(square / SQUARES_ROUND) - 9_000) / 100,
      lng: ((square % SQUARES_ROUND) - 18_000) / 100,
    },
  };
}
