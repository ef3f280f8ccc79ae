import { and, desc, eq, gt, isNull, ne, type SQL } from "drizzle-orm";
import { CAPS, FACTORS, QUOTAS } from "../src/core/caps.ts";
import type { PendingResult } from "../src/core/pending/pending.ts";
import type {
  ConfirmOutcome,
  ConfirmationChanges,
  NewRequest,
} from "../src/core/pending/request-store.ts";
import { insertAlert } from "./alerts.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { canRelay, conversationSubject, insertMessage, notifyOwner } from "./conversations.ts";
import { insertLinks } from "./links.ts";
import { insertEmails } from "./outbox.ts";
import {
  countUnconfirmed,
  ENDED,
  expireRequests,
  firstRequest,
  type FirstRequest,
  insertPending,
  insertRepeat,
  mailboxSubject,
  markConfirmed,
  pendingRow,
  releaseRepeats,
  sendIfRoom,
} from "./pending.ts";
import { usePhotos } from "./photos.ts";
import { first, hasRow, isRecent, lockRows } from "./queries.ts";
import { limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { canSight, insertSighting } from "./sightings.ts";
import { liftSuppression, suppressionSubject } from "./suppression.ts";
import {
  changeFrequency,
  hasRoomForZone,
  insertZone,
  sameZone,
  mailboxZonesSubject,
} from "./zones.ts";

/** Requests that wait for a confirmation by email: making and changing them. */
export function requestQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  const { write } = tools;
  return {
    addPending(request, now) {
      return write(subjectsOfRequest(request), async (tx) => {
        const refusal = await refusalOf(tx, request, now);
        if (refusal !== null) return refusal;
        const code = request.pending.names?.shortCode;
        if (code !== undefined) await tx.db.insert(tx.tables.shortCode).values({ code });
        await noteHits(tx, request.hits, now);
        const repeated = await firstRequest(tx, request.pending, now);
        if (repeated !== null) {
          const repeat = await insertRepeat(tx, request, repeated);
          const unsent = and(stillWaits(tx, repeated.id, now), isNull(pending.emailedAt));
          if (await hasRow(tx, pending, unsent))
            await sendIfRoom(tx, repeat, { ...request, email: emailAbout(repeated, request) }, now);
          return { kind: "kept", pending: repeat };
        }
        await insertRequest(tx, request, now);
        return { kind: "kept", pending: request.pending };
      });
    },

    async resend(id, resent, now) {
      const known = await pendingRow(tools, id);
      if (known === undefined) return false;
      return write(subjectsOfEmail(known.addressHash, resent), async (tx) => {
        const isFirst = and(stillWaits(tx, id, now), eq(pending.resent, false));
        const [row] = await tx.db.update(pending).set({ resent: true }).where(isFirst).returning();
        if (row === undefined) return false;
        // The email of a repeated request opens the request that it repeats.
        if (row.repeats === null || (await hasRow(tx, pending, stillWaits(tx, row.repeats, now))))
          await sendIfRoom(tx, row, resent, now);
        return true;
      });
    },

    async correctAddress(id, request, now) {
      return write(subjectsOfRequest(request), async (tx) => {
        const isOpen = stillWaits(tx, id, now);
        const requests = tx.db.select().from(pending).where(isOpen);
        const waiting = await first(tx.dialect.locking(requests, "no key update"));
        if (waiting === undefined || waiting.readdressed >= QUOTAS.addressCorrections)
          return { kind: "late" };
        const refusal = await refusalOf(tx, request, now);
        if (refusal !== null) return refusal;
        await noteHits(tx, request.hits, now);
        // The email to the mistyped address goes all the same: it counts against that mailbox, and its page lists what
        // waits there. Whoever withdrew it could use the budget up and leave no email.
        await expireRequests(tx, eq(pending.id, id), now);
        await releaseRepeats(tx, id);
        const fresh = { ...request.pending, readdressed: waiting.readdressed + 1 };
        await insertRequest(tx, { ...request, pending: fresh }, now);
        return { kind: "kept", pending: fresh };
      });
    },
  } satisfies Queries;
}

