import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { NOBODY, type TestDatabase } from "./postgres.ts";
import { until } from "./process.ts";
import { findProgram, isRoot, missingProgram, testsUnlessMissing } from "./system-programs.ts";

const PGBOUNCER = {
  names: ["pgbouncer", "/usr/sbin/pgbouncer"],
  debianPackages: ["pgbouncer"],
  setting: "PGBOUNCER",
};

/** `describe`, `test` and hooks of tests that need PgBouncer. */
export const pgbouncerTests = testsUnlessMissing(missingProgram(PGBOUNCER));

/** Starts a pooler in transaction mode in front of a database. */
export async function startPooler(database: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-pgbouncer-"));
  if (isRoot()) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=${dirname(database.socket)} user=${new URL(database.url).username}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = any
pool_mode = transaction
`,
  );
  const running = Bun.spawn([findProgram(PGBOUNCER), settings], {
    ...(isRoot() ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => existsSync(join(folder, basename(database.socket))));
  const url = new URL(database.url);
  url.searchParams.set("host", folder);
  return {
    url: url.href,
    stop(): void {
      running.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
