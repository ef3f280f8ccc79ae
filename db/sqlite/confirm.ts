import { and, eq, gt, sql } from "drizzle-orm";
import type { PendingResult } from "../../src/core/confirmation/pending.ts";
import { insertAlert } from "./alerts.ts";
import { markConfirmed } from "./confirmation-emails.ts";
import type { Queries, StoreTools } from "./context.ts";
import { canRelay, insertMessage } from "./conversations.ts";
import { insertLinks } from "./links.ts";
import type { Db } from "./open.ts";
import { insertEmails } from "./outbox.ts";
import { notifyOwner } from "./owner-news.ts";
import { ENDED } from "../rows.ts";
import { unqueueRepeats } from "./pendings.ts";
import { usePhotos } from "./photos.ts";
import { limitedUntil, noteHits } from "./rate-limits.ts";
import { pending } from "./schema.ts";
import { canSight, insertSighting } from "./sightings.ts";
import { liftSuppression } from "./suppressions.ts";
import { changeFrequency, hasRoomForZone, insertZone, sameZone } from "./zones.ts";
import type { ConfirmationChanges, ConfirmOutcome } from "../../src/core/store/requests.ts";

export function confirmQueries(tools: StoreTools) {
  const { prepared, write } = tools;
  return {
    confirmPending(pendingId, requested, now) {
      return write(() => {
        if (prepared(waiting).get({ pendingId, now }) === undefined) return { kind: "late" };
        const changes = withExistingZone(tools, requested);
        const refusal = refusalOf(tools, changes, now);
        if (refusal !== null) return refusal;
        // This conditional UPDATE decides the race: no row means that another request was first.
        const result = JSON.stringify(changes.result);
        const confirmed = prepared(confirm).get({ pendingId, now, result });
        if (confirmed === undefined) return { kind: "late" };
        unqueueRepeats(tools, pendingId);
        markConfirmed(tools, confirmed.addressHash, now);
        apply(tools, changes, now);
        if (requested.zone !== undefined && changes.result.kind === "zone")
          changeFrequency(tools, changes.result.zoneId, requested.zone.frequency);
        usePhotos(tools, `pending:${pendingId}`, []);
        return { kind: "won" };
      });
    },
  } satisfies Queries;
}

const stillWaits = and(
  eq(pending.id, sql.placeholder("pendingId")),
  eq(pending.state, "waiting"),
  gt(pending.expiresAt, sql.placeholder("now")),
);
const waiting = (db: Db) => db.select({ id: pending.id }).from(pending).where(stillWaits);
const confirm = (db: Db) =>
  db
    .update(pending)
    .set({
      ...ENDED,
      state: "confirmed",
      result: sql`${sql.placeholder("result")}`,
      confirmedAt: sql`${sql.placeholder("now")}`,
    })
    .where(stillWaits)
    .returning({ addressHash: pending.addressHash });

/** Changes without their zone, and with the existing one as their result, if the mailbox already has the same circle. */
function withExistingZone(tools: StoreTools, changes: ConfirmationChanges): ConfirmationChanges {
  const zoneId = changes.zone === undefined ? null : sameZone(tools, changes.zone);
  if (zoneId === null) return changes;
  const { zone: _zone, ...others } = changes;
  return { ...others, result: { kind: "zone", zoneId }, links: [], emails: [] };
}

/** Reason why changes cannot be applied now; null if they can. */
function refusalOf(
  tools: StoreTools,
  changes: ConfirmationChanges,
  now: number,
): ConfirmOutcome | null {
  const { result, message, conversation, sighting, ownerEmail, hits = [], zone } = changes;
  if (message !== undefined && result.kind === "message") {
    if (!canRelay(tools, result.alertId, message, conversation)) return { kind: "outdated" };
  }
  if (sighting !== undefined && !canSight(tools, sighting.alertId, ownerEmail?.email.to ?? null))
    return { kind: "outdated" };
  if (zone !== undefined && !hasRoomForZone(tools, zone.email)) return { kind: "zones_full" };
  const retryAt = limitedUntil(tools, hits, now);
  return retryAt === null ? null : { kind: "limited", retryAt };
}

function apply(tools: StoreTools, changes: ConfirmationChanges, now: number): void {
  const { result, alert, zone, conversation, message, sighting, mailboxHash } = changes;
  if (mailboxHash !== undefined) liftSuppression(tools, mailboxHash);
  if (alert !== undefined) {
    insertAlert(tools, alert, now);
    usePhotos(tools, `alert:${alert.id}`, alert.photos);
  }
  if (zone !== undefined) insertZone(tools, zone);
  if (message !== undefined) insertMessage(tools, message, conversation);
  if (sighting !== undefined) insertSighting(tools, sighting);
  noteHits(tools, changes.hits ?? [], now);
  insertLinks(tools, changes.links);
  insertEmails(tools, changes.emails, aboutOf(result));
  if (result.kind !== "zone") notifyOwner(tools, changes, result.alertId, now);
}

function aboutOf(result: PendingResult): string {
  return result.kind === "zone" ? `zone:${result.zoneId}` : `alert:${result.alertId}`;
}
