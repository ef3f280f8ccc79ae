import { SQL } from "bun";
import { afterEach, beforeEach, expect } from "bun:test";
import { optionsOf } from "../../db/postgres/connection.ts";
import { backup, restoreBackup } from "../../src/commands/backup.ts";
import { createCheck } from "../../src/commands/check/check.ts";
import { demo } from "../../src/commands/demo.ts";
import { exportTable } from "../../src/commands/export.ts";
import { readConfig } from "../../src/settings/config.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { start } from "../../src/start.ts";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
import { pgbouncerTests, startPooler } from "../support/pgbouncer.ts";
import { freePort, FROM_SOURCES, run } from "../support/process.ts";
import { createBucket, type TestBucket } from "../support/s3.ts";
import { openShell, type Shell } from "./shell.ts";

const { describe, test } = postgresTests;

let shell: Shell;
let database: TestDatabase;
let bucket: TestBucket;
let settings: Record<string, string>;
beforeEach(async () => {
  shell = openShell();
  database = await createDatabase();
  bucket = await createBucket();
  settings = {
    DATABASE_URL: database.url,
    SECRET_KEY_FILE: await shell.write("secret.key", new Uint8Array(32).fill(7)),
    S3_URL: bucket.url,
    SMTP_URL: "smtp://127.0.0.1:1",
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
  };
});
afterEach(async () => {
  bucket.stop();
  await database.release();
  shell.end();
});

const check = async () => {
  const dns = { txt: async () => [], addresses: async () => [] };
  return (await shell.run(createCheck(dns), [], { settings })).said;
};

/** Starts a node and stops it; it throws a sentence for the operator when it cannot start. */
async function startNode(): Promise<void> {
  const config = readConfig({ DATA_DIR: shell.dataDir, ...settings });
  await (await start(config, { transport: memoryTransport(), log: () => {} })).stop();
}

describe("check on a node", () => {
  test("finds what several nodes need, and tells what an operator may want to change", async () => {
    await startNode();

    const said = await check();

    for (const line of [
      "ok    The database answers: PostgreSQL 1",
      "ok    The clock runs steadily.",
      "fix   A power cut can lose what the database has confirmed (fsync, synchronous_commit).",
      "warn  Commits wait for no standby: what was confirmed last is lost with the primary.",
      "warn  The database archives no log (archive_mode is off).",
      "ok    Nodes hear of each other's changes at once.",
      "ok    The key file matches the database.",
      "ok    The bucket of S3_URL can be written, read, listed and cleared.",
    ])
      expect(said).toContain(line);
    expect(said).not.toContain("data folder");
  });

  test("warns of a connection that others on the network can read", async () => {
    await startNode();
    expect(await check()).toContain("ok    The network cannot read what is said to the database.");
    // As a server on another machine would answer.
    await database.run(
      `create schema answers; create function answers.inet_client_addr() returns inet language sql as $$ select '10.0.0.5'::inet $$;
       alter database ${database.name} set search_path = answers, pg_catalog, public`,
    );
    try {
      expect(await check()).toContain(
        "warn  The connection to the database crosses the network without encryption.",
      );
    } finally {
      await database.run(
        `alter database ${database.name} reset search_path; drop schema answers cascade`,
      );
    }
  });

  test("does not create the tables of an empty database", async () => {
    await database.clear();

    expect(await check()).toContain("fix   The database of DATABASE_URL is empty.");
    expect(await check()).toContain("fix   The database of DATABASE_URL is empty.");
  });
});

