import { and, eq, gt, type SQL } from "drizzle-orm";
import type { LinkAnswer } from "../../src/core/magic-link.ts";
import type { SessionKey } from "../../src/core/store/moderation.ts";
import type { StoreTools } from "./context.ts";
import { answerLinkRequest } from "./links.ts";
import type { SessionKeyTable } from "./session-key-schema.ts";

/** Sign-in links and sessions in a table of their own. */
export function sessionKeys(tools: StoreTools, table: SessionKeyTable) {
  const { db, write } = tools;
  const isValid = (tokenHash: string, kind: "link" | "session", now: number): SQL | undefined =>
    and(eq(table.tokenHash, tokenHash), eq(table.kind, kind), gt(table.expiresAt, now));

  return {
    add(links: readonly SessionKey[], answer: LinkAnswer, now: number): void {
      write(() => {
        if (!answerLinkRequest(tools, answer, now)) return;
        for (const link of links)
          db.insert(table)
            .values({ ...link, kind: "link", createdAt: now })
            .run();
      });
    },

    open: (linkHash: string, session: Omit<SessionKey, "email">, now: number): boolean =>
      write(
        () =>
          db
            .update(table)
            .set({ ...session, kind: "session" })
            .where(isValid(linkHash, "link", now))
            .returning({ kind: table.kind })
            .get() !== undefined,
      ),

    /** Condition for a session that has not ended. */
    isOpen: (tokenHash: string, now: number) => isValid(tokenHash, "session", now),

    mailbox: (tokenHash: string, now: number): string | null =>
      db
        .select()
        .from(table)
        .where(isValid(tokenHash, "session", now))
        .get()?.email ?? null,

    renew(tokenHash: string, expiresAt: number, now: number): void {
      const open = isValid(tokenHash, "session", now);
      write(() => db.update(table).set({ expiresAt }).where(open).run());
    },

    end(tokenHash: string): void {
      const session = and(eq(table.tokenHash, tokenHash), eq(table.kind, "session"));
      write(() => db.delete(table).where(session).run());
    },
  };
}
