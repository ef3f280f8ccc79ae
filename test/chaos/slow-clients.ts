import type { Socket } from "bun";
import {
  holdsWithin,
  peakMemoryMb,
  type Program,
  scratchFolder,
  type Served,
  serve,
} from "../support/process.ts";
import { jpeg } from "../support/picture.ts";
import { LOST_CAT, upload } from "../support/world.ts";
import { formatNumber, type Fault, partOf, Skipped } from "./fault.ts";
import { type Weakening, without } from "./weakened.ts";

const HALF_OPEN = partOf(8_000);
/** With fewer the machine is too small for the promise. */
const HALF_OPEN_MIN = HALF_OPEN / 2;
const CONNECTED_AT_ONCE = 200;
const TRICKLING = 100;
const TRICKLING_UPLOADS = 200;
const PUBLICATIONS = 5;
const TRICKLE_MS = 500;
const NORMAL_MS = 8_000;
const WORKERS = 4;
/** The whole process, with all of them connected. */
const MEMORY_MB_MAX = 400;
/** Liveness: by then all slow connections are ended. */
const ENDED_SECONDS_MAX = 180;

/** Times for uploads shortened, so that nobody waits minutes for them. */
const SHORTER: Weakening = {
  module: "src/http/middleware/timeouts.ts",
  name: "TIMEOUTS",
  instead: "{ ...original.TIMEOUTS, formMs: 30_000, uploadSeconds: 48 }",
};

export const slowClients: Fault = {
  name: "slow and half-open clients",
  promise: `Beside ${formatNumber(HALF_OPEN)} half-open connections and ${TRICKLING + TRICKLING_UPLOADS} that trickle, ${TRICKLING_UPLOADS} of them uploads, every normal request is answered, people publish with photos, memory stays under ${MEMORY_MB_MAX} MB, and slow connections are ended`,
  async run(say) {
    const outcome = await without([SHORTER], ({ program }) => besiege(program, say));
    const { open, normal, p99Ms, memoryMb, failures } = outcome;
    return {
      tried: `${formatNumber(open)} half-open and ${TRICKLING + TRICKLING_UPLOADS} trickling clients beside ${formatNumber(normal)} requests (p99 ${p99Ms.toFixed(0)} ms, ${memoryMb} MB)`,
      failures,
    };
  },
};

async function besiege(program: Program, say: (line: string) => void) {
  const folder = scratchFolder();
  const served = await serve(folder.path, { LIMIT_PUBLISH: "off" }, program);
  const failures: string[] = [];
  const silent = await openSilent(served);
  if (silent.opened < HALF_OPEN_MIN)
    throw new Skipped(
      `only ${silent.opened} sockets could be opened: raise the limit of open files (ulimit -n)`,
    );
  say(`${formatNumber(silent.opened)} half-open sockets`);
  const trickling = await trickle(served, TRICKLING, BEGINNINGS.slice(1));
  const uploads = await trickle(served, TRICKLING_UPLOADS, [UPLOAD_BEGINNING]);

  const tooks: number[] = [];
  const end = performance.now() + NORMAL_MS;
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let at = worker; performance.now() < end; at += 1)
        tooks.push(await normalRequest(served, at, failures));
    }),
  );
  for (let number = 0; number < PUBLICATIONS; number += 1) {
    const { status } = await publishWithPhoto(served, number);
    if (status !== 303) failures.push(`a publication with a photo was answered with ${status}`);
  }
  const memoryMb = peakMemoryMb(served.child.pid);
  const p99Ms = tooks.toSorted((a, b) => a - b)[Math.floor(tooks.length * 0.99)] ?? 0;
  say(`${formatNumber(tooks.length)} normal requests, p99 ${p99Ms.toFixed(1)} ms, ${memoryMb} MB`);
  if (memoryMb > MEMORY_MB_MAX) failures.push(`it took ${memoryMb} MB`);

  const areEnded = await holdsWithin(
    ENDED_SECONDS_MAX,
    () => silent.open() === 0 && trickling.open() === 0 && uploads.open() === 0,
  );
  trickling.end();
  uploads.end();
  if (!areEnded)
    failures.push(
      `${silent.open()} silent and ${trickling.open() + uploads.open()} trickling connections never ended`,
    );
  say("silent and trickling connections are ended");
  if ((await served.fetch("/readyz")).status !== 200) failures.push("it is not ready any more");
  if ((await served.stop()) !== 0) failures.push("it did not end well");
  folder.forget();
  return { open: silent.opened, normal: tooks.length, p99Ms, memoryMb, failures };
}

/** Bytes that a half-open client sends before it stops. */
const BEGINNINGS = [
  "",
  "GET /api/v1/alerts HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
  "POST /publish HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\ntype=lost&",
] as const;
const UPLOAD_BEGINNING =
  "POST /publish HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 8000000\r\n\r\n--x\r\n";

async function openSilent(served: Served) {
  const sockets = new Set<Socket>();
  let opened = 0;
  const openOne = async (number: number) => {
    await Bun.connect({
      hostname: "127.0.0.1",
      port: portOf(served),
      socket: {
        open(socket) {
          opened += 1;
          sockets.add(socket);
          socket.write(BEGINNINGS[number % BEGINNINGS.length] ?? "");
        },
        data() {},
        end: (socket) => void socket.end(),
        close: (socket) => void sockets.delete(socket),
        error() {},
      },
    }).catch(() => {});
  };
  for (let number = 0; number < HALF_OPEN; number += CONNECTED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(CONNECTED_AT_ONCE, HALF_OPEN - number) }, (_, at) =>
        openOne(number + at),
      ),
    );
  return { opened, open: () => sockets.size };
}

/** Clients that are not silent: a byte of the head, or of the body, now and then. */
async function trickle(served: Served, count: number, beginnings: readonly string[]) {
  const sockets = new Set<Socket>();
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      Bun.connect({
        hostname: "127.0.0.1",
        port: portOf(served),
        socket: {
          open(socket) {
            sockets.add(socket);
            socket.write(beginnings[at % beginnings.length] ?? "");
          },
          data() {},
          end: (socket) => void socket.end(),
          close: (socket) => void sockets.delete(socket),
          error() {},
        },
      }),
    ),
  );
  const trickling = setInterval(() => {
    for (const socket of sockets) socket.write("x".repeat(500));
  }, TRICKLE_MS);
  return { open: () => sockets.size, end: () => clearInterval(trickling) };
}

const NORMAL = ["/api/v1/alerts", "/healthz", "/", "/publish"] as const;

async function normalRequest(served: Served, number: number, failures: string[]): Promise<number> {
  const path = NORMAL[number % NORMAL.length] ?? "/";
  const began = performance.now();
  try {
    const answer = await served.fetch(path);
    await answer.arrayBuffer();
    if (answer.status !== 200) failures.push(`${path} was answered with ${answer.status}`);
  } catch (error) {
    failures.push(`${path} was not answered: ${String(error)}`);
  }
  return performance.now() - began;
}

/** A form with a photo, as a person sends it. */
async function publishWithPhoto(served: Served, number: number): Promise<Response> {
  const { type, species, color } = LOST_CAT;
  const email = `person${number}@example.org`;
  const given = { type, species, color, email, place: "Lyon" };
  const photo = await jpeg({ width: 1600, height: 1200 + number });
  return served.fetch("/publish", { method: "POST", ...upload(given, [photo]) });
}

function portOf({ baseUrl }: Served): number {
  return Number(new URL(baseUrl).port);
}
