const KINDS = ["mailbox", "confirmed", "alert", "zone", "device"] as const;

/**
 * Kind of data erased for good: all data of a mailbox, the fact that it confirmed something, an alert, a zone, a device's
 * notifications about an alert.
 */
export type TombstoneKind = (typeof KINDS)[number];

/** Data that must not come back, identified by a keyed hash. It does not apply to data newer than `at`. */
export type Tombstone = {
  readonly at: number;
  readonly kind: TombstoneKind;
  readonly mark: string;
  /** `<time> <kind> <mark>`: lines sort by time. */
  readonly line: string;
};

/**
 * Tombstones, kept outside the database so that restoring a backup does not bring back what was erased since. They
 * contain only keyed hashes and times.
 */
export type Tombstones = {
  /** Keyed hash of a name in the list. */
  mark(kind: TombstoneKind, name: string): string;
  /** Adds a tombstone, which is durable when this resolves; resolves to its line. */
  add(kind: TombstoneKind, name: string, at: number): Promise<string>;
  /** All. Rejects with `unavailable` and a message for the operator if the list cannot be read. */
  all(): Promise<readonly Tombstone[]>;
  /** Drops those before a time; resolves to true if there were any. Rejects as `all` does. */
  forget(before: number): Promise<boolean>;
};

/** Place where tombstones are kept: a file, or a bucket. */
export type TombstoneList = {
  add(line: string): void | Promise<void>;
  all(): readonly Tombstone[] | Promise<readonly Tombstone[]>;
  /** Drops some of those before a time, or all; `oldestAt` is the least time that those it leaves can have. */
  dropBefore(time: number): Dropped | Promise<Dropped>;
};
export type Dropped = { readonly isAny: boolean; readonly oldestAt: number };

export function createTombstones(
  list: TombstoneList,
  keyedHash: (purpose: "tombstone", text: string) => string,
): Tombstones {
  const mark = (kind: TombstoneKind, name: string) => keyedHash("tombstone", `${kind} ${name}`);
  /** Lower bound of the oldest time, so that the list is not read each time. What other nodes add is newer. */
  let oldestAt = -Infinity;
  return {
    mark,
    async add(kind, name, at) {
      const line = `${new Date(at).toISOString()} ${kind} ${mark(kind, name)}`;
      await list.add(line);
      oldestAt = Math.min(oldestAt, at);
      return line;
    },
    all: async () => list.all(),
    async forget(before) {
      if (oldestAt >= before) return false;
      const dropped = await list.dropBefore(before);
      oldestAt = dropped.oldestAt;
      return dropped.isAny;
    },
  };
}

/** No tombstones, for a store that is never restored, such as one opened for reading. */
export const NO_TOMBSTONES: Tombstones = {
  mark: () => "",
  add: async () => "",
  all: async () => [],
  forget: async () => false,
};

const LINE = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) (${KINDS.join("|")}) ([0-9a-f]{64})$`,
);

/** Null if the line is not whole. */
export function tombstoneOf(line: string): Tombstone | null {
  const [, time = "", name, mark = ""] = LINE.exec(line) ?? [];
  const kind = KINDS.find((one) => one === name);
  return kind === undefined ? null : { at: Date.parse(time), kind, mark, line };
}

/** Those of the names that have a tombstone, each with the time up to which its data is to be erased. */
export function erasedAmong(
  { mark }: Pick<Tombstones, "mark">,
  stones: readonly Tombstone[],
  kind: TombstoneKind,
  names: Iterable<string>,
): { readonly name: string; readonly upTo: number }[] {
  const newest = new Map<string, number>();
  for (const { mark, at } of stones.filter((stone) => stone.kind === kind))
    newest.set(mark, Math.max(at, newest.get(mark) ?? at));
  if (newest.size === 0) return [];
  return [...names].flatMap((name) => {
    const upTo = newest.get(mark(kind, name));
    return upTo === undefined ? [] : [{ name, upTo }];
  });
}