function subjectsOfRequest({ pending, hits, ...limits }: NewRequest): string[] {
  return [
    `content:${pending.contentHash}`,
    ...(pending.idempotencyHash === null ? [] : [`idempotency:${pending.idempotencyHash}`]),
    `network:${pending.networkHash}`,
    ...subjectsOf(hits),
    ...subjectsOfEmail(pending.addressHash, limits),
  ];
}

function subjectsOfEmail(addressHash: string, { domain }: Pick<NewRequest, "domain">): string[] {
  return [mailboxSubject(addressHash), ...subjectsOf(domain === null ? [] : [domain])];
}

/** Outcome of a request beyond a limit of its client or its network; null within them. */
async function refusalOf(tx: Tx, request: NewRequest, now: number) {
  const retryAt = await limitedUntil(tx, request.hits, now);
  if (retryAt !== null) return { kind: "limited" as const, retryAt };
  const freeAt = await networkLimitedUntil(tx, request, now);
  return freeAt === null ? null : { kind: "network_limited" as const, retryAt: freeAt };
}

/**
 * Time at which the network of a request may make one more of its kind; null if it may now. While there are more
 * unconfirmed requests than the instance allows, each network may make no more than one client; hosted assistants, whose
 * emails have a cap of their own, as many as before.
 */
async function networkLimitedUntil(
  tx: Tx,
  { unconfirmed, isShared, pending: { networkHash, kind } }: NewRequest,
  now: number,
): Promise<number | null> {
  if (unconfirmed === null) return null;
  const isBusy = !isShared && (await countUnconfirmed(tx, now)) >= CAPS.unconfirmedRequests.max;
  const max = Math.ceil(unconfirmed.max / (isBusy ? FACTORS.networkClients : 1));
  const { pending } = tx.tables;
  const counted = and(
    eq(pending.networkHash, networkHash),
    // Stated for the partial index.
    ne(pending.networkHash, ""),
    eq(pending.kind, kind),
    eq(pending.state, "waiting"),
    isRecent(pending.createdAt, now, unconfirmed.windowMs),
  );
  const newest = tx.db.select({ at: pending.createdAt }).from(pending).where(counted);
  const rows = await newest.orderBy(desc(pending.createdAt)).limit(max);
  const oldest = rows.at(-1);
  return rows.length < max || oldest === undefined ? null : oldest.at + unconfirmed.windowMs;
}

/** Condition for a request that its requester can still change. Without an address its subject no longer exists. */
function stillWaits({ tables: { pending } }: Reader, id: string, now: number) {
  return and(
    eq(pending.id, id),
    eq(pending.state, "waiting"),
    ne(pending.email, ""),
    gt(pending.expiresAt, now),
  );
}

/** Email of a request that repeats another, with the short code and the end of that one, which its link opens. */
function emailAbout(
  { names, expiresAt }: FirstRequest,
  { email }: NewRequest,
): NewRequest["email"] {
  const { content } = email;
  const shortCode = names?.shortCode ?? content.shortCode;
  return { ...email, content: { ...content, shortCode, expiresAt }, giveUpAt: expiresAt };
}

/** Adds a request, and sends its email if the mailbox may get it. */
async function insertRequest(tx: Tx, request: NewRequest, now: number): Promise<void> {
  await insertPending(tx, request.pending);
  await sendIfRoom(tx, request.pending, request, now);
}

