import { and, eq, gt, isNull, lt, ne } from "drizzle-orm";
import { holdsAnything } from "../../src/core/erasing.ts";
import { eraseAlerts } from "./erased-alerts.ts";
import {
  acquaintance,
  countOf,
  erasePart,
  everyMailbox,
  partsOf,
  sealedLinks,
  useUpLinks,
} from "./holdings.ts";
import { answerAsk } from "./link-asks.ts";
import { mayWriteTo } from "./pendings.ts";
import { alert, erasure, tombstone, zone } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import type { Tombstone, TombstoneKind } from "./tombstones.ts";
import { wipeZone } from "./zones.ts";

type Verbs = Pick<
  SyncStore,
  | "removeAlert"
  | "endZone"
  | "holdings"
  | "conversationLinks"
  | "acquaintance"
  | "addErasureLink"
  | "erasureLink"
  | "beginErasure"
  | "continueErasure"
  | "eraseAgain"
  | "forgetTombstones"
>;

/** What goes for good, and what sees to it that no backup brings it back. */
export function erasingVerbs(tools: StoreTools): Verbs {
  const { db, read, write, inWords, tombstones } = tools;
  return {
    removeAlert(id, now) {
      if (!read(() => isStanding(tools, id))) return;
      bury(tools, { kind: "alert", name: id, at: now }, () => eraseAlerts(tools, [id], now));
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

    acquaintance: (email) => read(() => acquaintance(tools, email)),

    addErasureLink(link, answer, now) {
      const { unconfirmedMark } = link;
      const mayGo = () => unconfirmedMark === null || mayWriteTo(tools, unconfirmedMark, now);
      write(() => {
        if (answerAsk(tools, answer, now, mayGo)) db.insert(erasure).values(link).run();
      });
    },

    erasureLink(tokenHash, now) {
      const good = and(eq(erasure.tokenHash, tokenHash), gt(erasure.expiresAt, now));
      const row = read(() => db.select().from(erasure).where(good).get());
      if (row === undefined) return null;
      const { email, expiresAt, erased, unconfirmedMark } = row;
      if (erased !== null) return { state: "done", erased, unconfirmedMark };
      return email === null ? null : { state: "waiting", email, expiresAt, unconfirmedMark };
    },

    beginErasure(email, now) {
      const parts = read(() => partsOf(tools, email));
      const holdings = read(() => countOf(tools, parts));
      // What came to be while the clock was ahead must not outlive its tombstone.
      const upTo = Math.max(now, parts.newestAt);
      const note = inWords(() => tombstones.add("mailbox", email.toLowerCase(), upTo));
      return { email, upTo, holdings, note };
    },

    continueErasure({ email, upTo, holdings, note }, limit, now) {
      const isDone = write(() => {
        if (!erasePart(tools, email, { upTo, limit, now })) return false;
        useUpLinks(tools, email, upTo, holdings);
        noteCarriedOut(tools, note);
        return true;
      });
      if (isDone) tools.clearLog();
      return isDone;
    },

    eraseAgain(now) {
      const carriedOut = new Set(
        read(() => db.select().from(tombstone).all()).map(({ line }) => line),
      );
      // What was carried out here is not again: who came back while the clock was ahead would go once more.
      const left = tombstones.all().filter(({ line }) => !carriedOut.has(line));
      if (left.length === 0) return { alerts: 0, zones: 0, mailboxes: 0 };
      const erased = write(() => {
        const again = {
          alerts: eraseAlertsAgain(tools, left, now),
          zones: eraseZonesAgain(tools, left, now),
          mailboxes: erasePeopleAgain(tools, left, now),
        };
        for (const { line } of left) noteCarriedOut(tools, line);
        return again;
      });
      tools.clearLog();
      return erased;
    },

    forgetTombstones(before) {
      if (!inWords(() => tombstones.forget(before))) return;
      // Lines begin with their time, all in one form.
      const older = lt(tombstone.line, new Date(before).toISOString());
      write(() => db.delete(tombstone).where(older).run());
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
  const line = tools.inWords(() => tools.tombstones.add(kind, name, at));
  return tools.write(() => {
    const result = erase();
    noteCarriedOut(tools, line);
    return result;
  });
}

/** Only inside `write`. */
function noteCarriedOut({ db }: StoreTools, line: string): void {
  db.insert(tombstone).values({ line }).onConflictDoNothing().run();
}

/** Whether an alert says anything. */
export function isStanding({ db }: StoreTools, alertId: string): boolean {
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
  eraseAlerts(
    tools,
    back.map(({ id }) => id),
    now,
  );
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
    const erased = countOf(tools, partsOf(tools, mailbox, upTo));
    // At the start nobody waits for a turn.
    erasePart(tools, mailbox, { upTo, limit: Number.MAX_SAFE_INTEGER, now });
    useUpLinks(tools, mailbox, upTo, erased);
    if (holdsAnything(erased)) mailboxes += 1;
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
