import { pgTable } from "drizzle-orm/pg-core";
import { number, text } from "./columns.ts";

/** Sign-in links of moderators or members, which work once, and the sessions they open. */
export function sessionKeyTable(name: string) {
  return pgTable(name, {
    tokenHash: text("token_hash").primaryKey(),
    kind: text().$type<"link" | "session">().notNull(),
    email: text().notNull(),
    /** Time when the link was made; null if an earlier release made it. */
    createdAt: number("created_at"),
    expiresAt: number("expires_at").notNull(),
  });
}

export type SessionKeyTable = ReturnType<typeof sessionKeyTable>;
