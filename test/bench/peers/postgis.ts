import { chownSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { tokenize } from "../../../src/text/tokenize.ts";
import { type BenchRow, rowsIn } from "../alerts.ts";
import type { Question } from "../questions.ts";
import {
  centreOf,
  FETCHED,
  type FoundRow,
  pageOf,
  type Peer,
  type PeerConnection,
  type RunningPeer,
} from "./peer.ts";

/**
 * PostgreSQL 15 with PostGIS 3, as Debian packs them, on a private socket. Points are geographies under a GiST index,
 * distances go over the sphere (the faster way, and the one our own distances go), words are tsvectors under GIN, and
 * each of the columns filtered by has a btree together with the time. Settings fit the machine, statements are
 * prepared and planned as PostgreSQL sees fit (always for the values given, or never, is slower over all questions),
 * tables are analyzed, nothing is written while it is asked.
 */
export const postgis: Peer = {
  title: "PostgreSQL 15 + PostGIS",
  names: ["postgis"],
  knowsWords: true,
  missing: () => [
    ...(existsSync(join(PROGRAMS, "postgres")) ? [] : ["postgresql-15"]),
    ...(existsSync(EXTENSION) ? [] : ["postgresql-15-postgis-3"]),
  ],
  async start(folder) {
    const cluster = `${folder}.postgis`;
    if (!existsSync(cluster)) await load(folder, cluster);
    return startCluster(cluster);
  },
};

export function connectPostgis(socket: string): PeerConnection {
  const sql = new SQL({
    adapter: "postgres",
    path: socket,
    username: USER,
    database: "postgres",
    max: CONNECTIONS,
  });
  return {
    async answer(question) {
      const { text, values } = queryFor(question);
      const rows: { published_at: string; lat: number; lng: number; json: string }[] =
        await sql.unsafe(text, values);
      const found = rows.map((row): FoundRow => ({
        ...row,
        publishedAt: Number(row.published_at),
      }));
      return pageOf(found, question);
    },
    close: () => sql.close(),
  };
}

const PROGRAMS = "/usr/lib/postgresql/15/bin";
const EXTENSION = "/usr/share/postgresql/15/extension/postgis.control";
/** It refuses to run as root. */
const USER = "postgres";
/** More connections than cores answer no faster. */
const CONNECTIONS = 8;
const METRES_PER_KM = 1000;

const SETTINGS = {
  listen_addresses: "",
  shared_buffers: "2GB",
  effective_cache_size: "8GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  // Compiling costs more than these queries do.
  jit: "off",
  // Loading is not measured, and a cluster cut short is made anew.
  fsync: "off",
};

const TABLE = `
  CREATE EXTENSION postgis;
  CREATE TABLE alert (
    published_at bigint NOT NULL,
    species text NOT NULL,
    type text NOT NULL,
    lat double precision NOT NULL,
    lng double precision NOT NULL,
    words text NOT NULL,
    json text NOT NULL,
    point geography(Point, 4326) NOT NULL
      GENERATED ALWAYS AS (ST_SetSRID(ST_MakePoint(lng, lat), 4326)::geography) STORED,
    lexemes tsvector NOT NULL
      GENERATED ALWAYS AS (array_to_tsvector(string_to_array(words, ' '))) STORED
  )`;
const INDEXES = `
  ALTER TABLE alert ADD PRIMARY KEY (published_at);
  CREATE INDEX ON alert USING gist (point);
  CREATE INDEX ON alert USING gin (lexemes);
  CREATE INDEX ON alert (species, type, published_at);
  CREATE INDEX ON alert (species, published_at);
  CREATE INDEX ON alert (type, published_at)`;

/** The shortest text that asks just this, so that each shape is planned for itself. */
function queryFor(question: Question): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  const centre = centreOf(question);
  const tests: string[] = [];
  if (centre !== null) {
    const point = `ST_SetSRID(ST_MakePoint(${value(centre.lng)}, ${value(centre.lat)}), 4326)::geography`;
    const metres = value((question.radiusKm ?? 0) * METRES_PER_KM);
    tests.push(`ST_DWithin(point, ${point}, ${metres}, false)`);
  }
  if (question.species !== undefined) tests.push(`species = ${value(question.species)}`);
  if (question.type !== undefined) tests.push(`type = ${value(question.type)}`);
  if (question.since !== undefined)
    tests.push(`published_at >= ${value(Date.parse(question.since))}`);
  if (question.cursor !== undefined)
    tests.push(`published_at < ${value(Date.parse(question.cursor))}`);
  if (question.q !== undefined) {
    const beginnings = tokenize(question.q).map((word) => `'${word}':*`);
    tests.push(`lexemes @@ ${value(beginnings.join(" & "))}::tsquery`);
  }
  const where = tests.length === 0 ? "" : `WHERE ${tests.join(" AND ")}`;
  return {
    text: `SELECT published_at, lat, lng, json FROM alert ${where} ORDER BY published_at DESC LIMIT ${FETCHED}`,
    values,
  };
}

