import { CryptoHasher } from "bun";
import { sql } from "drizzle-orm";
import type { Reader } from "../context.ts";

/**
 * Locks subjects until the transaction ends, in ascending order, so that no two transactions wait for each other. What is
 * read afterwards shows what the earlier holders did.
 */
export async function lockSubjects({ run }: Reader, subjects: readonly string[]): Promise<void> {
  const keys = new Set(subjects.map(lockKeyOf));
  const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1)).join(",");
  await run(
    sql`select pg_advisory_xact_lock(key) from unnest(string_to_array(${sorted}, ',')::bigint[]) as key`,
  );
}

/** 64-bit key of an advisory lock. Every release has the same: nodes of two releases run side by side. */
function lockKeyOf(subject: string): bigint {
  const hash = new CryptoHasher("sha256").update(subject).digest();
  return new DataView(hash.buffer, hash.byteOffset).getBigInt64(0);
}
