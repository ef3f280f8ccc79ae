import { and, eq, gt, isNull, lt, lte, ne } from "drizzle-orm";
import { hasRoom } from "../../src/core/confirmation/mailbox-budget.ts";
import { holdsAnything } from "../../src/core/erasure/erase.ts";
import { alertExists } from "./alerts.ts";
import {
  instanceHasRoom,
  isConfirmed,
  noteEmail,
  takesEmails,
  unanswered,
} from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import {
  allMailboxes,
  countOf,
  eraseSome,
  mailboxStatus,
  idsOfMailbox,
  sealedLinks,
  useUpLinks,
} from "./data-inventory.ts";
import { eraseAlerts, eraseZone } from "./erased-rows.ts";
import { answerLinkRequest } from "./links.ts";
import { confirmedMailbox } from "./mailbox-schema.ts";
import { alert, erasure, tombstone, zone } from "./schema.ts";
import type { Tombstone, TombstoneKind } from "./tombstones.ts";

/** Erasing for good, with tombstones so that no backup brings the data back. */
export function erasureQueries(tools: StoreTools) {
  const { db, read, write, withDiskFaults, tombstones } = tools;
  return {
    removeAlert(id, now) {
      if (!read(() => alertExists(tools, id))) return;
      eraseWithTombstone(tools, { kind: "alert", name: id, at: now }, () =>
        eraseAlerts(tools, [id], now),
      );
      tools.clearLog();
    },

    endZone(id, now) {
      const live = and(eq(zone.id, id), isNull(zone.endedAt));
      if (read(() => db.select({ id: zone.id }).from(zone).where(live).get()) === undefined) return;
      eraseWithTombstone(tools, { kind: "zone", name: id, at: now }, () =>
        eraseZone(tools, id, now),
      );
      tools.clearLog();
    },

    dataInventory: (email) => read(() => countOf(tools, idsOfMailbox(tools, email))),

    conversationLinks: (email) =>
      read(() => sealedLinks(tools, idsOfMailbox(tools, email).conversations)),

    mailboxStatus: (email) => read(() => mailboxStatus(tools, email)),

    addErasureLink(link, answer, now) {
      const { unconfirmedHash } = link;
      write(() => {
        const maySend = () =>
          unconfirmedHash === null || hasRoomForErasure(tools, unconfirmedHash, now);
        if (!answerLinkRequest(tools, answer, now, maySend)) return;
        db.insert(erasure).values(link).run();
        if (unconfirmedHash === null) return;
        const request = { addressHash: unconfirmedHash, networkHash: ERASURE_NETWORK };
        noteEmail(tools, request, answer.email.id, { kind: "single", atOnce: true }, now);
      });
    },

    erasureLink(tokenHash, now) {
      const good = and(eq(erasure.tokenHash, tokenHash), gt(erasure.expiresAt, now));
      const row = read(() => db.select().from(erasure).where(good).get());
      if (row === undefined) return null;
      const { email, expiresAt, erased, unconfirmedHash } = row;
      if (erased !== null) return { state: "done", erased, unconfirmedHash };
      return email === null ? null : { state: "waiting", email, expiresAt, unconfirmedHash };
    },

    beginErasure(email, now, addressHash) {
      const parts = read(() => idsOfMailbox(tools, email));
      const holdings = read(() => countOf(tools, parts));
      // Rows made while the clock was ahead must not outlive the tombstone.
      const upTo = Math.max(now, parts.newestAt);
      const notes = withDiskFaults(() => [
        tombstones.add("mailbox", email.toLowerCase(), upTo),
        ...(addressHash === undefined || !isConfirmed(tools, addressHash)
          ? []
          : [tombstones.add("confirmed", addressHash, upTo)]),
      ]);
      return { email, addressHash: addressHash ?? null, upTo, holdings, notes };
    },

    continueErasure({ email, addressHash, upTo, holdings, notes }, limit, now) {
      const isDone = write(() => {
        if (!eraseSome(tools, email, { upTo, limit, now })) return false;
        useUpLinks(tools, email, { upTo, now }, holdings);
        if (addressHash !== null) forgetConfirmed(tools, addressHash, upTo);
        for (const note of notes) noteApplied(tools, note);
        return true;
      });
      if (isDone) tools.clearLog();
      return isDone;
    },

    repeatErasures(now) {
      const applied = new Set(
        read(() => db.select().from(tombstone).all()).map(({ line }) => line),
      );
      // Not those applied here before: a person who returned while the clock was ahead would be erased again.
      const left = tombstones.all().filter(({ line }) => !applied.has(line));
      if (left.length === 0) return { alerts: 0, zones: 0, mailboxes: 0 };
      const erased = write(() => {
        const again = {
          alerts: eraseAlertsAgain(tools, left, now),
          zones: eraseZonesAgain(tools, left, now),
          mailboxes: erasePeopleAgain(tools, left, now),
        };
        forgetConfirmedAgain(tools, left);
        for (const { line } of left) noteApplied(tools, line);
        return again;
      });
      tools.clearLog();
      return erased;
    },

    deleteTombstones(before) {
      if (!withDiskFaults(() => tombstones.forget(before))) return;
      // Lines begin with their time, all in one form.
      const older = lt(tombstone.line, new Date(before).toISOString());
      write(() => db.delete(tombstone).where(older).run());
    },
  } satisfies Queries;
}

