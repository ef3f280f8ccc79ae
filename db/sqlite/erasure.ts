import { and, eq, gt, isNull, lt, lte, ne } from "drizzle-orm";
import { hasRoom } from "../../src/core/confirmation/mailbox-budget.ts";
import { type DataInventory, holdsAnything } from "../../src/core/erasure/erase.ts";
import { ownerSubject } from "../../src/core/push/push.ts";
import { alertExists } from "./alerts.ts";
import {
  instanceHasRoom,
  isConfirmed,
  markAnswered,
  noteEmail,
  takesEmails,
  unanswered,
} from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import {
  allMailboxes,
  countOf,
  erasureLinksOf,
  idsOfMailbox,
  mailboxStatus,
  sealedLinks,
} from "./data-inventory.ts";
import { eraseAlerts, eraseBatch, eraseZone } from "./erased-rows.ts";
import { idsOf } from "../expressions.ts";
import { ownerTopicName } from "../rows.ts";
import { endTopic, ownerTopics } from "./device-topics.ts";
import { hasRow } from "./expressions.ts";
import { answerLinkRequest } from "./links.ts";
import { confirmedMailbox } from "./mailbox-schema.ts";
import { alert, erasure, tombstone, zone } from "./schema.ts";
import { erasedAmong, type TombstoneKind } from "../tombstone.ts";

