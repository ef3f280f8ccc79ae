import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/settings/config.ts";
import { moveFolder } from "../../src/storage/move.ts";
import { makeBulk } from "../support/make.ts";
import { createDatabase } from "../support/postgres.ts";
import { createBucket } from "../support/s3.ts";
import { createWorld } from "../support/world.ts";

// `bun test/bench/move.ts [ALERTS]`: seconds that `pet-alert move` takes for so many alerts without photos, into a
// PostgreSQL on this machine that does not wait for its disk.

const count = Number(process.argv[2] ?? 100_000);
const AT_ONCE = 1_000;

const world = await createWorld();
for (let added = 0; added < count; added += AT_ONCE)
  await world.app.service.alerts.add(
    Array.from({ length: Math.min(AT_ONCE, count - added) }, () => makeBulk({ announce: false })),
  );
await world.app.stop();

const database = await createDatabase();
const bucket = await createBucket();
const aside = mkdtempSync(join(tmpdir(), "pet-alert-move-"));
const { cluster } = readConfig({
  DATABASE_URL: database.url,
  S3_URL: bucket.url,
  SECRET_KEY_FILE: join(aside, "secret.key"),
  SMTP_URL: "smtp://127.0.0.1:1",
});
if (cluster === null) throw new Error("the settings name no database");

const startedAt = performance.now();
const { rows } = await moveFolder(world.dataDir, cluster, {
  stopped: new AbortController().signal,
  onProgress: () => {},
});
const seconds = (performance.now() - startedAt) / 1_000;
console.log(
  `${rows.get("alert")} alerts moved and compared in ${seconds.toFixed(1)} s; ${Math.round(process.memoryUsage().rss / 1_000_000)} MB of memory`,
);
bucket.stop();
rmSync(aside, { recursive: true, force: true });
rmSync(world.dataDir, { recursive: true, force: true });
process.exit(0);
