import { and, eq, gt, isNull, lt, lte, ne } from "drizzle-orm";
import { hasRoom } from "../src/core/pending/pending.ts";
import { MINUTE_MS } from "../src/core/duration.ts";
import { holdsAnything } from "../src/core/erasure/erase.ts";
import { ownerSubject } from "../src/core/push/push.ts";
import { isUnremoved } from "./alerts.ts";
import {
  isConfirmed,
  mailboxSubject,
  markAnswered,
  noteEmail,
  takesEmails,
  unanswered,
} from "./pending.ts";
import type { Queries, StoreTools, Tx } from "./context.ts";
import {
  allMailboxes,
  eraseAlerts,
  eraseBatch,
  eraseZone,
  countOf,
  erasureLinksOf,
  idsOfMailbox,
  mailboxStatus,
  sealedLinks,
} from "./personal-data.ts";
import { endTopic, ownerTopicName, ownerTopics } from "./device-topics.ts";
import { answerLinkRequest, subjectsOfAnswer } from "./links.ts";
import { idsOf, first, hasRow } from "./queries.ts";
import { erasedAmong, type TombstoneKind } from "./tombstone.ts";
import type { DataInventory } from "../src/core/erasure/erasure-store.ts";

/**
 * Erasure for good, with tombstones so that no backup brings the data back. A tombstone is written before the transaction
 * that erases: if the process ends between the two, the next start finds one that was not applied.
 */
export function erasureQueries(tools: StoreTools) {
  const { alert, confirmedMailbox, erasure, tombstone, zone } = tools.tables;
  const { db, read, write, tombstones } = tools;
  return {
    async removeAlert(id, now) {
      if (!(await hasRow(tools, alert, isUnremoved(tools, id)))) return;
      const line = await tombstones.add("alert", id, now);
      await write([], async (tx) => {
        await eraseAlerts(tx, [id], now);
        await noteApplied(tx, [line]);
      });
    },

    async endZone(id, now) {
      const live = and(eq(zone.id, id), isNull(zone.endedAt));
      if (!(await hasRow(tools, zone, live))) return;
      const line = await tombstones.add("zone", id, now);
      await write([], async (tx) => {
        await eraseZone(tx, id, now);
        await noteApplied(tx, [line]);
      });
    },

    async endOwnerTopic(endpointHash, alertId, now) {
      const name = ownerTopicName(endpointHash, ownerSubject(alertId));
      const topic = (await ownerTopics(tools, endpointHash)).get(name);
      if (topic === undefined) return;
      // One that was added while the clock was ahead must not outlive the tombstone.
      const at = Math.max(now, topic.createdAt);
      const line = await tombstones.add("device", name, at);
      await write([`device:${endpointHash}`], async (tx) => {
        await endTopic(tx, topic, at);
        await noteApplied(tx, [line]);
      });
    },

    dataInventory: (email) =>
      read(async (reader) => countOf(reader, await idsOfMailbox(reader, email))),

    conversationLinks: (email) =>
      read(async (reader) => {
        const { conversations } = await idsOfMailbox(reader, email);
        return sealedLinks(reader, conversations);
      }),

    mailboxStatus: (email) => mailboxStatus(tools, email),

    async addErasureLink(link, answer, now) {
      const { unconfirmedHash } = link;
      const subjects = unconfirmedHash === null ? [] : [mailboxSubject(unconfirmedHash)];
      await write([...subjectsOfAnswer(answer), ...subjects], async (tx) => {
        const maySend = async () =>
          unconfirmedHash === null || hasRoomForErasure(tx, unconfirmedHash, now);
        if (!(await answerLinkRequest(tx, answer, now, maySend))) return;
        await tx.db.insert(erasure).values(link);
        if (unconfirmedHash === null) return;
        await noteEmail(tx, { addressHash: unconfirmedHash, ...ERASURE }, answer.emails[0].id, now);
      });
    },

    async erasureLink(tokenHash, now) {
      const good = and(eq(erasure.tokenHash, tokenHash), gt(erasure.expiresAt, now));
      const row = await first(db.select().from(erasure).where(good));
      if (row === undefined) return null;
      const { email, expiresAt, erased, unconfirmedHash } = row;
      if (erased !== null) return { state: "done", erased, unconfirmedHash };
      return email === null ? null : { state: "waiting", email, expiresAt, unconfirmedHash };
    },

    async beginErasure(email, now, addressHash) {
      const { ids, inventory } = await read(async (reader) => {
        const ids = await idsOfMailbox(reader, email);
        return { ids, inventory: await countOf(reader, ids) };
      });
      // Rows made while the clock was ahead must not outlive the tombstone.
      const upTo = Math.max(now, ids.newestAt);
      const notes = [await tombstones.add("mailbox", email, upTo)];
      if (addressHash !== undefined && (await isConfirmed(tools, addressHash)))
        notes.push(await tombstones.add("confirmed", addressHash, upTo));
      return { email, addressHash: addressHash ?? null, upTo, inventory, notes };
    },

    continueErasure({ email, addressHash, upTo, inventory, notes }, limit, now) {
      return write([personSubject(email)], async (tx) => {
        if (!(await eraseBatch(tx, email, { upTo, limit, now }))) return false;
        await useUpLinks(tx, email, upTo, inventory);
        if (addressHash !== null) await forgetConfirmed(tx, addressHash, upTo);
        await noteApplied(tx, notes);
        return true;
      });
    },

    async repeatErasures(now) {
      const rows = await db.select().from(tombstone);
      const applied = new Set(rows.map(({ line }) => line));
      // Without those already applied here: a person who returned while the clock was ahead would be erased again.
      const left = (await tombstones.all()).filter(({ line }) => !applied.has(line));
      if (left.length === 0) return { alerts: 0, zones: 0, mailboxes: 0 };
      return write(
        ["erasures"],
        async (tx) => {
          const among = (kind: TombstoneKind, names: Iterable<string>) =>
            erasedAmong(tombstones, left, kind, names);
          const isThere = ne(alert.status, "removed");
          const existing = tx.db.select({ id: alert.id }).from(alert).where(isThere);
          const alerts = among("alert", idsOf(await existing)).map(({ name }) => name);
          await eraseAlerts(tx, alerts, now);

          const live = tx.db.select({ id: zone.id }).from(zone).where(isNull(zone.endedAt));
          const zones = among("zone", idsOf(await live));
          for (const { name } of zones) await eraseZone(tx, name, now);

          const topics = await ownerTopics(tx);
          for (const { name, upTo } of among("device", topics.keys()))
            await endTopic(tx, topics.get(name)!, upTo);

          let mailboxes = 0;
          for (const { name, upTo } of among("mailbox", await allMailboxes(tx)))
            if (await erasePersonAgain(tx, name, upTo, now)) mailboxes += 1;

          const { addressHash } = confirmedMailbox;
          const confirmed = tx.db.select({ id: addressHash }).from(confirmedMailbox);
          for (const { name, upTo } of among("confirmed", idsOf(await confirmed)))
            await forgetConfirmed(tx, name, upTo);

          const lines = left.map(({ line }) => line);
          await noteApplied(tx, lines);
          return { alerts: alerts.length, zones: zones.length, mailboxes };
        },
        REPEAT_STATEMENT_MS_MAX,
      );
    },

    async deleteTombstones(before) {
      if (!(await tombstones.forget(before))) return;
      // Lines begin with a time in one fixed format.
      const older = lt(tombstone.line, new Date(before).toISOString());
      await write([], (tx) => tx.db.delete(tombstone).where(older));
    },
  } satisfies Queries;
}

