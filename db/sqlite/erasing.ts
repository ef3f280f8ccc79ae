import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { holdsAnything } from "../../src/core/erasing.ts";
import { eraseAlert } from "./alerts.ts";
import { countOf, eraseParts, everyMailbox, partsOf, sealedLinks } from "./holdings.ts";
import { insertLetters } from "./outbox.ts";
import { alert, counter, erasure, zone } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { digestWith, type Tombstone, type TombstoneKind } from "./tombstones.ts";
import { wipeZone } from "./zones.ts";

type Verbs = Pick<
  SyncStore,
  | "removeAlert"
  | "endZone"
  | "holdings"
  | "conversationLinks"
  | "addErasureLink"
  | "erasureLink"
  | "erasePerson"
  | "eraseAgain"
  | "forgetTombstones"
>;

/** What goes for good, and what sees to it that no backup brings it back. */
export function erasingVerbs(tools: StoreTools): Verbs {
  const { db, read, write, tombstones } = tools;
  return {
    removeAlert(id, now) {
      if (!read(() => isThere(tools, id))) return;
      bury(tools, { kind: "alert", name: id, at: now }, () => eraseAlert(tools, id, now));
      tools.clearLog();
    },

    endZone(id, now) {
      const live = and(eq(zone.id, id), isNull(zone.endedAt));
      if (read(() => db.select({ id: zone.id }).from(zone).where(live).get()) === undefined) return;
      bury(tools, { kind: "zone", name: id, at: now }, () => wipeZone(tools, id, now));
      tools.clearLog();
    },

    holdings: (email) => read(() => countOf(tools, partsOf(tools, email))),

    conversationLinks: (email) =>
      read(() => sealedLinks(tools, partsOf(tools, email).conversations)),

    addErasureLink(fresh, letter) {
      write(() => {
        if (!holdsAnything(countOf(tools, partsOf(tools, fresh.email)))) return;
        db.insert(erasure).values(fresh).run();
        insertLetters(tools, [letter], null);
      });
    },

    erasureLink(tokenHash, now) {
      const good = and(eq(erasure.tokenHash, tokenHash), gt(erasure.expiresAt, now));
      const row = read(() => db.select().from(erasure).where(good).get());
      if (row === undefined) return null;
      if (row.erased !== null) return { state: "done", erased: row.erased };
      const { email, expiresAt } = row;
      return email === null ? null : { state: "waiting", email, expiresAt };
    },

    erasePerson(email, now) {
      // What came to be while the clock was ahead must not outlive its tombstone.
      const { newestAt } = read(() => partsOf(tools, email));
      const at = Math.max(now, newestAt);
      const stone = { kind: "mailbox", name: email.toLowerCase(), at } as const;
      const erased = bury(tools, stone, () => eraseParts(tools, email, now));
      tools.clearLog();
      return erased;
    },

    eraseAgain(now) {
      const digest = tombstones.digest();
      const carriedOut = read(() => db.select({ digest: counter.tombstones }).from(counter).get());
      if ((carriedOut?.digest ?? null) === digest) return { alerts: 0, zones: 0, mailboxes: 0 };
      const stones = tombstones.all();
      const erased = write(() => {
        const again = {
          alerts: eraseAlertsAgain(tools, stones, now),
          zones: eraseZonesAgain(tools, stones, now),
          mailboxes: erasePeopleAgain(tools, stones, now),
        };
        db.update(counter).set({ tombstones: digest }).run();
        return again;
      });
      tools.clearLog();
      return erased;
    },

    forgetTombstones(before) {
      const digest = read(tombstones.digest);
      if (!read(() => tombstones.forget(before))) return;
      // Only where all was carried out; else the next start does it.
      write(() =>
        db
          .update(counter)
          .set({ tombstones: tombstones.digest() })
          .where(sql`${counter.tombstones} is ${digest}`)
          .run(),
      );
    },
  };
}

/**
 * Writes a tombstone, then erases in one transaction what it stands for: cut short between the two, the next start
 * finds a list that was not carried out to its end.
 */
export function bury<Result>(
  tools: StoreTools,
  { kind, name, at }: { kind: TombstoneKind; name: string; at: number },
  erase: () => Result,
): Result {
  const { db } = tools;
  const line = tools.read(() => tools.tombstones.add(kind, name, at));
  return tools.write(() => {
    const result = erase();
    const before = db.select({ digest: counter.tombstones }).from(counter).get();
    db.update(counter)
      .set({ tombstones: digestWith(before?.digest ?? null, line) })
      .run();
    return result;
  });
}

/** Whether an alert says anything. */
export function isThere({ db }: StoreTools, alertId: string): boolean {
  const standing = and(eq(alert.id, alertId), ne(alert.status, "removed"));
  return db.select({ id: alert.id }).from(alert).where(standing).get() !== undefined;
}

/** Gives how many came back. Only inside `write`. */
function eraseAlertsAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "alert");
  if (marks.size === 0) return 0;
  const standing = tools.db
    .select({ id: alert.id })
    .from(alert)
    .where(ne(alert.status, "removed"))
    .all();
  const back = standing.filter(({ id }) => marks.has(tools.tombstones.mark("alert", id)));
  for (const { id } of back) eraseAlert(tools, id, now);
  return back.length;
}

/** Gives how many came back. Only inside `write`. */
function eraseZonesAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "zone");
  if (marks.size === 0) return 0;
  const live = tools.db.select({ id: zone.id }).from(zone).where(isNull(zone.endedAt)).all();
  const back = live.filter(({ id }) => marks.has(tools.tombstones.mark("zone", id)));
  for (const { id } of back) wipeZone(tools, id, now);
  return back.length;
}

/** Gives of how many mailboxes something came back. Only inside `write`. */
function erasePeopleAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "mailbox");
  if (marks.size === 0) return 0;
  let mailboxes = 0;
  for (const mailbox of everyMailbox(tools)) {
    const upTo = marks.get(tools.tombstones.mark("mailbox", mailbox));
    if (upTo === undefined) continue;
    const erased = eraseParts(tools, mailbox, now, upTo);
    if (Object.values(erased).some((many) => many > 0)) mailboxes += 1;
  }
  return mailboxes;
}

/** By mark, up to when what it stands for came to be. */
function marksOf(stones: readonly Tombstone[], kind: TombstoneKind): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { mark, at } of stones.filter((stone) => stone.kind === kind))
    marks.set(mark, Math.max(at, marks.get(mark) ?? at));
  return marks;
}