/** Erasure for good, with tombstones so that no backup brings the data back. */
export function erasureQueries(tools: StoreTools) {
  const { db, write, tombstones } = tools;
  return {
    removeAlert(id, now) {
      if (!alertExists(tools, id)) return;
      eraseWithTombstone(tools, { kind: "alert", name: id, at: now }, () =>
        eraseAlerts(tools, [id], now),
      );
      tools.clearLog();
    },

    endZone(id, now) {
      const live = and(eq(zone.id, id), isNull(zone.endedAt));
      if (!hasRow(db, zone, live)) return;
      eraseWithTombstone(tools, { kind: "zone", name: id, at: now }, () =>
        eraseZone(tools, id, now),
      );
      tools.clearLog();
    },

    endOwnerTopic(endpointHash, alertId, now) {
      const name = ownerTopicName(endpointHash, ownerSubject(alertId));
      const topic = ownerTopics(tools, endpointHash).get(name);
      if (topic === undefined) return;
      // One that was added while the clock was ahead must not outlive the tombstone.
      const at = Math.max(now, topic.createdAt);
      eraseWithTombstone(tools, { kind: "device", name, at }, () => endTopic(tools, topic, at));
      tools.clearLog();
    },

    dataInventory: (email) => countOf(tools, idsOfMailbox(tools, email)),

    conversationLinks: (email) => sealedLinks(tools, idsOfMailbox(tools, email).conversations),

    mailboxStatus: (email) => mailboxStatus(tools, email),

    addErasureLink(link, answer, now) {
      const { unconfirmedHash } = link;
      write(() => {
        const maySend = () =>
          unconfirmedHash === null || hasRoomForErasure(tools, unconfirmedHash, now);
        if (!answerLinkRequest(tools, answer, now, maySend)) return;
        db.insert(erasure).values(link).run();
        if (unconfirmedHash === null) return;
        const request = { addressHash: unconfirmedHash, networkHash: ERASURE_NETWORK };
        noteEmail(tools, request, answer.emails[0].id, { kind: "single", atOnce: true }, now);
      });
    },

    erasureLink(tokenHash, now) {
      const good = and(eq(erasure.tokenHash, tokenHash), gt(erasure.expiresAt, now));
      const row = db.select().from(erasure).where(good).get();
      if (row === undefined) return null;
      const { email, expiresAt, erased, unconfirmedHash } = row;
      if (erased !== null) return { state: "done", erased, unconfirmedHash };
      return email === null ? null : { state: "waiting", email, expiresAt, unconfirmedHash };
    },

    beginErasure(email, now, addressHash) {
      const ids = idsOfMailbox(tools, email);
      const inventory = countOf(tools, ids);
      // Rows made while the clock was ahead must not outlive the tombstone.
      const upTo = Math.max(now, ids.newestAt);
      const notes = [
        tombstones.add("mailbox", email.toLowerCase(), upTo),
        ...(addressHash === undefined || !isConfirmed(tools, addressHash)
          ? []
          : [tombstones.add("confirmed", addressHash, upTo)]),
      ];
      return { email, addressHash: addressHash ?? null, upTo, inventory, notes };
    },

    continueErasure({ email, addressHash, upTo, inventory, notes }, limit, now) {
      const isDone = write(() => {
        if (!eraseBatch(tools, email, { upTo, limit, now })) return false;
        useUpLinks(tools, email, { upTo, now }, inventory);
        if (addressHash !== null) forgetConfirmed(tools, addressHash, upTo);
        for (const note of notes) noteApplied(tools, note);
        return true;
      });
      if (isDone) tools.clearLog();
      return isDone;
    },

    repeatErasures(now) {
      const rows = db.select().from(tombstone).all();
      const applied = new Set(rows.map(({ line }) => line));
      // Without those already applied here: a person who returned while the clock was ahead would be erased again.
      const left = tombstones.all().filter(({ line }) => !applied.has(line));
      if (left.length === 0) return { alerts: 0, zones: 0, mailboxes: 0 };
      const erased = write(() => {
        const existing = db.select({ id: alert.id }).from(alert).where(ne(alert.status, "removed"));
        const alerts = erasedAmong(tombstones, left, "alert", idsOf(existing.all()));
        eraseAlerts(
          tools,
          alerts.map(({ name }) => name),
          now,
        );

        const live = db.select({ id: zone.id }).from(zone).where(isNull(zone.endedAt));
        const zones = erasedAmong(tombstones, left, "zone", idsOf(live.all()));
        for (const { name } of zones) eraseZone(tools, name, now);

        const topics = ownerTopics(tools);
        for (const { name, upTo } of erasedAmong(tombstones, left, "device", topics.keys()))
          endTopic(tools, topics.get(name)!, upTo);

        const mailboxes = erasedAmong(tombstones, left, "mailbox", allMailboxes(tools)).filter(
          ({ name, upTo }) => erasePersonAgain(tools, name, upTo, now),
        );

        const confirmed = db.select({ id: confirmedMailbox.addressHash }).from(confirmedMailbox);
        for (const { name, upTo } of erasedAmong(
          tombstones,
          left,
          "confirmed",
          idsOf(confirmed.all()),
        ))
          forgetConfirmed(tools, name, upTo);

        for (const { line } of left) noteApplied(tools, line);
        return { alerts: alerts.length, zones: zones.length, mailboxes: mailboxes.length };
      });
      tools.clearLog();
      return erased;
    },

    deleteTombstones(before) {
      if (!tombstones.forget(before)) return;
      // Lines begin with a time in one fixed format.
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
  const line = tools.tombstones.add(kind, name, at);
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

/** Uses up the erasure links of a mailbox, and stores in them what was erased. Only inside `write`. */
function useUpLinks(
  tools: StoreTools,
  email: string,
  { upTo, now }: { readonly upTo: number; readonly now: number },
  erased: DataInventory,
): void {
  const used = tools.db
    .update(erasure)
    .set({ email: null, erased })
    .where(erasureLinksOf(email, upTo))
    .returning({ hash: erasure.unconfirmedHash })
    .all();
  for (const { hash } of used) if (hash !== null) markAnswered(tools, hash, now);
}

/** Erases again what is left of a mailbox; returns whether there was anything. Only inside `write`. */
function erasePersonAgain(tools: StoreTools, mailbox: string, upTo: number, now: number): boolean {
  const erased = countOf(tools, idsOfMailbox(tools, mailbox, upTo));
  // At start-up there are no requests to yield to.
  eraseBatch(tools, mailbox, { upTo, limit: Number.MAX_SAFE_INTEGER, now });
  useUpLinks(tools, mailbox, { upTo, now }, erased);
  return holdsAnything(erased);
}

/** Forgets that something was confirmed in a mailbox. Only inside `write`. */
function forgetConfirmed({ db }: StoreTools, addressHash: string, upTo: number): void {
  const known = eq(confirmedMailbox.addressHash, addressHash);
  db.delete(confirmedMailbox)
    .where(and(known, lte(confirmedMailbox.confirmedAt, upTo)))
    .run();
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
