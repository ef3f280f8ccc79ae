import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RedisClient } from "bun";
import { EARTH_RADIUS_KM, type Point } from "../../../src/values/point.ts";
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
 * Redis 7 as Debian packs it, on a private socket, without writing to disk while it is asked. Each alert is a hash;
 * its key, the time, stands in geo sets and in sets by time, one of each for every species, type and both, so that
 * only what fits is read. GEOSEARCH gives all that lies in the circle: its own limit would keep the nearest, not the
 * newest, so sorting and cutting happen where it is asked. It knows nothing of words.
 */
export const redis: Peer = {
  title: "Redis GEOSEARCH",
  names: ["redis"],
  knowsWords: false,
  missing: () => (Bun.which("redis-server") === null ? ["redis-server"] : []),
  async start(folder) {
    const home = `${folder}.redis`;
    if (!existsSync(home)) await load(folder, home);
    return startServer(home);
  },
};

export function connectRedis(socket: string): PeerConnection {
  const client = new RedisClient(`redis+unix://${socket}`);
  return {
    async answer(question) {
      const centre = centreOf(question);
      const keys =
        centre === null
          ? await newest(client, question)
          : await newestWithin(client, centre, question);
      const hashes = await Promise.all(
        keys.map((key) => client.hmget(`alert:${key}`, "lat", "lng", "json")),
      );
      const rows = hashes.map(([lat, lng, json], nth): FoundRow => ({
        publishedAt: keys[nth]!,
        lat: Number(lat),
        lng: Number(lng),
        json: json ?? "",
      }));
      return pageOf(rows, question);
    },
    close: async () => client.close(),
  };
}

/** Of Redis's sphere (geohash_helper.c: EARTH_RADIUS_IN_METERS): a circle of ours is a little wider in its km. */
const REDIS_EARTH_RADIUS_KM = 6372.797560856;

async function newestWithin(
  client: RedisClient,
  { lat, lng }: Point,
  question: Question,
): Promise<number[]> {
  const radiusKm = ((question.radiusKm ?? 0) * REDIS_EARTH_RADIUS_KM) / EARTH_RADIUS_KM;
  const circle = ["FROMLONLAT", String(lng), String(lat), "BYRADIUS", String(radiusKm), "km"];
  const within: string[] = await client.send("GEOSEARCH", [keyFor("spot", question), ...circle]);
  const since = question.since === undefined ? -Infinity : Date.parse(question.since);
  const before = question.cursor === undefined ? Infinity : Date.parse(question.cursor);
  const keys = Float64Array.from(within, Number).filter((key) => key >= since && key < before);
  return Array.from(keys.sort().slice(-FETCHED)).reverse();
}

async function newest(client: RedisClient, question: Question): Promise<number[]> {
  const highest = question.cursor === undefined ? "+inf" : `(${Date.parse(question.cursor)}`;
  const lowest = question.since === undefined ? "-inf" : String(Date.parse(question.since));
  const range = [highest, lowest, "LIMIT", "0", String(FETCHED)];
  const keys: string[] = await client.send("ZREVRANGEBYSCORE", [
    keyFor("time", question),
    ...range,
  ]);
  return keys.map(Number);
}

function keyFor(what: "spot" | "time", { species = "any", type = "any" }: Question): string {
  return `${what}:${species}:${type}`;
}

/** The commands that add an alert. */
function commandsFor({ publishedAt, species, type, lat, lng, json }: BenchRow): string[][] {
  const key = String(publishedAt);
  const fields = { species, type, lat: String(lat), lng: String(lng), json };
  const groups: Question[] = [{}, { species }, { type }, { species, type }];
  return [
    ["HSET", `alert:${key}`, ...Object.entries(fields).flat()],
    ...groups.map((group) => ["GEOADD", keyFor("spot", group), String(lng), String(lat), key]),
    ...groups.map((group) => ["ZADD", keyFor("time", group), key, key]),
  ];
}

async function load(folder: string, home: string): Promise<void> {
  const unfinished = `${home}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  const running = await startServer(unfinished);
  const pipe = Bun.spawn(["redis-cli", "-s", running.where, "--pipe"], {
    stdin: "pipe",
    stdout: "ignore",
  });
  for await (const row of rowsIn(folder)) {
    for (const command of commandsFor(row)) void pipe.stdin.write(asProtocol(command));
    await pipe.stdin.flush();
  }
  await pipe.stdin.end();
  if ((await pipe.exited) !== 0) throw new Error("redis-cli --pipe failed");
  await command(running.where, "SAVE");
  await running.stop();
  renameSync(unfinished, home);
}

/** RESP, as `redis-cli --pipe` wants it. */
function asProtocol(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join("")}`;
}

async function startServer(home: string): Promise<RunningPeer> {
  const socket = join(home, "socket");
  const child = Bun.spawn(
    ["redis-server", "--port", "0", "--unixsocket", socket, "--dir", home, "--save", ""],
    { stdout: "ignore", stderr: "ignore" },
  );
  const stopNow = () => child.kill("SIGKILL");
  process.once("exit", stopNow);
  await answering(socket, child);
  return {
    where: socket,
    async stop() {
      process.off("exit", stopNow);
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

const START_MS_MAX = 120_000;
const START_STEP_MS = 50;

/** It listens at once, and says PONG when everything is in memory. */
async function answering(socket: string, child: { exitCode: number | null }): Promise<void> {
  for (let waited = 0; waited < START_MS_MAX; waited += START_STEP_MS) {
    if ((await command(socket, "PING")) === "PONG") return;
    if (child.exitCode !== null) break;
    await Bun.sleep(START_STEP_MS);
  }
  throw new Error("redis-server does not answer");
}

async function command(socket: string, word: string): Promise<string> {
  const cli = Bun.spawn(["redis-cli", "-s", socket, word], { stdout: "pipe", stderr: "ignore" });
  return (await new Response(cli.stdout).text()).trim();
}