export function confirmQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  return {
    async confirmPending(pendingId, changes, now) {
      const known = await pendingRow(tools, pendingId);
      if (known === undefined) return { kind: "late" };
      const { addressHash, mailboxHash } = known;
      const mailbox = [mailboxSubject(addressHash), suppressionSubject(mailboxHash)];
      const subjects = [...mailbox, ...subjectsOfChanges(changes)];
      return tools.write<ConfirmOutcome>(subjects, async (tx) => {
        // Of several requests at once, one finds it waiting.
        const waiting = await lockRows(tx, pending, isWaiting(tx, pendingId, now), "no key update");
        if (waiting.length === 0) return { kind: "late" };
        const refusal = await confirmationRefusal(tx, changes, now);
        if (refusal !== null) return refusal;
        const result = await applyChanges(tx, changes, now);
        await tx.db
          .update(pending)
          .set({ ...ENDED, state: "confirmed", result, confirmedAt: now })
          .where(eq(pending.id, pendingId));
        await markConfirmed(tx, addressHash, now);
        await liftSuppression(tx, mailboxHash);
        await usePhotos(tx, `pending:${pendingId}`, []);
        return { kind: "won" };
      });
    },
  } satisfies Queries;
}

/** Subjects of what is decided before changes are applied. */
function subjectsOfChanges(changes: ConfirmationChanges): string[] {
  const ownerHits = "ownerEmail" in changes ? (changes.ownerEmail?.hits ?? []) : [];
  const hits = subjectsOf([...changes.hits, ...ownerHits]);
  if (changes.kind === "zone") return [...hits, mailboxZonesSubject(changes.zone.email)];
  if (changes.kind !== "message" || changes.opened === null) return hits;
  const { alertId, strangerHash } = changes.opened;
  return [...hits, conversationSubject(alertId, strangerHash)];
}

function isWaiting({ tables: { pending } }: Reader, id: string, now: number): SQL | undefined {
  return and(eq(pending.id, id), eq(pending.state, "waiting"), gt(pending.expiresAt, now));
}

/** Reason why changes cannot be applied now; null if they can. */
async function confirmationRefusal(
  tx: Tx,
  changes: ConfirmationChanges,
  now: number,
): Promise<ConfirmOutcome | null> {
  switch (changes.kind) {
    case "publish":
      break;
    case "zone": {
      const { zone } = changes;
      if ((await sameZone(tx, zone)) === null && !(await hasRoomForZone(tx, zone.email)))
        return { kind: "zones_full" };
      break;
    }
    case "message": {
      const { alertId, message, opened } = changes;
      if (!(await canRelay(tx, alertId, message, opened))) return { kind: "outdated" };
      break;
    }
    case "sighting": {
      const { sighting, ownerEmail } = changes;
      if (!(await canSight(tx, sighting.alertId, ownerEmail?.email.to ?? null)))
        return { kind: "outdated" };
    }
  }
  const retryAt = await limitedUntil(tx, changes.hits, now);
  return retryAt === null ? null : { kind: "limited", retryAt };
}

async function applyChanges(
  tx: Tx,
  changes: ConfirmationChanges,
  now: number,
): Promise<PendingResult> {
  await noteHits(tx, changes.hits, now);
  switch (changes.kind) {
    case "publish": {
      const { alert, links, email } = changes;
      insertAlert(tx, alert, now);
      await usePhotos(tx, `alert:${alert.id}`, alert.photos);
      await insertLinks(tx, links);
      await insertEmails(tx, [email], `alert:${alert.id}`);
      return { kind: "publish", alertId: alert.id };
    }
    case "zone": {
      const { zone, links } = changes;
      const known = await sameZone(tx, zone);
      if (known === null) {
        await insertZone(tx, zone);
        await insertLinks(tx, links);
      } else await changeFrequency(tx, known, zone.frequency);
      return { kind: "zone", zoneId: known ?? zone.id };
    }
    case "message": {
      const { alertId, message, opened, links, ownerEmail } = changes;
      await insertMessage(tx, message, opened);
      await insertLinks(tx, links);
      await notifyOwner(tx, ownerEmail, { alertId, messageId: message.id }, now);
      return { kind: "message", alertId };
    }
    case "sighting": {
      const { sighting, ownerEmail } = changes;
      const { id, alertId } = sighting;
      await insertSighting(tx, sighting);
      await notifyOwner(tx, ownerEmail, { alertId, sightingId: id }, now);
      return { kind: "sighting", alertId };
    }
  }
}
