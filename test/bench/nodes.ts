import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase } from "../support/postgres.ts";
import { scratchFolder, serve, type Served } from "../support/process.ts";
import { createBucket } from "../support/s3.ts";
import { openSmtpSink } from "../support/mail.ts";
import { median } from "./times.ts";

const USAGE = `Usage: bun run bench:nodes [--rounds N] [--publications N] 

Measures one, two and three nodes on one PostgreSQL database, beside a service on a folder, in turns:
publications (request and confirmation, without the time of the email) and searches a second, and the lag from the
answer of one node to the search of another.
The load, the nodes, the database, the bucket and the mail server share this machine; the database does not wait for its
disk (fsync is off), a folder does.

  --rounds        rounds, of which the medians count [3]
  --publications  publications of each round, and searches times ten [200]`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    publications: { type: "string", default: "200" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const ROUNDS = Number(values.rounds);
const PUBLICATIONS = Number(values.publications);
/** Requests under way at once. */
const AT_ONCE = 16;
const LAGS = 100;

const scratch = scratchFolder();
const keyFile = join(scratch.path, "secret.key");
await Bun.write(keyFile, new Uint8Array(32).fill(7));
const links = new Map<string, string>();
/** Owners who were told that their alert is live. */
const told = new Set<string>();
const mail = await openSmtpSink(({ to, text }) => {
  const link = /\S+\/confirm\/\S+/.exec(text ?? "")?.[0];
  if (link !== undefined) links.set(to, new URL(link).pathname);
  else told.add(to);
});

const COMMON = {
  SMTP_URL: mail.url,
  TRUST_PROXY: "1",
  LIMIT_PUBLISH: "off",
};

type Service = { readonly nodes: readonly Served[]; stop(): Promise<void> };

async function onFolder(): Promise<Service> {
  const folder = join(scratch.path, `folder-${crypto.randomUUID()}`);
  mkdirSync(folder);
  return running([await serve(folder, COMMON)]);
}

async function onDatabase(count: number): Promise<Service> {
  const database = await createDatabase();
  const settings = await sharedBy(database.url);
  const first = await serve(scratch.path, settings);
  const others = await Promise.all(
    Array.from({ length: count - 1 }, () => serve(scratch.path, settings)),
  );
  const { nodes, stop } = running([first, ...others]);
  return {
    nodes,
    async stop() {
      await stop();
      await database.release();
    },
  };
}

async function sharedBy(databaseUrl: string) {
  const bucket = await createBucket();
  return {
    ...COMMON,
    DATABASE_URL: databaseUrl,
    SECRET_KEY_FILE: keyFile,
    S3_URL: bucket.url,
  };
}

function running(nodes: readonly Served[]): Service {
  return {
    nodes,
    async stop() {
      for (const node of nodes) await node.stop();
    },
  };
}

let published = 0;

/** Publishes so many alerts, each from a client and a mailbox of its own. Returns publications a second. */
async function publish({ nodes }: Service): Promise<number> {
  const owners = Array.from(
    { length: PUBLICATIONS },
    () => `owner@p${(published += 1)}.example.org`,
  );
  const nodeOf = (nth: number) => nodes[nth % nodes.length]!;
  const asked = await timed(() =>
    inTurns(owners, async (email, nth) => {
      const answer = await nodeOf(nth).fetch("/api/mcp", toolCall(email, nth));
      if (!answer.ok || (await answer.text()).includes('"isError":true'))
        throw new Error(`a publication was refused: ${answer.status}`);
    }),
  );
  while (!owners.every((owner) => links.has(owner))) await Bun.sleep(50);
  const confirmed = await timed(() =>
    inTurns(owners, async (email, nth) => {
      const path = links.get(email) ?? "";
      const answer = await nodeOf(nth).fetch(path, { method: "POST", headers: from(nth) });
      await answer.bytes();
      if (answer.status >= 400) throw new Error(`a confirmation was refused: ${answer.status}`);
    }),
  );
  // What follows is not to be measured while emails go out.
  while (!owners.every((owner) => told.has(owner))) await Bun.sleep(50);
  return (1_000 * PUBLICATIONS) / (asked + confirmed);
}

function toolCall(email: string, nth: number): RequestInit {
  return {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...from(nth),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "publish_alert",
        arguments: {
          type: nth % 2 === 0 ? "lost" : "found",
          species: "cat",
          color: ["grey tabby", "black", "white", "ginger"][nth % 4],
          lat: 40 + (published % 90) / 10,
          lng: (published % 70) / 10,
          email,
        },
      },
    }),
  };
}

function from(nth: number): Record<string, string> {
  return { "X-Forwarded-For": `10.${published & 255}.${nth & 255}.7` };
}

async function search({ nodes }: Service): Promise<number> {
  const places = Array.from({ length: 10 * PUBLICATIONS }, (_, nth) => nth);
  const ms = await timed(() =>
    inTurns(places, async (nth) => {
      const path = `/api/v1/alerts?lat=${40 + (nth % 90) / 10}&lng=${(nth % 70) / 10}&radius_km=50`;
      await (await nodes[nth % nodes.length]!.fetch(path)).bytes();
    }),
  );
  return (1_000 * places.length) / ms;
}

/** Milliseconds from the answer of the first node to a confirmation until the last one finds the alert. */
async function lags({ nodes }: Service): Promise<number[]> {
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  const found: number[] = [];
  for (let nth = 0; nth < LAGS; nth++) {
    const email = `owner@p${(published += 1)}.example.org`;
    await (await first.fetch("/api/mcp", toolCall(email, nth))).bytes();
    while (!links.has(email)) await Bun.sleep(20);
    const before = await newest(last);
    await (
      await first.fetch(links.get(email) ?? "", { method: "POST", headers: from(nth) })
    ).bytes();
    found.push(
      await timed(async () => {
        while ((await newest(last)) === before);
      }),
    );
  }
  return found.toSorted((a, b) => a - b);
}

async function newest(node: Served): Promise<string | undefined> {
  const answer = await node.fetch("/api/v1/alerts?limit=1");
  const { alerts } = (await answer.json()) as { alerts: { id: string }[] };
  return alerts[0]?.id;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function inTurns<Item>(
  items: readonly Item[],
  work: (item: Item, nth: number) => Promise<void>,
): Promise<void> {
  const left = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [nth, item] of left) await work(item, nth);
    }),
  );
}

const KINDS: readonly (readonly [name: string, open: () => Promise<Service>])[] = [
  ["a folder", onFolder],
  ["1 node", () => onDatabase(1)],
  ["2 nodes", () => onDatabase(2)],
  ["3 nodes", () => onDatabase(3)],
];

const results = new Map(
  KINDS.map(([name]) => [name, { publications: [] as number[], searches: [] as number[] }]),
);
const lag: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, open] of KINDS) {
    const service = await open();
    const { publications, searches } = results.get(name)!;
    publications.push(await publish(service));
    searches.push(await search(service));
    if (name === "2 nodes") lag.push(...(await lags(service)));
    await service.stop();
  }
}
console.log("| Service | publications/s | searches/s |\n| --- | ---: | ---: |");
for (const [name, { publications, searches }] of results)
  console.log(`| ${name} | ${median(publications).toFixed(0)} | ${median(searches).toFixed(0)} |`);
const sorted = lag.toSorted((a, b) => a - b);
const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1);
console.log(
  `\nFrom the answer of one node to the search of another: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length} publications)`,
);

await mail.close();
scratch.forget();
process.exit(0);