/**
 * Writes a tombstone, then erases in one transaction what it names. If the process ends between the two, the next start
 * finds a tombstone that was not applied.
 */
export function eraseWithTombstone<Result>(
  tools: StoreTools,
  { kind, name, at }: { kind: TombstoneKind; name: string; at: number },
  erase: () => Result,
): Result {
  const line = tools.withDiskFaults(() => tools.tombstones.add(kind, name, at));
  return tools.write(() => {
    const result = erase();
    noteApplied(tools, line);
    return result;
  });
}

/** Only inside `write`. */
function noteApplied({ db }: StoreTools, line: string): void {
  db.insert(tombstone).values({ line }).onConflictDoNothing().run();
}

/** Returns how many came back. Only inside `write`. */
function eraseAlertsAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "alert");
  if (marks.size === 0) return 0;
  const existing = tools.db
    .select({ id: alert.id })
    .from(alert)
    .where(ne(alert.status, "removed"))
    .all();
  const back = existing.filter(({ id }) => marks.has(tools.tombstones.mark("alert", id)));
  eraseAlerts(
    tools,
    back.map(({ id }) => id),
    now,
  );
  return back.length;
}

/** Returns how many came back. Only inside `write`. */
function eraseZonesAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "zone");
  if (marks.size === 0) return 0;
  const live = tools.db.select({ id: zone.id }).from(zone).where(isNull(zone.endedAt)).all();
  const back = live.filter(({ id }) => marks.has(tools.tombstones.mark("zone", id)));
  for (const { id } of back) eraseZone(tools, id, now);
  return back.length;
}

/** Returns the number of mailboxes of which something came back. Only inside `write`. */
function erasePeopleAgain(tools: StoreTools, stones: readonly Tombstone[], now: number): number {
  const marks = marksOf(stones, "mailbox");
  if (marks.size === 0) return 0;
  let mailboxes = 0;
  for (const mailbox of allMailboxes(tools)) {
    const upTo = marks.get(tools.tombstones.mark("mailbox", mailbox));
    if (upTo === undefined) continue;
    const erased = countOf(tools, idsOfMailbox(tools, mailbox, upTo));
    // At the start there are no requests to yield to.
    eraseSome(tools, mailbox, { upTo, limit: Number.MAX_SAFE_INTEGER, now });
    useUpLinks(tools, mailbox, { upTo, now }, erased);
    if (holdsAnything(erased)) mailboxes += 1;
  }
  return mailboxes;
}

/** Forgets that something was confirmed in a mailbox. Only inside `write`. */
function forgetConfirmed({ db }: StoreTools, addressHash: string, upTo: number): void {
  const known = eq(confirmedMailbox.addressHash, addressHash);
  db.delete(confirmedMailbox)
    .where(and(known, lte(confirmedMailbox.confirmedAt, upTo)))
    .run();
}

/** Only inside `write`. */
function forgetConfirmedAgain(tools: StoreTools, stones: readonly Tombstone[]): void {
  const marks = marksOf(stones, "confirmed");
  if (marks.size === 0) return;
  for (const { addressHash } of tools.db.select().from(confirmedMailbox).all()) {
    const upTo = marks.get(tools.tombstones.mark("confirmed", addressHash));
    if (upTo !== undefined) forgetConfirmed(tools, addressHash, upTo);
  }
}

/** Network of erasure emails in the budget of a mailbox: their requester is not stored. */
const ERASURE_NETWORK = "erasure";

/** True if an erasure email, which anyone can request, may go to a mailbox that confirmed nothing. */
function hasRoomForErasure(tools: StoreTools, addressHash: string, now: number): boolean {
  return (
    takesEmails(tools, addressHash) &&
    hasRoom(unanswered(tools, addressHash, now), ERASURE_NETWORK, now) &&
    instanceHasRoom(tools, now)
  );
}

/** Time of the newest tombstone of each mark: what is older is to be erased. */
function marksOf(stones: readonly Tombstone[], kind: TombstoneKind): Map<string, number> {
  const marks = new Map<string, number>();
  for (const { mark, at } of stones.filter((stone) => stone.kind === kind))
    marks.set(mark, Math.max(at, marks.get(mark) ?? at));
  return marks;
}
