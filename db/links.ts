import { and, asc, desc, eq, gt, isNotNull, sql, type SQL } from "drizzle-orm";
import type { Hit } from "../src/core/limits.ts";
import type {
  LinkAnswer,
  LinkPurpose,
  PrivateLink,
  SessionPurpose,
} from "../src/core/people/link-store.ts";
import type { Queries, Reader, StoreTools, Tx } from "./context.ts";
import { insertEmails } from "./outbox.ts";
import { first, isExactly } from "./queries.ts";
import { countHits, limitedUntil, noteHits, subjectsOf } from "./rate-limits.ts";

/** Private links, and requests for links by email, which wait until a job decides if one is sent. */
export function linkQueries(tools: StoreTools) {
  const { db, dialect, prepared, write } = tools;
  const { alert, link, linkRequest, sessionKey } = tools.tables;
  const isSession = (tokenHash: string) =>
    and(eq(sessionKey.tokenHash, tokenHash), eq(sessionKey.kind, "session"));
  return {
    async link(tokenHash, purpose) {
      const same = and(eq(link.tokenHash, tokenHash), eq(link.purpose, purpose));
      return (await first(db.select().from(link).where(same))) ?? null;
    },

    async linkTo(purpose, subject) {
      return (await first(prepared(linkOfSubject).execute({ purpose, subject }))) ?? null;
    },

    linksTo: async (purpose, subjects) =>
      db
        .select()
        .from(link)
        .where(and(eq(link.purpose, purpose), dialect.inList(link.subject, subjects))),

    addLinkRequest(request, hits, now) {
      return write(subjectsOf(hits), async (tx) => {
        const retryAt = await countHits(tx, hits, now);
        if (retryAt === null) await tx.db.insert(linkRequest).values(request);
        return retryAt;
      });
    },

    linkRequests: async (limit) =>
      db.select().from(linkRequest).orderBy(asc(linkRequest.id)).limit(limit),

    async dropLinkRequest(id) {
      await write([], (tx) => tx.db.delete(linkRequest).where(eq(linkRequest.id, id)));
    },

    async sendManageLinks(alertIds, answer, now) {
      const stillOwned = and(
        dialect.inList(alert.id, alertIds),
        isExactly(alert.ownerEmail, answer.emails[0].to),
      );
      await write(subjectsOfAnswer(answer), async (tx) => {
        // An erasure of one of them waits, and withdraws the email.
        const its = tx.db.select({ id: alert.id }).from(alert).where(stillOwned);
        const owned = await dialect.locking(its.orderBy(asc(alert.id)), "share");
        if (owned.length === alertIds.length) await answerLinkRequest(tx, answer, now);
      });
    },

    async addSignInLinks(links, answer, now) {
      await write(subjectsOfAnswer(answer), async (tx) => {
        if (!(await answerLinkRequest(tx, answer, now))) return;
        await tx.insertAll(
          sessionKey,
          links.map((link) => ({ ...link, kind: "link" as const, createdAt: now })),
        );
      });
    },

    openSession: (purpose, linkHash, session, now) =>
      write([], async (tx) => {
        const opened = await tx.db
          .update(sessionKey)
          .set({ ...session, kind: "session" })
          .where(isOpenKey(tx, purpose, "link", linkHash, now))
          .returning({ kind: sessionKey.kind });
        return opened.length > 0;
      }),

    async sessionMailbox(purpose, tokenHash, now) {
      const open = isOpenKey(tools, purpose, "session", tokenHash, now);
      return (await first(db.select().from(sessionKey).where(open)))?.email ?? null;
    },

    async renewSession(tokenHash, expiresAt, now) {
      const open = and(isSession(tokenHash), gt(sessionKey.expiresAt, now));
      await write([], (tx) => tx.db.update(sessionKey).set({ expiresAt }).where(open));
    },

    async endSession(tokenHash) {
      await write([], (tx) => tx.db.delete(sessionKey).where(isSession(tokenHash)));
    },
  } satisfies Queries;
}

const linkOfSubject = ({ db, tables: { link } }: Reader) =>
  db
    .select()
    .from(link)
    .where(
      and(
        eq(link.purpose, sql.placeholder("purpose")),
        eq(link.subject, sql.placeholder("subject")),
      ),
    );

