import { afterEach, beforeEach, expect } from "bun:test";
import { createServer } from "node:net";
import { createDatabase, postgresTests, type TestDatabase } from "../support/postgres.ts";
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

/** Process of a node, which must end by itself. */
const serve = () => run(FROM_SOURCES, ["serve"], settings);

describe("the process of a node that cannot start ends, with a sentence:", () => {
  test("when its port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) =>
      other.listen(Number(settings["PORT"]), "127.0.0.1", resolve),
    );
    try {
      const { code, errors } = await serve();
      expect(errors).toContain(`Port ${settings["PORT"]} is in use.`);
      expect(code).toBe(1);
    } finally {
      other.close();
    }
  });

  test("when its logo is missing", async () => {
    settings["LOGO_FILE"] = "/nowhere/logo.png";
    const { code, errors } = await serve();
    expect(errors).toContain("The setting LOGO_FILE names a file that does not exist");
    expect(code).toBe(1);
  });
});
