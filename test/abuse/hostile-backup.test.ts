import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { copyFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backUp } from "../../db/sqlite/backups/backup.ts";
import { restore } from "../../db/sqlite/backups/restore.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { jpeg } from "../support/picture.ts";
import { scratchFolder } from "../support/process.ts";
import { createWorld, LOST_CAT, upload, type World } from "../support/world.ts";

// Somebody hands the operator a backup, or puts a data folder in place, that holds more than Pet Alert writes.

const SECRET = "a secret of this machine, 32 by.";
const ANNA = "anna@example.org";

const folders: (() => void)[] = [];
afterEach(() => {
  for (const forget of folders.splice(0)) forget();
});

/** Backs a world up, has the copy changed, and puts it back; what restore says, or null where it took it. */
async function restoreChanged(
  world: World,
  change: (backup: string) => void,
): Promise<string | null> {
  const scratch = scratchFolder();
  folders.push(scratch.forget);
  const backup = join(scratch.path, "backup");
  await backUp(world.dataDir, backup);
  change(backup);
  await world.app.stop();
  try {
    restore(world.dataDir, backup, { asideName: "replaced" });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await world.restart();
  }
}

function sql(folder: string, ...statements: readonly string[]): void {
  const database = new Database(join(folder, DATABASE_FILE));
  database.run("PRAGMA foreign_keys = OFF");
  for (const statement of statements) database.run(statement);
  database.close();
}

const SPY = `CREATE TRIGGER spy AFTER INSERT ON alert WHEN new.owner_email IS NOT NULL BEGIN
  UPDATE alert SET breed = new.owner_email WHERE id = new.id; END`;

async function restoreTrigger() {
  const world = await createWorld();
  await world.publish();
  const refusal = await restoreChanged(world, (backup) => sql(backup, SPY));
  await world.publish({ email: ANNA, name: "Rex" });
  const shown = await world.text("/api/v1/alerts");
  await world.end();
  return { refusal, showsAddress: shown.includes(ANNA), showsRex: shown.includes("Rex") };
}

test("a backup with a trigger is refused by name, and nobody's address is shown", async () => {
  const { refusal, showsAddress, showsRex } = await restoreTrigger();

  expect(refusal ?? "it was restored").toContain(
    'has the trigger "spy", which Pet Alert did not make',
  );
  expect({ showsAddress, showsRex }).toEqual({ showsAddress: false, showsRex: true });
});

test.each([
  ["a view", "CREATE VIEW spy AS SELECT owner_email FROM alert"],
  ["a table", "CREATE TABLE spy (word TEXT)"],
  ["a column", "ALTER TABLE hit ADD COLUMN spy AS (at + 1)"],
  ["an index gone", "DROP INDEX hit_by_age"],
  [
    "a view in a table's place",
    "ALTER TABLE migration RENAME TO m; CREATE VIEW migration AS SELECT * FROM m",
  ],
])(
  "a data folder whose database has %s is neither restored nor opened",
  async (_what, statement) => {
    const world = await createWorld();
    const change = (folder: string) => sql(folder, ...statement.split("; "));

    const refusal = await restoreChanged(world, change);
    await world.app.stop();
    change(world.dataDir);
    const opened = await world.restart().catch((error: Error) => error.message);

    for (const said of [refusal, opened])
      expect(said).toMatch(
        /Pet Alert (did not make|makes)|lacks the index "hit_by_age"|no table of migrations/,
      );
    rmSync(world.dataDir, { recursive: true });
  },
);

test("the tables that Litestream adds are no strangers", async () => {
  const world = await createWorld();

  const refusal = await restoreChanged(world, (backup) =>
    sql(
      backup,
      "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
      "CREATE TABLE _litestream_lock (id INTEGER)",
    ),
  );

  expect(refusal).toBeNull();
  await world.end();
});

/** A data folder put in place from elsewhere: a picture in it leads to another file of the machine. */
async function replacedPicture() {
  const world = await createWorld();
  const path = await publishWithPhoto(world);
  const secret = join(world.dataDir, "elsewhere");
  writeFileSync(secret, SECRET);
  await world.app.stop();
  for (const file of picturesOf(world.dataDir)) {
    rmSync(file);
    symlinkSync(secret, file);
  }
  await world.restart();
  const answer = await world.fetch(path);
  const isServed = (await answer.text()).includes(SECRET);
  const { status } = await world.fetch("/");
  await world.end();
  return { isServed, status };
}

async function publishWithPhoto(world: World): Promise<string> {
  const fields = {
    type: "lost",
    species: "cat",
    color: "grey",
    place: "Lyon",
    lat: "45.77",
    lng: "4.84",
    event_date: "2026-11-20",
    email: LOST_CAT.email,
  };
  await world.fetch("/publish", {
    method: "POST",
    ...upload(fields, [await jpeg({ width: 64, height: 64 })]),
  });
  await world.confirm(LOST_CAT.email);
  const { alerts } = await world.json("/api/v1/alerts");
  return new URL(alerts[0].photos[0]).pathname;
}

const picturesOf = (folder: string) =>
  readdirSync(join(folder, "photos")).map((name) => join(folder, "photos", name));

test("a picture that is a symbolic link is not served", async () => {
  expect(await replacedPicture()).toEqual({ isServed: false, status: 200 });
});

const link = (path: string, target: string) => {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
};
const LINKS: readonly [string, (backup: string, secret: string) => void][] = [
  ["picture", (backup, secret) => link(picturesOf(backup)[0] ?? "", secret)],
  [
    "key",
    (backup, secret) => {
      // The right one, so that nothing but the link can be minded.
      copyFileSync(join(backup, "secret.key"), secret);
      link(join(backup, "secret.key"), secret);
    },
  ],
  ["list of what was erased", (backup, secret) => link(join(backup, "erased.list"), secret)],
  ["folder of pictures", (backup, secret) => link(join(backup, "photos"), join(secret, ".."))],
];

async function restoreLink(spoil: (typeof LINKS)[number][1]) {
  const world = await createWorld();
  await publishWithPhoto(world);
  const scratch = scratchFolder();
  folders.push(scratch.forget);
  const secret = join(scratch.path, "secret");
  writeFileSync(secret, SECRET);
  const refusal = await restoreChanged(world, (backup) => spoil(backup, secret));
  await world.end();
  return refusal;
}

test.each(LINKS)(
  "a backup whose %s is a symbolic link is refused in a sentence",
  async (_what, spoil) => {
    expect((await restoreLink(spoil)) ?? "it was restored").toMatch(
      /is not a (plain file|folder)\. It may be a symbolic link: a backup has none\./,
    );
  },
);

test.each([
  ["malformed JSON", `UPDATE alert SET photos = '["'`],
  ["a photo's name that leads elsewhere", `UPDATE alert SET photos = '["../secret.key"]'`],
  ["words where a number stands", "UPDATE alert SET lat = 'north'"],
  [
    "words where a time stands in another schema file",
    "UPDATE confirmed_mailbox SET confirmed_at = 'today'",
  ],
])("a backup with %s in a row is refused by table and column", async (_what, statement) => {
  const world = await createWorld();
  await world.publish();

  const refusal = await restoreChanged(world, (backup) => sql(backup, statement));

  expect(refusal).toMatch(
    /has a row in table "(alert|confirmed_mailbox)" whose "(photos|lat|confirmed_at)" cannot be read/,
  );
  await world.end();
});
