import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { LinkAnswer } from "../../src/core/magic-link.ts";
import type { Queries, StoreTools } from "./context.ts";
import { isAddress } from "../expressions.ts";
import { countRows, inList, placeholdersOf } from "./expressions.ts";
import { stopLink } from "./mailbox-schema.ts";
import type { Db } from "./open.ts";
import { insertEmails } from "./outbox.ts";
import { countHits, limitedUntil, noteHits } from "./rate-limits.ts";
import { alert, erasure, link, linkRequest, pending } from "./schema.ts";
import type { LinkPurpose, PrivateLink } from "../../src/core/store/links.ts";

/** Private links, and requests for links by email, which wait until a job decides if one is sent. */
export function linkQueries(tools: StoreTools) {
  const { db, prepared, write } = tools;
  return {
    link(tokenHash, purpose) {
      const same = and(eq(link.tokenHash, tokenHash), eq(link.purpose, purpose));
      return db.select().from(link).where(same).get() ?? null;
    },

    linkTo: (purpose, subject) => prepared(linkOfSubject).get({ purpose, subject }) ?? null,

    linksTo: (purpose, subjects) =>
      subjects.flatMap((subject) => prepared(linkOfSubject).get({ purpose, subject }) ?? []),

    addLinkRequest(request, hits, now) {
      return write(() => {
        const retryAt = countHits(tools, hits, now);
        if (retryAt === null) db.insert(linkRequest).values(request).run();
        return retryAt;
      });
    },

    linkRequests: (limit) =>
      db.select().from(linkRequest).orderBy(asc(linkRequest.id)).limit(limit).all(),

    dropLinkRequest(id) {
      write(() => db.delete(linkRequest).where(eq(linkRequest.id, id)).run());
    },

    sendManageLinks(alertIds, answer, now) {
      const stillOwned = and(
        inList(alert.id, alertIds),
        isAddress(alert.ownerEmail, answer.emails[0].to),
      );
      write(() => {
        if (countRows(db, alert, stillOwned) === alertIds.length)
          answerLinkRequest(tools, answer, now);
      });
    },
  } satisfies Queries;
}

const linkOfSubject = (db: Db) =>
  db
    .select()
    .from(link)
    .where(
      and(
        eq(link.purpose, sql.placeholder("purpose")),
        eq(link.subject, sql.placeholder("subject")),
      ),
    );

/** Removes a request for a link, and sends its emails if the limits have room; returns whether they were sent. Only inside `write`. */
export function answerLinkRequest(
  tools: StoreTools,
  { requestId, emails, hits, alternativeHits = [] }: LinkAnswer,
  now: number,
  maySend: () => boolean = () => true,
): boolean {
  const request = tools.db
    .delete(linkRequest)
    .where(eq(linkRequest.id, requestId))
    .returning()
    .get();
  // Another call has already answered a request that no longer exists.
  if (request === undefined || !maySend()) return false;
  const suffices = alternativeHits.length > 0 && limitedUntil(tools, alternativeHits, now) === null;
  if (!suffices && limitedUntil(tools, hits, now) !== null) return false;
  noteHits(tools, [...hits, ...alternativeHits], now);
  insertEmails(tools, emails, null);
  return true;
}

/** Only inside `write`. */
export function insertLinks({ prepared }: StoreTools, links: readonly PrivateLink[]): void {
  for (const fresh of links) prepared(insertLink).run(fresh);
}

const insertLink = (db: Db) => db.insert(link).values(placeholdersOf(link));

/** Only inside `write`. */
export function deleteLinks(
  { db }: StoreTools,
  purpose: LinkPurpose,
  subjects: readonly string[],
): void {
  db.delete(link)
    .where(and(eq(link.purpose, purpose), inList(link.subject, subjects)))
    .run();
}

/** Maximum of links of earlier emails that can undo a stop. */
const EARLIER_LINKS_MAX = 200;

/**
 * Keeps with a stop the links that can undo it: the one that made it, and those of earlier emails to the mailbox. They
 * live as long as the stop. Only inside `write`.
 */
export function keepStopLinks(
  { db }: StoreTools,
  addressHash: string,
  tokenHash: string | null,
): void {
  const emailed = db
    .select({ first: pending.tokenHash, second: pending.secondTokenHash })
    .from(pending)
    .where(and(eq(pending.addressHash, addressHash), isNotNull(pending.emailedAt)))
    .orderBy(desc(pending.createdAt))
    .limit(EARLIER_LINKS_MAX)
    .all();
  const erasing = db
    .select({ hash: erasure.tokenHash })
    .from(erasure)
    .where(eq(erasure.unconfirmedHash, addressHash))
    .limit(EARLIER_LINKS_MAX)
    .all();
  const hashes = [
    tokenHash,
    ...emailed.flatMap(({ first, second }) => [first, second]),
    ...erasing.map(({ hash }) => hash),
  ];
  for (const hash of new Set(hashes))
    if (hash !== null)
      db.insert(stopLink).values({ tokenHash: hash, addressHash }).onConflictDoNothing().run();
}