describe("neither starts nor passes the check, with a sentence:", () => {
  const refused = async (sentence: string) => {
    await expect(startNode()).rejects.toThrow(sentence);
    expect(await check()).toContain(`fix   ${sentence}`);
  };

  test.each<[string, () => string, string]>([
    ["does not answer", () => database.url.replace("host=", "host=/nowhere"), "does not answer."],
    ["is not there", () => database.url.replace(database.name, "no"), "has no database of that"],
    ["needs another password", () => database.locked("wrong"), "refuses the user or the password."],
  ])("a node whose database %s", async (_, url, sentence) => {
    settings["DATABASE_URL"] = url();
    await refused(`The server of DATABASE_URL ${sentence}`);
  });

  test.each([["create tables", "grant usage on schema public to tenant"]])(
    "one whose user may not %s",
    async (_, rights) => {
      await database.clear();
      await database.run(`create role tenant login; ${rights}`);
      settings["DATABASE_URL"] = database.url.replace(/\/\/\w+@/, "//tenant@");
      try {
        await expect(startNode()).rejects.toThrow("Make it the owner of the database.");
      } finally {
        await database.run("drop owned by tenant; drop role tenant");
      }
    },
  );

  test("one whose database has tables of another program", async () => {
    await database.clear();
    await database.run("create table customer (id int)");
    await refused("The database has the table customer, which Pet Alert did not make.");
  });

  test.each([
    [
      "server is too old",
      "current_setting(text) returns text",
      "'140012'",
      "is PostgreSQL 14; Pet Alert needs 15 or newer.",
    ],
    [
      "server is a standby",
      "pg_is_in_recovery() returns boolean",
      "true",
      "is a standby and takes no writes.",
    ],
  ])("one whose %s", async (_, declaration, answer, sentence) => {
    await startNode();
    // As such a server would answer.
    await database.run(
      `create schema answers; create function answers.${declaration} language sql as $$ select ${answer} $$;
       alter database ${database.name} set search_path = answers, pg_catalog, public`,
    );
    try {
      await refused(`The server of DATABASE_URL ${sentence.replace(/\.$/, "")}`);
    } finally {
      await database.run(
        `alter database ${database.name} reset search_path; drop schema answers cascade`,
      );
    }
  });

  test("one whose database is set to take no writes", async () => {
    await startNode();
    const set = (change: string) =>
      database.admin.unsafe(`alter database ${database.name} ${change}`);
    await set("set default_transaction_read_only = on");
    try {
      await refused(
        "The database of DATABASE_URL takes no writes: default_transaction_read_only is on.",
      );
    } finally {
      await set("reset default_transaction_read_only");
    }
  });

  test("one whose server has no connection left", async () => {
    await startNode();
    const set = (limit: number) =>
      database.admin.unsafe(`alter role locked nosuperuser connection limit ${limit}`);
    settings["DATABASE_URL"] = database.locked("right");
    await set(1);
    const other = new SQL({ ...optionsOf(settings["DATABASE_URL"]), max: 1 });
    await other.connect();
    try {
      await refused("The server of DATABASE_URL has no connection left.");
    } finally {
      await other.close();
      await database.admin.unsafe("alter role locked superuser connection limit -1");
    }
  });

  test("one with another key than the others", async () => {
    await startNode();
    settings["SECRET_KEY_FILE"] = await shell.write("other.key", new Uint8Array(32).fill(8));
    await refused("The key of SECRET_KEY_FILE is not the one that the database was written with.");
  });

  test("one without a key file", async () => {
    await startNode();
    settings["SECRET_KEY_FILE"] = "/nowhere/secret.key";
    await refused("The key file /nowhere/secret.key does not exist.");
  });

  test("one whose bucket takes no writes", async () => {
    await startNode();
    bucket.trouble("read-only");
    await refused("The key of S3_URL may not do everything in the bucket");
  });
});

describe("the process of a node that cannot start ends, with a sentence:", () => {
  const serve = () => run(FROM_SOURCES, ["serve"], settings);

  test("when its port is in use", async () => {
    const port = Number(settings["PORT"]);
    const other = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() });
    try {
      const { code, errors } = await serve();
      expect(errors).toContain(`Port ${port} is in use.`);
      expect(code).toBe(1);
    } finally {
      await other.stop(true);
    }
  });
});

pgbouncerTests.test(
  "a node whose database is reached by a pooler in transaction mode is told so",
  async () => {
    await startNode();
    const pooler = await startPooler(database);
    settings["DATABASE_URL"] = pooler.url;
    try {
      await expect(startNode()).rejects.toThrow("DATABASE_URL leads through a pooler");
      expect(await check()).toContain("fix   DATABASE_URL leads through a pooler");
    } finally {
      pooler.stop();
    }
  },
);

describe("commands beside running nodes", () => {
  test("add alerts, and read them without a change of the schema", async () => {
    const filled = await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "0"], {
      settings,
    });
    expect(filled.code).toBe(0);

    const file = `${shell.folder}/alerts.jsonl`;
    expect((await shell.run(exportTable, [file], { settings })).code).toBe(0);
    expect((await Bun.file(file).text()).trim().split("\n")).toHaveLength(20);
  });

  test.each([
    [backup, []],
    [restoreBackup, ["/backup"]],
  ])("refuse to back up what the database's own tools do (%#)", async (command, words) => {
    const run = shell.run(command, words, { settings });
    await expect(run).rejects.toThrow("DATABASE_URL is set: back up and restore the database with");
  });
});
