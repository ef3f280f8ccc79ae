import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NOBODY, type TestDatabase } from "./postgres.ts";
import { freePort, until } from "./process.ts";
import {
  findProgram,
  isRoot,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "./system-programs.ts";

const PGBOUNCER = PROGRAMS.pgbouncer;

/** `describe`, `test` and hooks of tests that need PgBouncer. */
export const pgbouncerTests = testsUnlessMissing(missingProgram(PGBOUNCER));

/** Starts a pooler in transaction mode in front of a database. */
export async function startPooler(database: TestDatabase) {
  const url = new URL(database.url);
  const { folder, stop } = await startPgbouncer(
    `* = host=${dirname(database.socket)} user=${url.username}`,
    `auth_type = any
pool_mode = transaction`,
  );
  url.searchParams.set("host", folder);
  return { url: url.href, stop };
}

/** Starts a pooler in session mode that listens on 127.0.0.1 and lets users in with TLS and a password. */
export async function startTlsPooler(
  server: {
    readonly socket: string;
    readonly port: number;
    readonly certificate: string;
    readonly key: string;
  },
  user: { readonly name: string; readonly password: string },
) {
  const port = await freePort();
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const { stop } = await startPgbouncer(
    `* = host=${dirname(server.socket)} port=${server.port}`,
    `listen_addr = 127.0.0.1
auth_type = scram-sha-256
auth_file = FOLDER/users
pool_mode = session
client_tls_sslmode = require
client_tls_cert_file = ${server.certificate}
client_tls_key_file = ${server.key}`,
    { port, users: `${quoted(user.name)} ${quoted(user.password)}\n` },
  );
  return { port, stop };
}

/** `FOLDER` in the settings stands for a scratch folder, which holds the file `users`. */
async function startPgbouncer(
  databases: string,
  settings: string,
  { port = 5432, users = "" } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-pgbouncer-"));
  if (isRoot()) chownSync(folder, NOBODY.uid, NOBODY.gid);
  writeFileSync(join(folder, "users"), users);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
${databases}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = ${port}
${settings.replaceAll("FOLDER", folder)}
`,
  );
  const running = Bun.spawn([findProgram(PGBOUNCER), file], {
    ...(isRoot() ? { uid: NOBODY.uid, gid: NOBODY.gid } : {}),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => existsSync(join(folder, `.s.PGSQL.${port}`)));
  return {
    folder,
    stop(): void {
      running.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
