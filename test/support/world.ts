import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import PostalMime, { type Email } from "postal-mime";
import { readConfig } from "../../src/settings/config.ts";
import { type RecordedEmail, memoryTransport } from "./memory-transport.ts";
import { type App, type Parts, start } from "../../src/start.ts";
import { bytesIn } from "./disk.ts";
import type { TestDatabase } from "./postgres.ts";
import type { TestBucket } from "./s3.ts";
import { DAWN, DAY } from "./time.ts";

export const BASE_URL = "http://localhost:3000";
/** The disk this runs on may be nearly full. */
const PLENTY_BYTES = 100_000_000_000;

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * A whole service on a scratch folder: real SQLite, captured mail, a clock that moves only when it is pushed.
 * `settings` are environment variables, `parts` stand in for the real ones and for those of this world. Call `end()`
 * when done.
 *
 * With the environment variable TEST_NODES it is as many services on one PostgreSQL database, which answer in turn.
 */
export async function createWorld(
  settings: Readonly<Record<string, string>> = {},
  parts: Parts = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), "pet-alert-test-"));
  const shared = NODES === 0 ? null : await createShared();
  const clock = { now: DAWN };
  const mailServer = { isDown: false };
  const transport = memoryTransport({
    answer: () => (mailServer.isDown ? { kind: "deferred", why: "down" } : { kind: "sent" }),
  });
  const bugs: string[] = [];
  const openOne = () =>
    start(
      readConfig({
        BASE_URL,
        DATA_DIR: dataDir,
        LIMIT_READ: "off",
        BACKUP_KEEP: "off",
        LOG_REQUESTS: "off",
        ...(shared === null ? {} : sharedBy(shared, dataDir)),
        ...settings,
      }),
      {
        clock: () => clock.now,
        databaseTime: async () => clock.now,
        transport,
        // Nothing leaves this machine.
        sendPush: async () => ({ kind: "sent" }),
        log: (event, details = {}) => bugs.push(`${event} ${Bun.inspect(details)}`),
        freeBytes: async () => PLENTY_BYTES,
        ...parts,
      },
    );
  const open = () => Promise.all(Array.from({ length: Math.max(NODES, 1) }, openOne));
  let apps = await open();
  let turn = 0;

  /** The service whose turn it is, as far as the others have told it. */
  async function next(): Promise<App> {
    const app = apps[(turn += 1) % apps.length]!;
    if (apps.length > 1) await app.service.syncIndexes();
    return app;
  }

  async function tick(): Promise<void> {
    for (const app of apps) await app.tick();
  }

  const fetch = async (
    path: string,
    init: RequestInit = {},
    from: string | null = "198.51.100.7",
  ): Promise<Response> => {
    const url = path.startsWith("http") ? path : `${settings["BASE_URL"] ?? BASE_URL}${path}`;
    return (await next()).fetch(new Request(url, { redirect: "manual", ...init }), from);
  };

  return {
    dataDir,
    fetch,
    /** Mail server; emails wait while it is down. */
    mailServer,
    /** Log lines: bugs and undelivered mail. */
    logged: bugs as readonly string[],
    now: () => clock.now,
    get app() {
      return apps[0]!;
    },
    /** The services of all nodes. */
    get apps(): readonly App[] {
      return apps;
    },

    /** All bytes of the data folder, and those of the shared database, as text in which bytes are characters. */
    storedBytes: () => bytesIn(dataDir) + (shared?.database.dump() ?? ""),

    /** Lets time pass, ticking on the way as often as `every`. */
    async pass(ms: number, every = Math.min(ms, DAY)) {
      for (let left = ms; left > 0; left -= every) {
        clock.now += Math.min(every, left);
        await tick();
      }
    },
    /** Moves the clock without a tick, backwards too. */
    jump(ms: number) {
      clock.now += ms;
    },
    tick,
    /** Closes and opens the service on the same folder. */
    async restart() {
      await stop(apps);
      apps = await open();
    },

    /** Emails to one mailbox so far, oldest first, after a tick. */
    async emails(to: string): Promise<Email[]> {
      await tick();
      const mine = transport.kept.filter((kept) => kept.envelope.to === to);
      return Promise.all(mine.map((kept) => PostalMime.parse(kept.raw)));
    },
    sentMail: transport.kept as readonly RecordedEmail[],

    /** The private link in the newest email to a mailbox that has one of its kind, such as "/manage/". */
    async linkTo(to: string, part: string): Promise<string> {
      const email = (await this.emails(to)).findLast((one) => one.text?.includes(part));
      return linkIn(email, part);
    },
    /** Presses the button of the newest confirmation email to a mailbox; gives the page that follows. */
    async confirm(to: string): Promise<Response> {
      return this.post(await this.linkTo(to, "/confirm/"));
    },

    /** Calls a tool as an assistant would; gives its structured content, or throws its error text. */
    async tool(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
      const client = await this.mcpClient();
      const result = await client.callTool({ name, arguments: args });
      await client.close();
      if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text);
      return result.structuredContent as Record<string, unknown>;
    },

    /** The SDK's own client, speaking to the app in process. */
    async mcpClient(): Promise<Client> {
      const client = new Client({ name: "test", version: "1" });
      const transport = new StreamableHTTPClientTransport(
        new URL(`${settings["BASE_URL"] ?? BASE_URL}/api/mcp`),
        {
          fetch: (url, init) => fetch(String(url), init),
        },
      );
      // The SDK declares an optional callback otherwise than it implements it.
      await client.connect(transport as Parameters<Client["connect"]>[0]);
      return client;
    },

    json: (path: string, init: RequestInit = {}) => json(fetch(path, init)),
    async text(path: string, headers: Strings = {}): Promise<string> {
      return (await fetch(path, { headers })).text();
    },
    /** Sends a form as a browser does; `from` an address, as `fetch` does. */
    post(
      path: string,
      fields: Strings = {},
      headers: Strings = {},
      from?: string,
    ): Promise<Response> {
      const { body, headers: own } = form(fields);
      return fetch(path, { method: "POST", headers: { ...own, ...headers }, body }, from);
    },
    /** Sends a form as `post` does, and gives the page that its redirect leads to. */
    async press(...form: Parameters<typeof this.post>): Promise<Response> {
      const answer = await this.post(...form);
      return answer.status === 303 ? fetch(answer.headers.get("Location") ?? "") : answer;
    },

    /** Publishes and confirms an alert; gives its public JSON. */
    async publish(about: Record<string, unknown> = {}): Promise<any> {
      const given = { ...LOST_CAT, ...about };
      const { slug } = await this.tool("publish_alert", given);
      await this.confirm(given.email);
      return this.json(`/api/v1/alerts/${slug}`);
    },

    async end() {
      await stop(apps);
      await shared?.database.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const NODES = Number(process.env["TEST_NODES"] ?? 0);

type Shared = { readonly database: TestDatabase; readonly bucket: TestBucket };

/** Database and bucket. Loaded only when needed: the module installs PostgreSQL. */
async function createShared(): Promise<Shared> {
  const { createDatabase } = await import("./postgres.ts");
  const { createBucket } = await import("./s3.ts");
  return { database: await createDatabase(), bucket: await createBucket() };
}

/** Settings of services that share a database. */
function sharedBy({ database, bucket }: Shared, folder: string): Strings {
  const keyFile = join(folder, "secret.key");
  if (!existsSync(keyFile)) writeFileSync(keyFile, new Uint8Array(32).fill(7), { mode: 0o600 });
  return {
    DATABASE_URL: database.url,
    S3_URL: bucket.url,
    DATABASE_POOL: "3",
    SECRET_KEY_FILE: keyFile,
    SMTP_URL: "smtp://127.0.0.1:1",
  };
}

async function stop(apps: readonly App[]): Promise<void> {
  for (const app of apps) await app.stop();
}

type Strings = Readonly<Record<string, string>>;

/** An answer's JSON, of whatever shape the test expects. */
export async function json(answer: Response | Promise<Response>): Promise<any> {
  return (await answer).json();
}

/** A complete publication by tool. */
export const LOST_CAT = {
  type: "lost",
  species: "cat",
  name: "Mimi",
  color: "grey tabby",
  lat: 45.7741,
  lng: 4.8321,
  email: "owner@example.org",
};

/** Mailbox of a person who writes to owners. */
export const FINDER = "finder@example.net";

/** A form as a browser posts it. */
export function form(fields: Strings): {
  headers: Record<string, string>;
  body: string;
} {
  return {
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  };
}

/** A form with files as a browser posts it; a field may be sent several times. */
export function upload(
  fields: Readonly<Record<string, string | readonly string[]>>,
  photos: readonly (Uint8Array | File)[] = [],
): { body: FormData } {
  const body = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) body.append(name, value);
  for (const photo of photos)
    body.append("photos", photo instanceof File ? photo : new File([photo], "photo.jpg"));
  return { body };
}

/** The first address in an email that holds `part`. */
export function linkIn(
  email: { readonly text?: string | undefined } | undefined,
  part: string,
): string {
  const link = linkWith(part, email?.text ?? "");
  if (link === null) throw new Error(`no link with ${part} in: ${email?.text ?? "no email"}`);
  return link;
}

/** The first address in a text that holds `part`, or null. */
export function linkWith(part: string, text: string): string | null {
  return text.match(/https?:\/\/\S+/g)?.find((link) => link.includes(part)) ?? null;
}
