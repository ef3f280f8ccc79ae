import { SQL } from "bun";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openPostgres } from "../../db/postgres/open.ts";
import { until } from "./process.ts";
import {
  findProgram,
  isRoot,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "./system-programs.ts";

export const POSTGRES = PROGRAMS.postgres;

/** `describe`, `test` and hooks of tests that need PostgreSQL. */
export const postgresTests = testsUnlessMissing(missingProgram(POSTGRES));

const USER = "tests";
/** User who needs a password. */
const LOCKED = { user: "locked", password: "right" };
/** PostgreSQL refuses to run as root. */
export const NOBODY = { user: "nobody", uid: 65_534, gid: 65_534 };

export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

let server: ReturnType<typeof startSharedServer> | undefined;
let databases = 0;
/** Names of databases that are empty again: emptying one is faster than creating another. */
const free: string[] = [];

/** Empty database of its own, on a server that the tests of one run share. Give it back with `release`. */
export async function createDatabase() {
  const { admin, folder } = await (server ??= startSharedServer());
  const known = free.pop();
  const name = known ?? `test_${(databases += 1)}`;
  if (known === undefined) await admin.unsafe(`create database ${name} template ${TEMPLATE}`);
  const url = urlOf(folder, name);
  let isCleared = false;
  return {
    name,
    url,
    /** Socket of the server. */
    socket: join(folder, SOCKET),
    open: (connections: number) => openPostgres(url, connections),
    /** Client of the server, outside of this database. */
    admin,
    empty,
    async release(): Promise<void> {
      if (isCleared) return;
      const client = new SQL(clientOptions(folder, name, 1));
      await empty(client);
      await client.close();
      free.push(name);
    },
    /** URL with a user who needs a password. */
    locked: (password: string) =>
      url.replace(`${USER}@`, `${LOCKED.user}:${encodeURIComponent(password)}@`),
    /** Runs SQL in the database. */
    async run(statement: string): Promise<void> {
      const client = new SQL(clientOptions(folder, name, 1));
      await client.unsafe(statement);
      await client.close();
    },
    /** Moves the database to another tablespace. No store may be open then. */
    moveTo: (tablespace: string) =>
      admin.unsafe(`alter database ${name} set tablespace ${tablespace}`),
    /** Drops all tables. The database is not given to another test. */
    async clear(): Promise<void> {
      isCleared = true;
      await this.run("drop schema public cascade; create schema public");
    },
    /** All rows of the database, as SQL. */
    dump(): string {
      const program = join(dirname(findProgram(POSTGRES)), "pg_dump");
      const { stdout, stderr, success } = Bun.spawnSync([
        program,
        `--host=${folder}`,
        `--username=${USER}`,
        "--data-only",
        name,
      ]);
      if (!success) throw new Error(`${stderr}`);
      return stdout.toString("latin1");
    },
    /** Copies the database; the function that it returns puts the copy in its place. No store may be open then. */
    async backUp(): Promise<() => Promise<void>> {
      const copy = `${name}_copy`;
      // A database cannot be copied while it is used; pools connect again.
      await admin.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      await admin.unsafe(`create database ${copy} template ${name}`);
      return async () => {
        await admin.unsafe(`drop database ${name} with (force)`);
        await admin.unsafe(`alter database ${copy} rename to ${name}`);
      };
    },
  };
}

/** Tables whose rows cannot go before the alerts that refer to them; all others come in any order. */
const REFERRED_TO = ["short_code", "organisation"];

let emptying: string | undefined;

/** Empties the database of a client. */
async function empty(client: Pick<SQL, "unsafe">): Promise<void> {
  if (emptying === undefined) {
    const tables = await client.unsafe<{ readonly name: string }[]>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('counter', 'migration')",
    );
    const first = tables.map(({ name }) => name).filter((name) => !REFERRED_TO.includes(name));
    emptying = `${[...first, ...REFERRED_TO].map((name) => `delete from ${name};`).join("")}
      update counter set revision = 0, last_published_at = 0, beat_at = null, steady_since = null`;
  }
  await client.unsafe(emptying);
}