/** Repeated erasures read all names and mailboxes, at start-up after a restored backup. */
const REPEAT_STATEMENT_MS_MAX = 10 * MINUTE_MS;

/** Subject of an erasure of a person. */
function personSubject(email: string): string {
  return `person:${email.toLowerCase()}`;
}

/** Notes that tombstones were applied, and that what they erased is to be removed from the files of the database. */
export async function noteApplied(tx: Tx, lines: readonly string[]): Promise<void> {
  const { tombstone } = tx.tables;
  const rows = lines.map((line) => ({ line }));
  if (rows.length > 0) await tx.db.insert(tombstone).values(rows).onConflictDoNothing();
  await tx.oweErasure();
}

/** Uses up the erasure links of a mailbox, and stores in them what was erased. */
async function useUpLinks(
  tx: Tx,
  email: string,
  upTo: number,
  erased: DataInventory,
): Promise<void> {
  const { erasure } = tx.tables;
  const used = await tx.db
    .update(erasure)
    .set({ email: null, erased })
    .where(erasureLinksOf(tx, email, upTo))
    .returning({ hash: erasure.unconfirmedHash });
  for (const { hash } of used) if (hash !== null) await markAnswered(tx, hash);
}

/** Erases again what is left of a mailbox; returns whether there was anything. */
async function erasePersonAgain(
  tx: Tx,
  mailbox: string,
  upTo: number,
  now: number,
): Promise<boolean> {
  const erased = await countOf(tx, await idsOfMailbox(tx, mailbox, upTo));
  await eraseBatch(tx, mailbox, { upTo, limit: Number.MAX_SAFE_INTEGER, now });
  await useUpLinks(tx, mailbox, upTo, erased);
  return holdsAnything(erased);
}

/** Forgets that something was confirmed in a mailbox. */
async function forgetConfirmed(tx: Tx, addressHash: string, upTo: number): Promise<void> {
  const { confirmedMailbox } = tx.tables;
  const known = eq(confirmedMailbox.addressHash, addressHash);
  await tx.db.delete(confirmedMailbox).where(and(known, lte(confirmedMailbox.confirmedAt, upTo)));
}

/** Erasure emails in the budget of a mailbox, as those of one network: their requester is not stored. */
const ERASURE = { kind: "erase", networkHash: "erasure" } as const;

/** True if an erasure email, which anyone can request, may go to a mailbox that confirmed nothing. */
async function hasRoomForErasure(tx: Tx, addressHash: string, now: number): Promise<boolean> {
  return (
    (await takesEmails(tx, addressHash)) && hasRoom(await unanswered(tx, addressHash, now), ERASURE)
  );
}
