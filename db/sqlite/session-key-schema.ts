import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Sign-in links of moderators or members, which work once, and the sessions they open. */
export function sessionKeyTable(name: string) {
  return sqliteTable(name, {
    tokenHash: text("token_hash").primaryKey(),
    kind: text().$type<"link" | "session">().notNull(),
    email: text().notNull(),
    /** Time when the link was made; null if an earlier release made it. */
    createdAt: integer("created_at"),
    expiresAt: integer("expires_at").notNull(),
  });
}

export type SessionKeyTable = ReturnType<typeof sessionKeyTable>;
