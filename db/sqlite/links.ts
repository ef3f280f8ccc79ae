import { and, eq } from "drizzle-orm";
import type { PrivateLink } from "../../src/core/store.ts";
import { link } from "./schema.ts";
import type { StoreTools, SyncStore } from "./store.ts";

export function linkVerbs({ db, read }: StoreTools): Pick<SyncStore, "link" | "linkTo"> {
  return {
    link: (tokenHash, purpose) =>
      read(
        () =>
          db
            .select()
            .from(link)
            .where(and(eq(link.tokenHash, tokenHash), eq(link.purpose, purpose)))
            .get() ?? null,
      ),
    linkTo: (purpose, subject) =>
      read(
        () =>
          db
            .select()
            .from(link)
            .where(and(eq(link.purpose, purpose), eq(link.subject, subject)))
            .get() ?? null,
      ),
  };
}

/** Only inside `write`. */
export function insertLinks({ db }: StoreTools, links: readonly PrivateLink[]): void {
  for (const fresh of links) db.insert(link).values(fresh).run();
}
