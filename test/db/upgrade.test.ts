import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { MIGRATIONS } from "../../db/sqlite/migrations/all.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { readConfig } from "../../src/config.ts";
import { memoryTransport } from "../../src/mail/smtp.ts";
import { start } from "../../src/start.ts";
import { DAWN, HOUR } from "../support/time.ts";
import { BASE_URL, form } from "../support/world.ts";

// Data folders as earlier versions left them, one for each schema: see fixtures/write.ts.

describe.each(MIGRATIONS.map((_, index) => index + 1))("a data folder of schema %i", (schema) => {
  let folder: string;
  let known: Readonly<Record<"alert" | "manage" | "conversation" | "confirm", string>>;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "pet-alert-upgrade-"));
    known = await unpack(schema, folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const copyNamed = (number: number) => `before-migration-${number}.sqlite`;

  test("opens with all its data, and is copied before it is migrated", async () => {
    const transport = memoryTransport();
    const app = await open(transport);
    const page = async (path: string, init: RequestInit = {}) => {
      const request = new Request(`${BASE_URL}${path}`, { redirect: "manual", ...init });
      const answer = await app.fetch(request, "198.51.100.7");
      return { status: answer.status, text: await answer.text() };
    };

    expect((await page(known.alert)).text).toContain("Mimi");
    expect((await page(known.manage)).text).toContain("Mimi");
    expect((await page(known.conversation)).text).toContain("Seen!");
    await app.tick();
    const before = transport.kept.length;
    expect((await page(known.confirm, { method: "POST", ...form({}) })).status).toBeLessThan(400);
    await app.tick();
    const email = await PostalMime.parse(transport.kept.slice(before)[0]?.raw ?? "");
    expect(email.to?.map(({ address }) => address)).toEqual(["waiting@example.org"]);
    const found = JSON.parse((await page("/api/v1/alerts")).text);
    expect(found.alerts.map((alert: any) => alert.pet_name)).toEqual(["Rex", "Mimi", "Mimi"]);
    await app.stop();

    const copies = readdirSync(folder).filter((name) => name.startsWith("before-"));
    expect(copies).toEqual(schema === MIGRATIONS.length ? [] : [copyNamed(schema)]);
  });

  // The current schema needs none.
  if (schema < MIGRATIONS.length)
    test("has a copy as it was before", async () => {
      await (await open(memoryTransport())).stop();

      const copy = new Database(join(folder, copyNamed(schema)), { readonly: true });
      expect(copy.query("SELECT count(*) AS migrations FROM migration").get()).toEqual({
        migrations: schema,
      });
      copy.close();
    });

  if (schema < MIGRATIONS.length)
    test("is not changed if a page of it is damaged", async () => {
      spoilIndex();

      await expect(open(memoryTransport())).rejects.toThrow("is damaged");

      expect(readdirSync(folder)).not.toContain(copyNamed(schema));
    });

  /** Overwrites the root page of an index. */
  function spoilIndex() {
    const file = join(folder, DATABASE_FILE);
    const database = new Database(file);
    const { page_size: size } = database
      .query<{ page_size: number }, []>("PRAGMA page_size")
      .get()!;
    const { rootpage } = database
      .query<{ rootpage: number }, []>(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
      )
      .get()!;
    database.run("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, (rootpage - 1) * size, rootpage * size));
  }

  function open(transport: ReturnType<typeof memoryTransport>) {
    return start(readConfig({ BASE_URL, DATA_DIR: folder, BACKUP_KEEP: "off" }), {
      clock: () => DAWN + HOUR,
      transport,
      log: (event, details) => {
        throw new Error(`${event} ${Bun.inspect(details)}`);
      },
    });
  }
});

async function unpack(schema: number, folder: string) {
  const sql = await Bun.file(join(import.meta.dir, "fixtures", `schema-${schema}.sql`)).text();
  const known = Object.fromEntries(
    [...sql.matchAll(/^-- (\w+) (\S+)$/gm)].map(([, name, value]) => [name, value]),
  );
  writeFileSync(join(folder, "secret.key"), Uint8Array.fromHex(known["key"] ?? ""));
  const database = new Database(join(folder, DATABASE_FILE), { create: true });
  database.run("PRAGMA foreign_keys = OFF");
  database.transaction(() => database.run(sql))();
  database.close();
  return known as Record<"alert" | "manage" | "conversation" | "confirm", string>;
}
