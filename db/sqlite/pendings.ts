import { and, count, desc, eq, gt, isNull, lte, ne } from "drizzle-orm";
import type { Hit } from "../../src/core/limit.ts";
import {
  type Pending,
  type PendingResult,
  SAME_ASK_MS,
  UNANSWERED_A_DAY_MAX,
  UNANSWERED_WAITING_MAX,
} from "../../src/core/pending.ts";
import type { Effect, SettleOutcome } from "../../src/core/store.ts";
import { insertAlert } from "./alerts.ts";
import { canRelay, insertConversation, insertMessage, withinShares } from "./conversations.ts";
import { insertLinks } from "./links.ts";
import { insertLetters, withdrawLetters } from "./outbox.ts";
import { alert, hit, pending, shortCode, stopped, zone } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { insertZone } from "./zones.ts";

const DAY_MS = 86_400_000;
type Verbs = Pick<SyncStore, "ask" | "pendingByToken" | "settle" | "disown" | "allowLetters">;

export function pendingVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    ask(ask, now) {
      return write(() => {
        const same = sameAsk(tools, ask.pending.contentMark, now);
        if (same !== null) return { kind: "kept", pending: same };
        const retryAt = limitedUntil(tools, ask.hits, now);
        if (retryAt !== null) return { kind: "limited", retryAt };
        if (ask.shortCode !== null) {
          const reserved = db
            .insert(shortCode)
            .values({ code: ask.shortCode })
            .onConflictDoNothing()
            .returning()
            .get();
          if (reserved === undefined) return { kind: "code_taken" };
        }
        for (const { key } of ask.hits) db.insert(hit).values({ key, at: now }).run();
        const lettered = mayWriteTo(tools, ask.pending.addressMark, now);
        db.insert(pending)
          .values({ ...ask.pending, lettered })
          .run();
        if (lettered) insertLetters(tools, [ask.letter], `pending:${ask.pending.id}`);
        return { kind: "kept", pending: ask.pending };
      });
    },

    pendingByToken(tokenHash) {
      const row = read(() =>
        db.select().from(pending).where(eq(pending.tokenHash, tokenHash)).get(),
      );
      return row === undefined ? null : toPending(row);
    },

    settle(pendingId, effect, now) {
      return write(() => {
        const stillWaits = and(
          eq(pending.id, pendingId),
          eq(pending.state, "waiting"),
          gt(pending.expiresAt, now),
        );
        const waiting = db.select({ id: pending.id }).from(pending).where(stillWaits).get();
        if (waiting === undefined) return { kind: "late" };
        const refusal = relayRefusal(tools, effect);
        if (refusal !== null) return refusal;
        // The one arbiter, whatever was read before: what it does not change was settled by someone else.
        const won = db
          .update(pending)
          .set({ state: "confirmed", payload: null, email: "", result: effect.result })
          .where(stillWaits)
          .returning({ id: pending.id })
          .get();
        if (won === undefined) return { kind: "late" };
        carryOut(tools, effect, now);
        return { kind: "won" };
      });
    },

    disown(pendingId, now) {
      write(() => {
        const gone = db
          .update(pending)
          .set({ state: "disowned", payload: null, email: "" })
          .where(and(eq(pending.id, pendingId), eq(pending.state, "waiting")))
          .returning({ addressMark: pending.addressMark })
          .get();
        const row =
          gone ??
          db
            .select({ addressMark: pending.addressMark })
            .from(pending)
            .where(eq(pending.id, pendingId))
            .get();
        if (row === undefined) return;
        db.insert(stopped)
          .values({ addressMark: row.addressMark, stoppedAt: now })
          .onConflictDoNothing()
          .run();
        withdrawLetters(tools, `pending:${pendingId}`, now);
      });
      tools.clearLog();
    },

    allowLetters(addressMark) {
      write(() => db.delete(stopped).where(eq(stopped.addressMark, addressMark)).run());
    },
  };
}

