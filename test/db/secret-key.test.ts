import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { KEY_FILE } from "../../src/ops/secret-key.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";

const NOBODY = 65_534;
const OTHER_KEY = new Uint8Array(32).fill(7);

let world: World;
let file: string;
let key: Buffer;
beforeEach(async () => {
  world = await createWorld();
  file = join(world.dataDir, KEY_FILE);
  key = readFileSync(file);
});
afterEach(() => world.end());

/** Stops the service, changes its folder, and starts it again; returns the message that it fails with, or null. */
async function restarted(change: () => void, on: World = world): Promise<string | null> {
  await on.app.stop();
  change();
  return on.restart().then(
    () => null,
    (error: Error) => error.message,
  );
}

function sql(statement: string): void {
  const database = new Database(join(world.dataDir, DATABASE_FILE), { strict: true });
  database.run(statement);
  database.close();
}

describe("a folder with alerts", () => {
  let manage: string;
  beforeEach(async () => {
    await world.publish();
    manage = await world.linkTo(LOST_CAT.email, "/manage/");
  });

  test("whose key is missing is refused and gets no other; with its key back it opens", async () => {
    const aside = `${file}.aside`;

    const refusal = await restarted(() => renameSync(file, aside));

    expect(refusal).toContain(`The key file secret.key is missing in ${world.dataDir}`);
    expect(refusal).toContain("Put the right secret.key back, or restore a whole backup");
    expect(existsSync(file)).toBe(false);
    renameSync(aside, file);
    await world.restart();
    expect((await world.fetch(manage)).status).toBe(200);
  });

  test.each<[string, () => void, string]>([
    ["another key", () => writeFileSync(file, OTHER_KEY), "is not the key that its database"],
    ["half a key", () => writeFileSync(file, key.subarray(0, 16)), "is damaged (16 bytes instead"],
    ["a folder by the key's name", () => (rmSync(file), mkdirSync(file)), "is not a file. Move it"],
    [
      "a symbolic link to its key",
      () => (renameSync(file, `${file}.real`), symlinkSync(`${file}.real`, file)),
      "is a symbolic link. Put the key file itself there",
    ],
  ])(
    "and %s is refused in a sentence, and opens once it is put right",
    async (_what, spoil, sentence) => {
      const refusal = await restarted(spoil);

      expect(refusal).toContain(sentence);
      expect(refusal).toContain(world.dataDir);
      expect(refusal).toEndWith(".");
      rmSync(file, { recursive: true });
      writeFileSync(file, key);
      await world.restart();
      expect((await world.fetch(manage)).status).toBe(200);
    },
  );

  test("and a key that the user may not read is refused with a message", async () => {
    // Root may read everything, so another user gets the folder without the key.
    const isRoot = process.getuid!() === 0;

    const refusal = await restarted(() => {
      chmodSync(file, isRoot ? 0o600 : 0o000);
      if (!isRoot) return;
      chownSync(world.dataDir, NOBODY, 0);
      for (const name of readdirSync(world.dataDir))
        if (name !== KEY_FILE) chownSync(join(world.dataDir, name), NOBODY, 0);
      process.seteuid!(NOBODY);
    }).finally(() => isRoot && process.seteuid!(0));

    expect(refusal).toContain(
      `The key file ${file} cannot be read (EACCES). Make the service's user its owner`,
    );
    chmodSync(file, 0o600);
    await world.restart();
  });
});

describe("an empty folder", () => {
  test("gets a key of its own, which only its owner may read", async () => {
    const other = await createWorld();

    expect(key).toHaveLength(32);
    expect(readFileSync(join(other.dataDir, KEY_FILE))).not.toEqual(key);
    await other.end();
  });

  test.each<[string, () => void]>([
    ["before the key was drawn", () => (rmSync(file), sql("DELETE FROM key_check"))],
    [
      "while the key was written",
      () => (
        renameSync(file, `${file}.new`),
        writeFileSync(`${file}.new`, "half"),
        sql("DELETE FROM key_check")
      ),
    ],
    ["before the database was told of the key", () => sql("DELETE FROM key_check")],
  ])("whose first start was interrupted %s opens at the next one", async (_when, cut) => {
    expect(await restarted(cut)).toBeNull();
    expect(readFileSync(file)).toHaveLength(32);
    expect(await restarted(() => writeFileSync(file, OTHER_KEY))).toContain("is not the key");
    rmSync(file);
    sql("DELETE FROM key_check");
    await world.restart();
  });
});

test("without the comparison, a lost key is silently replaced and links stop working", async () => {
  const blind: Weakening = {
    module: "db/sqlite/key-check.ts",
    name: "keyStateOf",
    instead: '() => "unused"',
  };

  const facts = await without([blind], async (copy) => {
    const { createWorld: create } = await copy.worlds();
    const victim = await create();
    await victim.publish();
    const refusal = await restarted(() => rmSync(join(victim.dataDir, KEY_FILE)), victim);
    const hasNewKey = existsSync(join(victim.dataDir, KEY_FILE));
    await victim.end();
    return { refusal, hasNewKey };
  });

  expect(facts).toEqual({ refusal: null, hasNewKey: true });
});
