import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FROM_SOURCES, type Program, run, scratchFolder, serve } from "../support/process.ts";
import { median } from "./times.ts";

const USAGE = `Usage: bun run bench:burst [--other FOLDER] [--alerts N] [--rounds N]

Times a visitor's page in milliseconds, alone and while others post, in turns: fifteen POSTs of one caller, and 45 of
three networks in one IPv6 /56, each a batch of 20 publications that are refused, so within the limit of reads. Prints
medians, and their ratio: at most 2 is the aim.

  --other    folder with another version of the program, to compare this one with
  --alerts   alerts in the directory [2000]
  --rounds   rounds that count, after one that warms up [15]`;

const { values: options } = parseArgs({
  options: {
    other: { type: "string" },
    alerts: { type: "string", default: "2000" },
    rounds: { type: "string", default: "15" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

const PAGE = "/";
const PAGES_ALONE = 20;
const BATCH = 20;
const HOSTILE = "@1a".repeat(666);
const PUBLICATION = {
  type: "lost",
  species: "cat",
  color: "grey tabby",
  lat: 45.77,
  lng: 4.83,
  description: HOSTILE,
};
/** Publications that are refused. */
const REFUSED = {
  "over the limit": (nth: number) => ({ ...PUBLICATION, email: `writer${nth}@example.org` }),
  "a day in the future": () => ({
    ...PUBLICATION,
    email: "writer@example.org",
    event_date: "2100-01-01",
  }),
  "an unknown place": () => ({
    ...PUBLICATION,
    lat: undefined,
    lng: undefined,
    place: "zxq ".repeat(20).trim(),
    email: "writer@example.org",
  }),
};
/** Addresses that the POSTs of a round come from. */
const CALLERS = {
  "15 POSTs of one caller": (round: number) => Array<string>(15).fill(ipv4("10.1", round)),
  "45 POSTs of one /56": (round: number) =>
    Array.from({ length: 45 }, (_, nth) => `2001:db8:${round.toString(16)}:a${nth % 3}::1`),
};

const scratch = scratchFolder();
const { other } = options;
const versions: { readonly name: string; readonly program: Program }[] = [
  ...(other === undefined ? [] : [{ name: "other", program: { ...FROM_SOURCES, cwd: other } }]),
  { name: "this", program: FROM_SOURCES },
];
const original = join(scratch.path, "original");
const made = await run(versions[0]!.program, ["demo", "world", "--count", options.alerts], {
  DATA_DIR: original,
});
if (made.code !== 0) throw new Error(made.errors);

let visitors = 0;
let rounds = 0;
try {
  for (const { name, program } of versions) {
    const dataDir = join(scratch.path, name);
    cpSync(original, dataDir, { recursive: true });
    const settings = { LIMIT_READ: "300/m", TRUST_PROXY: "1", SMTP_URL: "smtp://127.0.0.1:9" };
    const server = await serve(dataDir, settings, program);
    for (const [callers, addressesOf] of Object.entries(CALLERS))
      for (const [refused, publication] of Object.entries(REFUSED)) {
        const line = await measure(server.baseUrl, addressesOf, publication);
        console.log(`${name}: ${callers}, ${refused}: ${line}`);
      }
    await server.stop();
  }
} finally {
  scratch.forget();
}

async function measure(
  baseUrl: string,
  addressesOf: (round: number) => readonly string[],
  publication: (nth: number) => object,
): Promise<string> {
  const alone: number[] = [];
  const beside: number[] = [];
  const bursts: number[] = [];
  for (let round = -1; round < Number(options.rounds); round++) {
    rounds += 1;
    const quiet: number[] = [];
    for (let nth = 0; nth < PAGES_ALONE; nth++) quiet.push(await pageMs(baseUrl));
    const posts = addressesOf(rounds).map((from, nth) => post(baseUrl, from, publication, nth));
    const began = performance.now();
    let isOver = false;
    const burst = Promise.all(posts).finally(() => (isOver = true));
    const busy: number[] = [];
    while (!isOver) busy.push(await pageMs(baseUrl));
    await burst;
    if (round < 0) continue;
    alone.push(...quiet);
    beside.push(...busy);
    bursts.push(performance.now() - began);
  }
  const [before, during] = [median(alone), median(beside)];
  return (
    `page ${before.toFixed(1)} ms alone, ${during.toFixed(1)} ms beside (${beside.length} pages, ` +
    `longest ${Math.max(...beside).toFixed(0)} ms), ratio ${(during / before).toFixed(2)}; ` +
    `the POSTs take ${median(bursts).toFixed(0)} ms`
  );
}

/** Time of a page for a visitor of its own. */
async function pageMs(baseUrl: string): Promise<number> {
  visitors += 1;
  const headers = { "X-Forwarded-For": ipv4(`172.${16 + (visitors >> 16)}`, visitors) };
  const before = performance.now();
  const answer = await fetch(`${baseUrl}${PAGE}`, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`the page answers ${answer.status}`);
  return performance.now() - before;
}

async function post(
  baseUrl: string,
  from: string,
  publication: (nth: number) => object,
  nth: number,
): Promise<void> {
  const calls = Array.from({ length: BATCH }, (_, at) => ({
    jsonrpc: "2.0",
    id: at,
    method: "tools/call",
    params: { name: "publish_alert", arguments: publication(nth * BATCH + at) },
  }));
  const answer = await fetch(`${baseUrl}/api/mcp`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      "X-Forwarded-For": from,
    },
    body: JSON.stringify(calls),
  });
  await answer.arrayBuffer();
}

function ipv4(start: string, nth: number): string {
  return `${start}.${(nth >> 8) & 255}.${nth & 255}`;
}
