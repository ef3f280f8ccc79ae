import { and, eq, inArray, sql } from "drizzle-orm";
import type { Claims, Duty, Reader } from "../context.ts";
import { claim } from "./node-schema.ts";

/** Time after which another node does what a node claimed and did not do. */
const CLAIM_SECONDS = 60;

/** Claims of one node, by the clock of the database. */
export function createClaims(reader: Reader, node: string): Claims {
  return {
    async take(duty, subjects) {
      if (subjects.length === 0) return [];
      const rows = await reader.rows<{ readonly subject: string }>(
        sql`
        insert into claim (duty, subject, node, ends_at)
        select ${duty}, subject, ${node}, clock_timestamp() + ${CLAIM_SECONDS} * interval '1 s'
        from (select distinct value as subject from ${reader.dialect.texts(subjects)}) distinct_ones
        order by subject
        on conflict (duty, subject) do update set node = excluded.node, ends_at = excluded.ends_at
        where claim.node = excluded.node or claim.ends_at <= clock_timestamp()
        returning subject`,
      );
      const taken = new Set(rows.map(({ subject }) => subject));
      return subjects.filter((subject) => taken.has(subject));
    },

    isOpen: (duty, subject) => sql`not exists (
      select 1 from claim where claim.duty = ${duty} and claim.subject = ${subject}
        and claim.node <> ${node} and claim.ends_at > clock_timestamp())`,
  };
}

/** Ends the claims to subjects whose work is done, whoever has them. */
export async function endClaims(
  { db }: Reader,
  duty: Duty,
  subjects: readonly string[],
): Promise<void> {
  if (subjects.length === 0) return;
  await db.delete(claim).where(and(eq(claim.duty, duty), inArray(claim.subject, [...subjects])));
}

/** Deletes claims that ended long ago: their work was no longer there. */
export async function sweepClaims({ db }: Reader): Promise<void> {
  await db.delete(claim).where(sql`${claim.endsAt} < clock_timestamp() - interval '1 hour'`);
}
