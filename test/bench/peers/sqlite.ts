import { Database } from "bun:sqlite";
import { existsSync, renameSync, rmSync } from "node:fs";
import { boxesAround, EARTH_RADIUS_KM, type Point } from "../../../src/values/point.ts";
import { tokenize } from "../../../src/text/tokenize.ts";
import { rowsIn } from "../alerts.ts";
import type { Question } from "../questions.ts";
import {
  centreOf,
  FETCHED,
  type FoundRow,
  pageOf,
  type Peer,
  type PeerConnection,
} from "./peer.ts";

/**
 * SQLite in the asking process, as Bun brings it: points in an R*Tree that carries the columns filtered by, words in
 * FTS5 with an index of beginnings, times as the key of every table. The 20 rows are fetched once it is known which.
 * Which index leads where both would do is chosen by hand, by trial: the planner takes the slower one.
 */
export const sqlite: Peer = {
  title: "SQLite R*Tree + FTS5",
  names: ["sqlite"],
  knowsWords: true,
  missing: () => [],
  async start(folder) {
    const file = `${folder}.rtree.sqlite`;
    if (!existsSync(file)) await load(folder, file);
    return { where: file, stop: async () => {} };
  },
};

export function connectSqlite(file: string): PeerConnection {
  const database = new Database(file, { readonly: true, strict: true });
  database.run(`PRAGMA cache_size = -${CACHE_KB}`);
  database.run(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  return {
    async answer(question) {
      const { text, values } = queryFor(question);
      return pageOf(
        database.query<FoundRow, Record<string, string | number>>(text).all(values),
        question,
      );
    },
    close: async () => database.close(),
  };
}

const CACHE_KB = 1_000_000;
const MAPPED_BYTES = 8_000_000_000;

const TABLES = `
  CREATE TABLE alert (
    published_at INTEGER PRIMARY KEY,
    species TEXT NOT NULL,
    type TEXT NOT NULL,
    lat REAL NOT NULL,
    lng REAL NOT NULL,
    json TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE spot USING rtree(
    published_at, west, east, south, north, +lat REAL, +lng REAL, +species TEXT, +type TEXT,
    +words TEXT
  );
  CREATE VIRTUAL TABLE word USING fts5(words, content = '', prefix = '1 2 3 4')`;
const INDEXES = `
  CREATE INDEX alert_by_both ON alert (species, type, published_at);
  CREATE INDEX alert_by_species ON alert (species, published_at);
  CREATE INDEX alert_by_type ON alert (type, published_at);
  INSERT INTO word (word) VALUES ('optimize');
  ANALYZE`;

/** A small circle holds fewer alerts than most words do: there the R*Tree leads, elsewhere the words. */
const SMALL_KM = 50;

type Values = Record<string, string | number>;

function queryFor(question: Question): { text: string; values: Values } {
  const values: Values = {};
  const tests: string[] = [];
  const centre = centreOf(question);
  const radiusKm = question.radiusKm ?? 0;
  const bySpot = centre !== null && (question.q === undefined || radiusKm <= SMALL_KM);
  const byWord = question.q !== undefined && !bySpot;
  if (centre !== null)
    tests.push(within(centre, radiusKm, bySpot ? SPOT_EDGES : ALERT_EDGES, values));
  if (question.q !== undefined)
    tests.push(byWord ? matching(question.q, values) : saying(question.q, values));
  for (const column of ["species", "type"] as const) {
    const wanted = question[column];
    if (wanted === undefined) continue;
    values[column] = wanted;
    tests.push(`${column} = $${column}`);
  }
  const key = byWord ? "word.rowid" : "published_at";
  if (question.since !== undefined) {
    values["since"] = Date.parse(question.since);
    tests.push(`${key} >= $since`);
  }
  if (question.cursor !== undefined) {
    values["before"] = Date.parse(question.cursor);
    tests.push(`${key} < $before`);
  }
  const from = byWord
    ? "word CROSS JOIN alert ON alert.published_at = word.rowid"
    : bySpot
      ? "spot"
      : "alert";
  const where = tests.length === 0 ? "" : `WHERE ${tests.join(" AND ")}`;
  const keys = `SELECT ${key} AS key FROM ${from} ${where} ORDER BY ${key} DESC LIMIT ${FETCHED}`;
  const columns = "alert.published_at AS publishedAt, alert.lat, alert.lng, alert.json";
  return {
    text: `SELECT ${columns} FROM (${keys}) CROSS JOIN alert ON alert.published_at = key ORDER BY key DESC`,
    values,
  };
}

/** The index of words answers, newest first. */
function matching(text: string, values: Values): string {
  values["words"] = tokenize(text)
    .map((word) => `"${word}"*`)
    .join(" ");
  return "word MATCH $words";
}

/** The words that the R*Tree carries are read. */
function saying(text: string, values: Values): string {
  const tests = tokenize(text).map((word, nth) => {
    values[`word${nth}`] = ` ${word}`;
    return `instr(words, $word${nth}) > 0`;
  });
  return tests.join(" AND ");
}

const SPOT_EDGES = { west: "west", east: "east", south: "south", north: "north" };
const ALERT_EDGES = { west: "lng", east: "lng", south: "lat", north: "lat" };

/** The boxes that hold the circle, then the distance as the house counts it. */
function within(centre: Point, radiusKm: number, edges: typeof SPOT_EDGES, values: Values): string {
  const boxes = boxesAround(centre, radiusKm).map((box, nth) => {
    const { west, south, east, north } = box;
    for (const [edge, degrees] of Object.entries({ west, south, east, north }))
      values[`${edge}${nth}`] = degrees;
    return (
      `(${edges.east} >= $west${nth} AND ${edges.west} <= $east${nth} AND ` +
      `${edges.north} >= $south${nth} AND ${edges.south} <= $north${nth})`
    );
  });
  Object.assign(values, centre, { radiusKm });
  const squared = (term: string) => `(${term}) * (${term})`;
  const halfLat = squared("sin(radians(lat - $lat) / 2)");
  const halfLng = squared("sin(radians(lng - $lng) / 2)");
  const h = `${halfLat} + cos(radians($lat)) * cos(radians(lat)) * ${halfLng}`;
  const km = `2 * ${EARTH_RADIUS_KM} * asin(sqrt(min(1, ${h})))`;
  return `(${boxes.join(" OR ")}) AND ${km} <= $radiusKm`;
}

async function load(folder: string, file: string): Promise<void> {
  const unfinished = `${file}.part`;
  rmSync(unfinished, { force: true });
  const database = new Database(unfinished, { create: true, strict: true });
  database.run("PRAGMA journal_mode = MEMORY");
  database.run("PRAGMA synchronous = OFF");
  database.run(`PRAGMA cache_size = -${CACHE_KB}`);
  database.run(TABLES);
  const addAlert = database.prepare(
    "INSERT INTO alert VALUES ($publishedAt, $species, $type, $lat, $lng, $json)",
  );
  const addSpot = database.prepare(
    "INSERT INTO spot VALUES ($publishedAt, $lng, $lng, $lat, $lat, $lat, $lng, $species, $type, $words)",
  );
  const addWords = database.prepare(
    "INSERT INTO word (rowid, words) VALUES ($publishedAt, $words)",
  );
  database.run("BEGIN");
  for await (const { words, json, ...spot } of rowsIn(folder)) {
    addAlert.run({ ...spot, json });
    addSpot.run({ ...spot, words: ` ${words}` });
    addWords.run({ publishedAt: spot.publishedAt, words });
  }
  database.run("COMMIT");
  database.run(INDEXES);
  database.close();
  renameSync(unfinished, file);
}
