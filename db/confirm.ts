import { and, eq, gt, type SQL } from "drizzle-orm";
import type { PendingResult } from "../src/core/pending/pending.ts";
import type { ConfirmationChanges, ConfirmOutcome } from "../src/core/pending/request-store.ts";
import { insertAlert } from "./alerts.ts";
import { mailboxSubject, markConfirmed } from "./confirmation-emails.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { canRelay, conversationSubject, insertMessage } from "./conversations.ts";
import { insertLinks } from "./links.ts";
import { insertEmails } from "./outbox.ts";
import { notifyOwner } from "./owner-news.ts";
import { pendingRow } from "./pending.ts";
import { usePhotos } from "./photos.ts";
import { lockRows } from "./queries.ts";
import { limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";
import { ENDED } from "./rows.ts";
import { canSight, insertSighting } from "./sightings.ts";
import { liftSuppression, suppressionSubject } from "./suppression.ts";
import { changeFrequency, hasRoomForZone, insertZone, sameZone, zonesSubject } from "./zones.ts";

export function confirmQueries(tools: StoreTools) {
  const { pending } = tools.tables;
  return {
    async confirmPending(pendingId, requested, now) {
      const known = await pendingRow(tools, pendingId);
      if (known === undefined) return { kind: "late" };
      const subjects = [mailboxSubject(known.addressHash), ...subjectsOfChanges(requested)];
      return tools.write<ConfirmOutcome>(subjects, async (tx) => {
        // Of several requests at once, one finds it waiting.
        const waiting = await lockRows(tx, pending, isWaiting(tx, pendingId, now), "no key update");
        if (waiting.length === 0) return { kind: "late" };
        const changes = await withExistingZone(tx, requested);
        const refusal = await refusalOf(tx, changes, now);
        if (refusal !== null) return refusal;
        await tx.db
          .update(pending)
          .set({ ...ENDED, state: "confirmed", result: changes.result, confirmedAt: now })
          .where(eq(pending.id, pendingId));
        await markConfirmed(tx, known.addressHash, now);
        await apply(tx, changes, now);
        if (requested.zone !== undefined && changes.result.kind === "zone")
          await changeFrequency(tx, changes.result.zoneId, requested.zone.frequency);
        await usePhotos(tx, `pending:${pendingId}`, []);
        return { kind: "won" };
      });
    },
  } satisfies Queries;
}

/** Subjects of what is decided before changes are applied. */
function subjectsOfChanges(changes: ConfirmationChanges): string[] {
  const { conversation, zone, mailboxHash, hits = [], ownerEmail } = changes;
  return [
    ...subjectsOf([...hits, ...(ownerEmail?.hits ?? [])]),
    ...(zone === undefined ? [] : [zonesSubject(zone.email)]),
    ...(mailboxHash === undefined ? [] : [suppressionSubject(mailboxHash)]),
    ...(conversation === undefined
      ? []
      : [conversationSubject(conversation.alertId, conversation.strangerHash)]),
  ];
}

function isWaiting({ tables: { pending } }: Reader, id: string, now: number): SQL | undefined {
  return and(eq(pending.id, id), eq(pending.state, "waiting"), gt(pending.expiresAt, now));
}

/** Changes without their zone, and with the existing one as their result, if the mailbox already has the same circle. */
async function withExistingZone(
  tx: Tx,
  changes: ConfirmationChanges,
): Promise<ConfirmationChanges> {
  const zoneId = changes.zone === undefined ? null : await sameZone(tx, changes.zone);
  if (zoneId === null) return changes;
  const { zone: _zone, ...others } = changes;
  return { ...others, result: { kind: "zone", zoneId }, links: [], emails: [] };
}

/** Reason why changes cannot be applied now; null if they can. */
async function refusalOf(
  tx: Tx,
  changes: ConfirmationChanges,
  now: number,
): Promise<ConfirmOutcome | null> {
  const { result, message, conversation, sighting, ownerEmail, hits = [], zone } = changes;
  if (message !== undefined && result.kind === "message") {
    if (!(await canRelay(tx, result.alertId, message, conversation))) return { kind: "outdated" };
  }
  if (
    sighting !== undefined &&
    !(await canSight(tx, sighting.alertId, ownerEmail?.email.to ?? null))
  )
    return { kind: "outdated" };
  if (zone !== undefined && !(await hasRoomForZone(tx, zone.email))) return { kind: "zones_full" };
  const retryAt = await limitedUntil(tx, hits, now);
  return retryAt === null ? null : { kind: "limited", retryAt };
}

async function apply(tx: Tx, changes: ConfirmationChanges, now: number): Promise<void> {
  const { result, alert, zone, conversation, message, sighting, mailboxHash } = changes;
  if (mailboxHash !== undefined) await liftSuppression(tx, mailboxHash);
  if (alert !== undefined) {
    insertAlert(tx, alert, now);
    await usePhotos(tx, `alert:${alert.id}`, alert.photos);
  }
  if (zone !== undefined) await insertZone(tx, zone);
  if (message !== undefined) await insertMessage(tx, message, conversation);
  if (sighting !== undefined) await insertSighting(tx, sighting);
  await noteHits(tx, changes.hits ?? [], now);
  await insertLinks(tx, changes.links);
  await insertEmails(tx, changes.emails, aboutOf(result));
  if (result.kind !== "zone") await notifyOwner(tx, changes, result.alertId, now);
}

function aboutOf(result: PendingResult): string {
  return result.kind === "zone" ? `zone:${result.zoneId}` : `alert:${result.alertId}`;
}