/** Subjects of a transaction that answers a request for a link. */
export function subjectsOfAnswer({ hits, alternatives = [] }: LinkAnswer): string[] {
  return subjectsOf([hits, ...alternatives].flat());
}

/** Removes a request for a link, and sends its emails if the limits have room; returns whether they were sent. */
export async function answerLinkRequest(
  tx: Tx,
  { requestId, emails, hits, alternatives = [] }: LinkAnswer,
  now: number,
  maySend: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const { linkRequest } = tx.tables;
  const request = await first(
    tx.db.delete(linkRequest).where(eq(linkRequest.id, requestId)).returning(),
  );
  // Another call has already answered a request that no longer exists.
  if (request === undefined || !(await maySend())) return false;
  const limits = [hits, ...alternatives];
  if (!(await anyHasRoom(tx, limits, now))) return false;
  await noteHits(tx, limits.flat(), now);
  await insertEmails(tx, emails, null);
  return true;
}

async function anyHasRoom(
  tx: Tx,
  limits: readonly (readonly Hit[])[],
  now: number,
): Promise<boolean> {
  for (const hits of limits) if ((await limitedUntil(tx, hits, now)) === null) return true;
  return false;
}

/** Another transaction has stored a link to the same subject meanwhile, so that one in an email would lead nowhere. */
class LinkTaken extends Error {
  override readonly name = "LinkTaken";
}

/** Adds links. Throws `LinkTaken` if one of their subjects has a link already. */
export async function insertLinks(
  { rows, dialect }: Tx,
  links: readonly PrivateLink[],
): Promise<void> {
  if (links.length === 0) return;
  const inOrder = links.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  // One text for any number of links: it is compiled once.
  const added = await rows(sql`
    insert into link (token_hash, purpose, subject, sealed)
    select listed.value ->> 'tokenHash', listed.value ->> 'purpose',
      listed.value ->> 'subject', listed.value ->> 'sealed'
    from ${dialect.objects(inOrder)} where true
    on conflict do nothing returning subject`);
  if (added.length < links.length) throw new LinkTaken();
}

/** Runs a transaction for which nothing happens if a link is taken: its job does it again with the stored link. */
export async function unlessLinkTaken(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof LinkTaken)) throw error;
  }
}

export async function deleteLinks(
  { db, dialect, tables: { link } }: Tx,
  purpose: LinkPurpose,
  subjects: readonly string[],
): Promise<void> {
  await db
    .delete(link)
    .where(and(eq(link.purpose, purpose), dialect.inList(link.subject, subjects)));
}

/** Maximum of links of earlier emails that can undo a stop. */
const EARLIER_LINKS_MAX = 200;

/**
 * Keeps with a stop the links that can undo it: the one that made it, and those of earlier emails to the mailbox. They
 * live as long as the stop.
 */
export async function keepStopLinks(
  { db, tables: { erasure, pending, stopLink } }: Tx,
  addressHash: string,
  tokenHash: string | null,
): Promise<void> {
  const emailed = await db
    .select({ hash: pending.tokenHash })
    .from(pending)
    .where(and(eq(pending.addressHash, addressHash), isNotNull(pending.emailedAt)))
    .orderBy(desc(pending.createdAt))
    .limit(EARLIER_LINKS_MAX);
  const erasing = await db
    .select({ hash: erasure.tokenHash })
    .from(erasure)
    .where(eq(erasure.unconfirmedHash, addressHash))
    .limit(EARLIER_LINKS_MAX);
  const hashes = new Set([tokenHash, ...[...emailed, ...erasing].map(({ hash }) => hash)]);
  const kept = [...hashes].flatMap((hash) =>
    hash === null ? [] : [{ tokenHash: hash, addressHash }],
  );
  if (kept.length > 0) await db.insert(stopLink).values(kept).onConflictDoNothing();
}

/** Condition for a sign-in link, or for a session, that has not ended. */
export function isOpenKey(
  { tables: { sessionKey } }: Reader,
  purpose: SessionPurpose,
  kind: "link" | "session",
  tokenHash: string,
  now: number,
): SQL | undefined {
  return and(
    eq(sessionKey.tokenHash, tokenHash),
    eq(sessionKey.purpose, purpose),
    eq(sessionKey.kind, kind),
    gt(sessionKey.expiresAt, now),
  );
}
