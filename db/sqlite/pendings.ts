import { and, count, desc, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import { DAY_MS } from "../../src/core/duration.ts";
import { ERASE_MS } from "../../src/core/erasing.ts";
import {
  CONFIRM_MS,
  type Pending,
  type PendingResult,
  SAME_ASK_MS,
  UNANSWERED_A_DAY_MAX,
  UNANSWERED_WAITING_MAX,
} from "../../src/core/pending.ts";
import type { Ask, Effect, SettleOutcome } from "../../src/core/store.ts";
import { insertAlert } from "./alerts.ts";
import { canRelay, insertConversation, insertMessage, withinShares } from "./conversations.ts";
import { limitedUntil, noteHits } from "./hits.ts";
import { insertLinks } from "./links.ts";
import type { Db } from "./open.ts";
import { insertLetters, withdrawLetters } from "./outbox.ts";
import { usePhotos } from "./photos.ts";
import { alert, blocked, erasure, pending, shortCode, stopped, zone } from "./schema.ts";
import { canSight, insertSighting } from "./sightings.ts";
import type { StoreTools, SyncStore } from "./store.ts";
import { insertZone } from "./zones.ts";

type Verbs = Pick<
  SyncStore,
  "ask" | "pendingByToken" | "settle" | "disown" | "stopLetters" | "allowLetters"
>;

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
        noteHits(tools, ask.hits, now);
        insertPending(tools, ask, now);
        return { kind: "kept", pending: ask.pending };
      });
    },

    pendingByToken(tokenHash) {
      const byEither = or(eq(pending.tokenHash, tokenHash), eq(pending.secondTokenHash, tokenHash));
      const row = read(() => db.select().from(pending).where(byEither).get());
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
        const refusal = refusalOf(tools, effect, now);
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
        usePhotos(tools, `pending:${pendingId}`, []);
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
        stop(tools, row.addressMark, now);
        withdrawLetters(tools, `pending:${pendingId}`, now);
        usePhotos(tools, `pending:${pendingId}`, []);
      });
      tools.clearLog();
    },

    stopLetters(addressMark, now) {
      write(() => {
        stop(tools, addressMark, now);
        endAsks(tools, addressMark, now);
      });
      tools.clearLog();
    },

    allowLetters(addressMark) {
      write(() => db.delete(stopped).where(eq(stopped.addressMark, addressMark)).run());
    },
  };
}

/** Only inside `write`. */
function stop({ db }: StoreTools, addressMark: string, now: number): void {
  db.insert(stopped).values({ addressMark, stoppedAt: now }).onConflictDoNothing().run();
}

/** Keeps an ask, and its letter where the mailbox may get one. Only inside `write`. */
export function insertPending(tools: StoreTools, ask: Ask, now: number): void {
  const { id, addressMark, payload } = ask.pending;
  const lettered = mayWriteTo(tools, addressMark, now);
  tools.db
    .insert(pending)
    .values({ ...ask.pending, lettered })
    .run();
  if (payload?.kind === "publish") usePhotos(tools, `pending:${id}`, payload.draft.photos);
  if (lettered) insertLetters(tools, [ask.letter], `pending:${id}`);
}

/** The same ask, kept a moment ago, unless what came of it is gone again. */
function sameAsk({ db }: StoreTools, contentMark: string, now: number): Pending | null {
  const recently = and(
    eq(pending.contentMark, contentMark),
    gt(pending.createdAt, now - SAME_ASK_MS),
    lte(pending.createdAt, now),
    ne(pending.state, "disowned"),
    // One that holds nothing any more was put under another address, or what it was about is gone.
    or(ne(pending.state, "waiting"), ne(pending.email, "")),
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
      case "sighting":
      case undefined:
        return false;
    }
  }
}

/**
 * Whether a mailbox may get one more letter that anybody can have sent to a stranger: it did not ask us to stop, no
 * moderator blocked it, and its budget has room. A second letter about what waits already adds to those of the day only.
 */
