import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOfMailbox } from "../../db/personal-data.ts";
import { type OpenDatabase, openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteReader } from "../../db/sqlite/reader.ts";
import { DAWN } from "../support/time.ts";

let folder: string;
let database: OpenDatabase;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-inventory-"));
  database = openDatabase(folder);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** Query plan of SQLite, one step per line. */
function planOf(query: { toSQL(): { sql: string; params: unknown[] } }): string[] {
  const { sql, params } = query.toSQL();
  return database.sqlite
    .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...(params as (string | number)[]))
    .map(({ detail }) => detail);
}

test("finding the data of a mailbox, which anyone may request, reads no rows of other mailboxes", () => {
  const { moderationActions, moderatorKeys, memberKeys, ...rows } = rowsOfMailbox(
    createSqliteReader(database.sqlite),
    "anna@example.org",
    DAWN,
  );

  const byMailbox = /^SEARCH \w+ USING INDEX \w+ \(<expr>=\?/;
  for (const [kind, query] of Object.entries(rows))
    expect([kind, planOf(query)]).toEqual([kind, [expect.stringMatching(byMailbox)]]);
  // The few rows of moderators, and of sessions, have no index. They also show that a plan would reveal a scan.
  for (const query of [moderationActions, moderatorKeys, memberKeys])
    expect(planOf(query)).toEqual([expect.not.stringMatching(byMailbox)]);
});