/** The same ask, kept a moment ago, unless what came of it is gone again. */
function sameAsk({ db }: StoreTools, contentMark: string, now: number): Pending | null {
  const recently = and(
    eq(pending.contentMark, contentMark),
    gt(pending.createdAt, now - SAME_ASK_MS),
    lte(pending.createdAt, now),
    ne(pending.state, "disowned"),
  );
  const row = db
    .select()
    .from(pending)
    .where(recently)
    .orderBy(desc(pending.createdAt))
    .limit(1)
    .get();
  if (row === undefined || isGone(row.result)) return null;
  return toPending(row);

  function isGone(result: PendingResult | null): boolean {
    switch (result?.kind) {
      case "publish":
        return (
          db
            .select()
            .from(alert)
            .where(and(eq(alert.id, result.alertId), eq(alert.status, "removed")))
            .get() !== undefined
        );
      case "zone":
        return (
          db
            .select()
            .from(zone)
            .where(and(eq(zone.id, result.zoneId), isNull(zone.endedAt)))
            .get() === undefined
        );
      case "message":
      case undefined:
        return false;
    }
  }
}

/**
 * When the fullest of the limits has room again, or null when all have. Hits that lie in the future (the clock was
 * set back) count for nothing, so that nobody is locked out by them.
 */
function limitedUntil({ db }: StoreTools, hits: readonly Hit[], now: number): number | null {
  const until = hits.flatMap(({ key, max: allowed, windowMs }) => {
    const inWindow = db
      .select({ at: hit.at })
      .from(hit)
      .where(and(eq(hit.key, key), gt(hit.at, now - windowMs), lte(hit.at, now)))
      .orderBy(desc(hit.at))
      .limit(allowed)
      .all();
    const oldest = inWindow.at(-1);
    return inWindow.length < allowed || oldest === undefined ? [] : [oldest.at + windowMs];
  });
  return until.length === 0 ? null : Math.max(...until);
}

/** Whether a mailbox may get one more confirmation letter: it did not ask us to stop, and its budget has room. */
function mayWriteTo({ db }: StoreTools, addressMark: string, now: number): boolean {
  if (db.select().from(stopped).where(eq(stopped.addressMark, addressMark)).get() !== undefined)
    return false;
  const unanswered = and(
    eq(pending.addressMark, addressMark),
    eq(pending.lettered, true),
    ne(pending.state, "confirmed"),
  );
  const waiting = db
    .select({ letters: count() })
    .from(pending)
    .where(and(unanswered, eq(pending.state, "waiting"), gt(pending.expiresAt, now)))
    .get();
  const today = db
    .select({ letters: count() })
    .from(pending)
    .where(and(unanswered, gt(pending.createdAt, now - DAY_MS), lte(pending.createdAt, now)))
    .get();
  return (
    (waiting?.letters ?? 0) < UNANSWERED_WAITING_MAX && (today?.letters ?? 0) < UNANSWERED_A_DAY_MAX
  );
}

function carryOut(tools: StoreTools, effect: Effect, now: number): void {
  if (effect.alert !== undefined) insertAlert(tools, effect.alert, now);
  if (effect.zone !== undefined) insertZone(tools, effect.zone);
  if (effect.conversation !== undefined) insertConversation(tools, effect.conversation);
  if (effect.message !== undefined) insertMessage(tools, effect.message);
  insertLinks(tools, effect.links);
  insertLetters(tools, effect.letters, aboutOf(effect.result));
}

function relayRefusal(
  tools: StoreTools,
  { result, message, conversation }: Effect,
): SettleOutcome | null {
  if (result.kind !== "message" || message === undefined) return null;
  if (!canRelay(tools, result.alertId, message, conversation)) return { kind: "outdated" };
  return withinShares(tools, result.alertId, message) ? null : { kind: "too_many_messages" };
}

function aboutOf(result: PendingResult): string {
  return result.kind === "zone" ? `zone:${result.zoneId}` : `alert:${result.alertId}`;
}

function toPending(row: typeof pending.$inferSelect): Pending {
  const {
    lettered: _lettered,
    secondTokenHash: _secondTokenHash,
    readdressed: _readdressed,
    ...kept
  } = row;
  return kept;
}
