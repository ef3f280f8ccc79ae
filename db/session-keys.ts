import { and, eq, gt, type SQL } from "drizzle-orm";
import type { LinkAnswer } from "../src/core/people/magic-link.ts";
import type { SessionKey } from "../src/core/moderation/moderation-store.ts";
import type { StoreTools } from "./context.ts";
import { answerLinkRequest, subjectsOfAnswer } from "./links.ts";
import { first } from "./queries.ts";
import type { SessionKeyTable } from "./schema/organisations.ts";

/** Sign-in links and sessions in a table of their own. */
export function sessionKeys({ db, write }: StoreTools, table: SessionKeyTable) {
  const isValid = (tokenHash: string, kind: "link" | "session", now: number): SQL | undefined =>
    and(eq(table.tokenHash, tokenHash), eq(table.kind, kind), gt(table.expiresAt, now));

  return {
    async add(links: readonly SessionKey[], answer: LinkAnswer, now: number): Promise<void> {
      await write(subjectsOfAnswer(answer), async (tx) => {
        if (!(await answerLinkRequest(tx, answer, now))) return;
        for (const link of links)
          await tx.db.insert(table).values({ ...link, kind: "link", createdAt: now });
      });
    },

    open: (linkHash: string, session: Omit<SessionKey, "email">, now: number): Promise<boolean> =>
      write([], async (tx) => {
        const opened = await tx.db
          .update(table)
          .set({ ...session, kind: "session" })
          .where(isValid(linkHash, "link", now))
          .returning({ kind: table.kind });
        return opened.length > 0;
      }),

    /** Condition for a session that has not ended. */
    isOpen: (tokenHash: string, now: number) => isValid(tokenHash, "session", now),

    async mailbox(tokenHash: string, now: number): Promise<string | null> {
      const open = isValid(tokenHash, "session", now);
      return (await first(db.select().from(table).where(open)))?.email ?? null;
    },

    async renew(tokenHash: string, expiresAt: number, now: number): Promise<void> {
      const open = isValid(tokenHash, "session", now);
      await write([], (tx) => tx.db.update(table).set({ expiresAt }).where(open));
    },

    async end(tokenHash: string): Promise<void> {
      const session = and(eq(table.tokenHash, tokenHash), eq(table.kind, "session"));
      await write([], (tx) => tx.db.delete(table).where(session));
    },
  };
}