export function mayWriteTo(
  { db }: StoreTools,
  addressMark: string,
  now: number,
  letter: "first" | "second" = "first",
): boolean {
  if (db.select().from(stopped).where(eq(stopped.addressMark, addressMark)).get() !== undefined)
    return false;
  if (db.select().from(blocked).where(eq(blocked.addressMark, addressMark)).get() !== undefined)
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
  const since = (time: number) =>
    and(unanswered, gt(pending.createdAt, time), lte(pending.createdAt, now));
  const firsts = db
    .select({ letters: count() })
    .from(pending)
    .where(since(now - DAY_MS))
    .get();
  // When a second letter went is not kept: all count that may have gone within a day.
  const seconds = db
    .select({ letters: count(pending.secondTokenHash) })
    .from(pending)
    .where(since(now - DAY_MS - CONFIRM_MS))
    .get();
  const links = linkLetters(db, addressMark, now);
  const lettersToday = (firsts?.letters ?? 0) + (seconds?.letters ?? 0) + links.today;
  // Its own is noted already.
  if (letter === "second") return lettersToday <= UNANSWERED_A_DAY_MAX;
  const lettersWaiting = (waiting?.letters ?? 0) + links.waiting;
  return lettersWaiting < UNANSWERED_WAITING_MAX && lettersToday < UNANSWERED_A_DAY_MAX;
}

/** Letters with a link that erases, to a mailbox that had confirmed nothing, which did not use it. */
function linkLetters(db: Db, addressMark: string, now: number) {
  const sent = db
    .select({ at: sql<number>`${erasure.expiresAt} - ${ERASE_MS}` })
    .from(erasure)
    .where(
      and(
        eq(erasure.unconfirmedMark, addressMark),
        isNull(erasure.erased),
        gt(erasure.expiresAt, now),
      ),
    )
    .all();
  return {
    waiting: sent.length,
    today: sent.filter(({ at }) => at > now - DAY_MS && at <= now).length,
  };
}

/** What waits for this mailbox's confirmation is over, as if its time had run out. Only inside `write`. */
export function endAsks(tools: StoreTools, addressMark: string, now: number): void {
  const waiting = and(eq(pending.addressMark, addressMark), eq(pending.state, "waiting"));
  const ended = tools.db
    .update(pending)
    .set({ payload: null, email: "", expiresAt: now })
    .where(waiting)
    .returning({ id: pending.id })
    .all();
  for (const { id } of ended) {
    withdrawLetters(tools, `pending:${id}`, now);
    usePhotos(tools, `pending:${id}`, []);
  }
}

function carryOut(tools: StoreTools, effect: Effect, now: number): void {
  if (effect.alert !== undefined) {
    insertAlert(tools, effect.alert, now);
    usePhotos(tools, `alert:${effect.alert.id}`, effect.alert.photos);
  }
  if (effect.zone !== undefined) insertZone(tools, effect.zone);
  if (effect.conversation !== undefined) insertConversation(tools, effect.conversation);
  if (effect.message !== undefined) insertMessage(tools, effect.message);
  if (effect.sighting !== undefined) insertSighting(tools, effect.sighting);
  noteHits(tools, effect.hits ?? [], now);
  insertLinks(tools, effect.links);
  insertLetters(tools, effect.letters, aboutOf(effect.result));
}

/** Why an effect cannot be carried out as things stand now, or null. */
function refusalOf(tools: StoreTools, effect: Effect, now: number): SettleOutcome | null {
  const { message, conversation, sighting, letters, hits = [] } = effect;
  if (message !== undefined && effect.result.kind === "message") {
    const { alertId } = effect.result;
    if (!canRelay(tools, alertId, message, conversation)) return { kind: "outdated" };
    if (!withinShares(tools, alertId, message)) return { kind: "too_many_messages" };
  }
  if (sighting !== undefined && !canSight(tools, sighting.alertId, letters[0]?.to ?? null))
    return { kind: "outdated" };
  const retryAt = limitedUntil(tools, hits, now);
  return retryAt === null ? null : { kind: "limited", retryAt };
}

function aboutOf(result: PendingResult): string {
  return result.kind === "zone" ? `zone:${result.zoneId}` : `alert:${result.alertId}`;
}

export function toPending(row: typeof pending.$inferSelect): Pending {
  const { lettered: _lettered, secondTokenHash, ...kept } = row;
  return { ...kept, askedAgain: secondTokenHash !== null };
}
