/**
 * Kind of data erased for good: all data of a mailbox, the fact that it confirmed something, an alert, a zone, what a device
 * is told about an alert.
 */
export type TombstoneKind = "mailbox" | "confirmed" | "alert" | "zone" | "device";

/** Data that must not come back, identified by a keyed hash. It does not apply to data newer than `at`. */
export type Tombstone = {
  readonly at: number;
  readonly kind: TombstoneKind;
  readonly mark: string;
  /** Its line in the list. */
  readonly line: string;
};

/**
 * Tombstones, kept outside the database so that restoring a backup does not bring back what was erased since. They
 * contain only keyed hashes and times.
 */
export type Tombstones = {
  /** Keyed hash of a name in the list. */
  mark(kind: TombstoneKind, name: string): string;
  /** Adds a tombstone, which is durable when this returns; returns its line. */
  add(kind: TombstoneKind, name: string, at: number): string;
  /** All, in the order they were added. Throws `unavailable` with a message for the operator if the list cannot be read. */
  all(): readonly Tombstone[];
  /** Drops those before a time; returns whether there were any. Throws what `all` throws. */
  forget(before: number): boolean;
};

/** Tombstones that may be kept on another machine. */
export type RemoteTombstones = {
  readonly [Name in keyof Tombstones]: (
    ...args: Parameters<Tombstones[Name]>
  ) => Name extends "mark"
    ? ReturnType<Tombstones[Name]>
    : ReturnType<Tombstones[Name]> | Promise<ReturnType<Tombstones[Name]>>;
};

/** No tombstones, for a store that is never restored, such as one opened for reading. */
export const NO_TOMBSTONES: Tombstones = {
  mark: () => "",
  add: () => "",
  all: () => [],
  forget: () => false,
};

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
