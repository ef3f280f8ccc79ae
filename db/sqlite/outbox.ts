import { and, asc, count, eq, gt, lte, min, notInArray, or, type SQL, sql } from "drizzle-orm";
import { HOUR_MS } from "../../src/core/duration.ts";
import type { Letter } from "../../src/core/letter.ts";
import { among } from "./among.ts";
import { alert, outbox } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

type Verbs = Pick<
  SyncStore,
  "leaseLetters" | "closeLetter" | "postponeLetter" | "outboxState" | "post"
>;

export function outboxVerbs(tools: StoreTools): Verbs {
  const { db, read, write } = tools;
  return {
    leaseLetters(now, leaseMs, limit, domainsToLeave = []) {
      // Nothing is ever put off for so long: such a time was written while the clock was ahead.
      const due = and(
        eq(outbox.state, "waiting"),
        or(lte(outbox.dueAt, now), gt(outbox.dueAt, now + DUE_AHEAD_MAX_MS)),
        domainsToLeave.length === 0 ? undefined : notInArray(DOMAIN, [...domainsToLeave]),
      );
      // Looking needs no lock, and most of the time nothing is due.
      if (
        read(() => db.select({ id: outbox.id }).from(outbox).where(due).limit(1).get()) ===
        undefined
      )
        return [];
      return write(() => {
        const rows = db
          .select()
          .from(outbox)
          .where(due)
          .orderBy(asc(outbox.dueAt), asc(outbox.id))
          .limit(limit)
          .all();
        for (const row of rows)
          db.update(outbox)
            .set({ dueAt: now + leaseMs })
            .where(eq(outbox.id, row.id))
            .run();
        return rows.flatMap(toLetter);
      });
    },

    closeLetter: (id, outcome, now) => write(() => closeLetter(tools, id, outcome, now)),

    postponeLetter(id, dueAt) {
      write(() =>
        db
          .update(outbox)
          .set({ dueAt })
          .where(and(eq(outbox.id, id), eq(outbox.state, "waiting")))
          .run(),
      );
    },

    post(letters) {
      write(() => {
        for (const { letter, about } of letters) {
          const isOwners = and(
            eq(alert.id, about),
            eq(sql`lower(${alert.ownerEmail})`, letter.to.toLowerCase()),
          );
          if (db.select({ id: alert.id }).from(alert).where(isOwners).get() !== undefined)
            insertLetters(tools, [letter], `alert:${about}`);
        }
      });
    },

    outboxState() {
      const waiting = eq(outbox.state, "waiting");
      const row = read(() =>
        db
          .select({
            waiting: count(),
            oldestAt: min(outbox.createdAt),
            dueSince: min(outbox.dueAt),
          })
          .from(outbox)
          .where(waiting)
          .get(),
      );
      return row ?? { waiting: 0, oldestAt: null, dueSince: null };
    },
  };
}

/** Wipes what a letter said and keeps its fate. Only inside `write`. */
export function closeLetter(
  { db }: StoreTools,
  id: string,
  outcome: "sent" | "refused" | "given_up",
  now: number,
): void {
  db.update(outbox)
    .set({ ...WIPED, state: outcome, closedAt: now })
    .where(eq(outbox.id, id))
    .run();
}

/** Leases take minutes, pauses an hour at most. */
const DUE_AHEAD_MAX_MS = 2 * HOUR_MS;
/** Of the reader's mailbox, which holds one @. */
const DOMAIN = sql`substr(${outbox.to}, instr(${outbox.to}, '@') + 1)`;
const WIPED = { to: null, content: null, about: null } as const;

/** Only inside `write`. `about` names what the letters can be withdrawn with. */
export function insertLetters(
  { db }: StoreTools,
  letters: readonly Letter[],
  about: string | null,
): void {
  for (const letter of letters) {
    db.insert(outbox)
      .values({ ...letter, about, state: "waiting", dueAt: letter.createdAt })
      .run();
  }
}

/** Takes back letters that have not gone. Only inside `write`. */
export function withdrawLetters(tools: StoreTools, about: string, now: number): void {
  withdrawWhere(tools, eq(outbox.about, about), now);
}

/** Takes back match letters that show the alerts with these short codes to others. Only inside `write`. */
export function withdrawMatches(tools: StoreTools, codes: readonly string[], now: number): void {
  const shown = sql`json_extract(${outbox.content}, '$.other.shortCode')`;
  withdrawWhere(tools, among(shown, codes), now);
}

/** Only inside `write`. */
export function withdrawWhere({ db }: StoreTools, which: SQL, now: number): void {
  db.update(outbox)
    .set({ ...WIPED, state: "given_up", closedAt: now })
    .where(and(eq(outbox.state, "waiting"), which))
    .run();
}

function toLetter(row: typeof outbox.$inferSelect): Letter[] {
  if (row.to === null || row.content === null) return [];
  const { id, to, language, content, createdAt, giveUpAt } = row;
  return [{ id, to, language, content, createdAt, giveUpAt }];
}
