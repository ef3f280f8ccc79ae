import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsOf } from "../../db/sqlite/holdings.ts";
import { type OpenDatabase, openDatabase } from "../../db/sqlite/open.ts";
import { DAWN } from "../support/time.ts";

let folder: string;
let database: OpenDatabase;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-holdings-"));
  database = openDatabase(folder);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

/** How SQLite would carry a query out: a step a line. */
function planOf(query: { toSQL(): { sql: string; params: unknown[] } }): string[] {
  const { sql, params } = query.toSQL();
  return database.sqlite
    .query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(...(params as (string | number)[]))
    .map(({ detail }) => detail);
}

test("anybody may ask what is kept under a mailbox: it is found without reading what others have", () => {
  const { deeds, adminKeys, ...rows } = rowsOf(database.db, "anna@example.org", DAWN);

  const byMailbox = /^SEARCH \w+ USING INDEX \w+ \(<expr>=\?/;
  for (const [kind, query] of Object.entries(rows))
    expect([kind, planOf(query)]).toEqual([kind, [expect.stringMatching(byMailbox)]]);
  // A few lines of a few moderators have none. They also show that a plan tells the difference.
  for (const query of [deeds, adminKeys])
    expect(planOf(query)).toEqual([expect.not.stringMatching(byMailbox)]);
});