function clientOptions(folder: string, database: string, max: number, socket = SOCKET) {
  return {
    adapter: "postgres",
    path: join(folder, socket),
    username: USER,
    database,
    max,
  } as const;
}

function urlOf(folder: string, database: string): string {
  return `postgres://${USER}@localhost/${database}?host=${folder}`;
}

const SOCKET = ".s.PGSQL.5432";
const TEMPLATE = "pet_alert_template";

async function startSharedServer() {
  const started = await startServer();
  const { admin, folder } = started;
  await admin.unsafe(`create role ${LOCKED.user} login superuser password '${LOCKED.password}'`);
  await admin.unsafe(`create database ${TEMPLATE}`);
  await (await openPostgres(urlOf(folder, TEMPLATE), 1)).close();
  return started;
}

/**
 * Starts a server on a Unix socket in a scratch folder, and on `port` of this machine if one is given. It ends,
 * and its folder is removed, once this process has ended, in whatever way.
 */
export async function startServer(port?: number) {
  const postgres = findProgram(POSTGRES);
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  if (isRoot()) for (const path of [folder, data]) chownSync(path, NOBODY.uid, NOBODY.gid);
  const as = isRoot() ? { uid: NOBODY.uid, gid: NOBODY.gid } : {};
  const initdb = [
    join(dirname(postgres), "initdb"),
    `--pgdata=${data}`,
    `--username=${USER}`,
    "--auth=trust",
    "--encoding=UTF8",
    // Another order of texts than that of SQLite, as most servers have.
    "--locale=C.UTF-8",
    "--no-sync",
  ];
  const made = Bun.spawn(initdb, { ...as, cwd: folder, stdout: "ignore", stderr: "pipe" });
  if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr).text());
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, `local all ${LOCKED.user} scram-sha-256\n${readFileSync(rules, "utf8")}`);
  const options = Object.entries({
    ...(port === undefined
      ? { listen_addresses: "" }
      : { listen_addresses: "127.0.0.1, ::1", port }),
    unix_socket_directories: folder,
    max_connections: 300,
    fsync: "off",
    full_page_writes: "off",
    deadlock_timeout: "100ms",
  }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  await watchFolder(folder);
  const server = Bun.spawn([postgres, "-D", data, ...options], {
    ...as,
    cwd: data,
    stdin: "ignore",
    stdout: "ignore",
    stderr: Bun.file(join(folder, "log")),
  });
  server.unref();
  const socket = `.s.PGSQL.${port ?? 5432}`;
  const admin = new SQL(clientOptions(folder, "postgres", 2, socket));
  await until(() =>
    admin.unsafe("select 1").then(
      () => true,
      () => false,
    ),
  );
  return { admin, folder, socket: join(folder, socket), rules };
}

/**
 * Starts a shell that waits until this process has ended, in whatever way. It then ends every process whose working
 * directory lies in `folder`, frozen ones too, and removes the folder; the function that this returns has it do so at once.
 * The shell is neither in the tree of processes that `bun test --no-orphans` kills, nor in the group that a run of faults
 * kills.
 */
export async function watchFolder(folder: string): Promise<() => Promise<void>> {
  const pipe = join(folder, "alive");
  if (!Bun.spawnSync(["mkfifo", pipe]).success) throw new Error(`no pipe in ${folder}`);
  // Closed by the system at the latest. Opened for both directions, because opening one waits for the other.
  const alive = openSync(pipe, "r+");
  const shell = Bun.spawn(["sh", "-c", DETACH, "sh", folder, WATCH], {
    cwd: "/",
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  if ((await shell.exited) !== 0) throw new Error(`no shell watches over ${folder}`);
  return async () => {
    closeSync(alive);
    await until(() => !existsSync(folder));
  };
}

const DETACH = `
exec 3<"$1/alive"
setsid sh -c "$2" sh "$1" <&3 3<&- &`;

const WATCH = `
folder=$1
cat >/dev/null
for signal in QUIT QUIT QUIT KILL KILL KILL KILL KILL KILL KILL; do
  left=
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd")" in
      "$folder"/*) kill -$signal "\${process#/proc/}" && left=1 ;;
    esac
  done
  [ -z "$left" ] && break
  sleep 0.1
done
rm -rf "$folder"`;