async function load(folder: string, cluster: string): Promise<void> {
  const unfinished = `${cluster}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (isRoot()) chownSync(unfinished, userId(), -1);
  await asUser([
    join(PROGRAMS, "initdb"),
    "-D",
    unfinished,
    "-U",
    USER,
    "-A",
    "trust",
    "-E",
    "UTF8",
  ]);
  const running = await startCluster(unfinished);
  await statements(unfinished, TABLE);
  await copy(unfinished, folder);
  await statements(unfinished, INDEXES);
  await statements(unfinished, "VACUUM ANALYZE alert");
  await running.stop();
  renameSync(unfinished, cluster);
}

async function startCluster(cluster: string): Promise<RunningPeer> {
  const settings = { ...SETTINGS, unix_socket_directories: cluster };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  const control = [join(PROGRAMS, "pg_ctl"), "-D", cluster, "-w", "-s"];
  await asUser([...control, "-l", join(cluster, "log"), "-o", options.join(" "), "start"]);
  const stopNow = () => {
    Bun.spawnSync(commandAsUser([...control, "-m", "immediate", "stop"]), { cwd: "/" });
  };
  // It is no child of ours: without this it would outlive a bench that was broken off.
  process.once("exit", stopNow);
  return {
    where: join(cluster, ".s.PGSQL.5432"),
    async stop() {
      process.off("exit", stopNow);
      await asUser([...control, "-m", "fast", "stop"]);
    },
  };
}

function psql(cluster: string): string[] {
  return ["psql", "-h", cluster, "-U", USER, "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-q"];
}

function statements(cluster: string, text: string): Promise<void> {
  return asUser([...psql(cluster), "-c", text]);
}

const COLUMNS = ["published_at", "species", "type", "lat", "lng", "words", "json"];

async function copy(cluster: string, folder: string): Promise<void> {
  const into = spawned([...psql(cluster), "-c", `COPY alert (${COLUMNS.join(", ")}) FROM STDIN`]);
  for await (const row of rowsIn(folder)) {
    const { publishedAt, species, type, lat, lng, words, json }: BenchRow = row;
    const cells = [publishedAt, species, type, lat, lng, words, json];
    const line = cells.map((cell) => String(cell).replaceAll("\\", "\\\\")).join("\t");
    void into.stdin.write(`${line}\n`);
    await into.stdin.flush();
  }
  await into.stdin.end();
  if ((await into.exited) !== 0) throw new Error(`COPY failed: ${await into.said()}`);
}

async function asUser(command: readonly string[]): Promise<void> {
  const child = spawned(command);
  await child.stdin.end();
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(" ")} failed: ${await child.said()}`);
}

function spawned(command: readonly string[]) {
  const child = Bun.spawn(commandAsUser(command), {
    // A folder that user may enter.
    cwd: "/",
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  return {
    stdin: child.stdin,
    exited: child.exited,
    said: () => new Response(child.stderr).text(),
  };
}

function commandAsUser(command: readonly string[]): string[] {
  return isRoot() ? ["runuser", "-u", USER, "--", ...command] : [...command];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function userId(): number {
  const line = Bun.spawnSync(["id", "-u", USER]).stdout.toString();
  return Number(line.trim());
}
