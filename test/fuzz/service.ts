import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { readConfig } from "../../src/settings/config.ts";
import { Fault } from "../../src/core/fault.ts";
import { type RecordedEmail, memoryTransport } from "../support/memory-transport.ts";
import { start } from "../../src/start.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { serve } from "../support/process.ts";
import { DAWN } from "../support/time.ts";
import type { FuzzResponse, FuzzRequest } from "./request.ts";
import type { Route } from "./routes.ts";
import { sendRaw } from "./raw-http.ts";
import { PICTURE_BYTES } from "./picture.ts";
import { decompressed } from "../support/unpacked.ts";

/** An email that went out. */
export type SentEmail = { readonly to: string; readonly text: string; readonly whole: string };

/** A running service that requests are sent to. */
export type FuzzedService = {
  readonly baseUrl: string;
  /** Sends a request whose names are filled in. */
  readonly send: (request: FuzzRequest) => Promise<FuzzResponse>;
  /** Lets the service do what is due; gives the emails that went out since the last call. */
  readonly emails: () => Promise<readonly SentEmail[]>;
  /** Lets time pass, where it can be pushed. */
  readonly pass: (ms: number) => void;
  /** What was logged since the last call. */
  readonly logged: () => readonly string[];
  readonly end: () => Promise<void>;
};

/** Opens the moderation pages. No canary: the moderators' log shows it to moderators. */
export const MODERATOR = "moderator@desk.example";
/** Opens the inbox of the one organisation. No canary either: its colleagues see it. */
export const MEMBER = "anna@paws.example";
/** Mailbox whose alerts are the organisation's. */
export const SHELTER = "desk@paws.example";
const BASE_URL = "http://localhost:3000";
const KEY_FILE = "secret.key";

/** Bounds that are reached now and then: refusals for asking too often are answers, too. */
const LIMITS = {
  LIMIT_READ: "60/m",
  LIMIT_PUBLISH: "30/h",
  LIMIT_MESSAGE: "60/h",
  LIMIT_SUBSCRIBE: "30/h",
};
const REQUEST_MS = 20;

/** The service in this process: its clock is pushed and its random fall by the seed, so that a run can be repeated. */
export async function serviceInProcess(
  seed: number,
): Promise<FuzzedService & { readonly routes: readonly Route[] }> {
  const dataDir = scratchFolder();
  await Bun.write(join(dataDir, KEY_FILE), Buffer.alloc(32, seed));
  const transport = memoryTransport();
  const lines: string[] = [];
  let now = DAWN;
  const clock = () => now;
  const settings = {
    BASE_URL,
    DATA_DIR: dataDir,
    BACKUP_KEEP: "off",
    ADMIN_EMAILS: MODERATOR,
    OPERATOR_NAME: "Animal Aid",
    OPERATOR_CONTACT: "desk@animal-aid.example",
  };
  const config = readConfig({ ...settings, ...LIMITS });
  const log = (event: string, details = {}) => lines.push(`${event} ${Bun.inspect(details)}`);
  const app = await start(config, {
    clock,
    random: seededRandom(seed, clock),
    transport,
    fetchPhoto,
    sendPush: async () => ({ kind: "sent" }),
    log,
  });
  await app.operator.saveOrganisation({
    slug: "happy-paws",
    name: "Happy Paws",
    email: SHELTER,
    members: [{ email: MEMBER, role: "manager" }],
    isNew: true,
  });
  const { routes } = app;
  return {
    baseUrl: BASE_URL,
    routes,
    async send(request) {
      now += REQUEST_MS;
      const before = process.cpuUsage();
      return readAnswer(await app.fetch(requestOf(request), request.from), before);
    },
    async emails() {
      await app.tick();
      return (transport.kept as RecordedEmail[]).splice(0).map(({ mail, envelope, raw }) => ({
        to: envelope.to,
        text: mail.text,
        whole: `${mail.subject}\n${mail.text}\n${mail.html}\n${Buffer.from(raw).toString("latin1")}`,
      }));
    },
    pass: (ms) => void (now += ms),
    logged: () => lines.splice(0),
    async end() {
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES_MIN = 2 ** 30;

/** In memory where there is room: what a disk takes to be sure of a write is no matter here, and takes most of the time. */
function scratchFolder(): string {
  const isRoomy = existsSync(MEMORY_FOLDER) && roomIn(MEMORY_FOLDER) > MEMORY_BYTES_MIN;
  return mkdtempSync(join(isRoomy ? MEMORY_FOLDER : tmpdir(), "pet-alert-fuzz-"));
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function requestOf({ method, target, headers, body }: FuzzRequest): Request {
  const sent = new Headers();
  for (const [name, value] of headers) sent.append(name, value);
  return new Request(`${BASE_URL}${target}`, {
    method,
    headers: sent,
    redirect: "manual",
    ...(body === null ? {} : { body: Buffer.from(body, "latin1") }),
  });
}

async function readAnswer(answer: Response, before: NodeJS.CpuUsage): Promise<FuzzResponse> {
  const { status, headers } = answer;
  const isImage = headers.get("Content-Type")?.startsWith("image/") ?? false;
  const bytes = decompressed(await answer.bytes(), headers.get("Content-Encoding"));
  const body = bytes.toString(isImage ? "latin1" : "utf8");
  const { user, system } = process.cpuUsage(before);
  return { status, headers, body, processorMs: (user + system) / 1_000 };
}

/** A picture for half of the addresses, a refusal in words for the others; where it would be is told elsewhere. */
async function fetchPhoto(address: string): Promise<Uint8Array> {
  if (address.length % 2 === 0) return PICTURE_BYTES;
  throw new Fault("bad_input", "The server has no such picture.");
}

const EMAILS_WAIT_MS = 5_000;
const EMAILS_LOOK_MS = 50;
const ROUND_MS = 1_000;

/** The real program, over real sockets. */
export async function serviceOverHttp(): Promise<FuzzedService> {
  const dataDir = scratchFolder();
  const mail = join(dataDir, "mail");
  mkdirSync(mail);
  const off = Object.fromEntries(Object.keys(LIMITS).map((name) => [name, "off"]));
  const served = await serve(dataDir, { ...off, ADMIN_EMAILS: MODERATOR, TRUST_PROXY: "1" });
  const seen = new Set<string>();
  let linesRead = 0;
  return {
    baseUrl: served.baseUrl,
    send: (request) => sendRaw(served.baseUrl, request),
    async emails() {
      const fresh = () =>
        readdirSync(mail).filter((name) => name.endsWith(".eml") && !seen.has(name));
      for (
        let waited = 0;
        fresh().length === 0 && waited < EMAILS_WAIT_MS;
        waited += EMAILS_LOOK_MS
      )
        await Bun.sleep(EMAILS_LOOK_MS);
      // One look at the outbox writes all that are due.
      await Bun.sleep(ROUND_MS);
      const names = fresh();
      for (const name of names) seen.add(name);
      return Promise.all(names.map((name) => readEmail(join(mail, name))));
    },
    pass: () => {},
    logged() {
      const lines = served.errors().split("\n").filter(Boolean);
      return lines.slice(linesRead, (linesRead = lines.length));
    },
    async end() {
      const code = await served.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the program ended with ${code}: ${served.errors()}`);
    },
  };
}

async function readEmail(file: string): Promise<SentEmail> {
  const raw = await Bun.file(file).text();
  const { to, text = "", html = "", subject = "" } = await PostalMime.parse(raw);
  return { to: to?.[0]?.address ?? "", text, whole: `${subject}\n${text}\n${html}\n${raw}` };
}
