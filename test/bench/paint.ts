import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import PostalMime from "postal-mime";
import type { Browser } from "playwright-core";
import { openChromium } from "../e2e/chromium.ts";
import { naturalPhoto } from "../support/natural-photo.ts";
import { FROM_SOURCES, type Program, run, scratchFolder, serve } from "../support/process.ts";
import { linkWith, upload } from "../support/world.ts";

const USAGE = `Usage: bun run bench:paint [--other FOLDER] [--rounds N]

Opens the home page and an alert's page as a phone does that was never here: on slow 3G (400 kbit/s, 400 ms there and back)
and with a processor 4 times slower than this one. Prints the median times of the first and the largest paint, the time until
the page is painted and its scripts have run, and the bytes that arrived by then. Two versions of the program are opened in
turns, on the same alerts and photos.

  --other   folder with another version of the program, to compare this one with
  --rounds  rounds that count, after one that warms up [5]`;

const PHONE = { width: 390, height: 844 };
const SLOW_3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const SLOWER = 4;
const MADE_UP = "60";
const WITH_PHOTOS = 8;

const { values: options } = parseArgs({
  options: {
    other: { type: "string" },
    rounds: { type: "string", default: "5" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}

const versions: readonly { readonly name: string; readonly program: Program }[] = [
  ...(options.other === undefined
    ? []
    : [{ name: "other", program: { ...FROM_SOURCES, cwd: options.other } satisfies Program }]),
  { name: "this", program: FROM_SOURCES },
];

type Visit = {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly usableMs: number;
  readonly bytes: number;
};

const tile = await new Bun.Image(await naturalPhoto(0)).resize(256, 256).png().bytes();
const tiles = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(tile) });
const TILE_URL = `http://127.0.0.1:${tiles.port}/{z}/{x}/{y}.png`;
const scratch = scratchFolder();
const original = join(scratch.path, "original");
// Made by the other version, which may be older: this one can migrate it.
const alertPath = await fill(original, versions[0]!.program);
const servers = await Promise.all(
  versions.map(async ({ name, program }) => {
    const dataDir = join(scratch.path, name);
    cpSync(original, dataDir, { recursive: true });
    return {
      name,
      visits: new Map<string, Visit[]>(),
      ...(await serve(dataDir, { TILE_URL }, program)),
    };
  }),
);
const chromium = await openChromium();
try {
  const pages = { home: "/", alert: alertPath };
  for (let round = -1; round < Number(options.rounds); round++)
    for (const [page, path] of Object.entries(pages))
      for (const { baseUrl, visits } of servers) {
        const seen = await visit(chromium, `${baseUrl}${path}`);
        if (round >= 0) visits.set(page, [...(visits.get(page) ?? []), seen]);
      }
  for (const page of Object.keys(pages))
    for (const { name, visits } of servers) {
      const all = visits.get(page) ?? [];
      const ms = (of: (visit: Visit) => number) => `${Math.round(median(all.map(of)))}`;
      console.log(
        `${page}, ${name}: first paint ${ms((one) => one.firstPaintMs)} ms, largest paint ${ms((one) => one.largestPaintMs)} ms, usable ${ms((one) => one.usableMs)} ms, ${ms((one) => one.bytes / 1000)} kB`,
      );
    }
} finally {
  await chromium.close();
  for (const server of servers) await server.stop();
  await tiles.stop(true);
  scratch.forget();
}

/** Fills a data folder with made-up alerts, and with newer ones that have photos. Returns the path of one of these. */
async function fill(dataDir: string, program: Program): Promise<string> {
  const made = await run(program, ["demo", "Lyon", "--count", MADE_UP], { DATA_DIR: dataDir });
  if (made.code !== 0) throw new Error(made.errors);
  const server = await serve(
    dataDir,
    { LIMIT_PUBLISH: "off", SHARED_EGRESS: "127.0.0.1/32" },
    program,
  );
  let path = "";
  for (let number = 0; number < WITH_PHOTOS; number++) {
    const about = { type: "lost", species: "cat", name: "Mimi", color: "grey tabby" };
    const place = { lat: "45.77", lng: "4.83", place: "Lyon", eventDate: "" };
    const email = `owner${number}@example.org`;
    const photos = [await naturalPhoto(number), ...(number === 0 ? [] : [await naturalPhoto(99)])];
    const { body } = upload({ ...about, ...place, email }, photos);
    const asked = await server.fetch("/publish", { method: "POST", body });
    if (asked.status >= 400) throw new Error(await asked.text());
    const confirmed = await server.fetch(await confirmationOf(dataDir, email), { method: "POST" });
    if (confirmed.status >= 400) throw new Error(await confirmed.text());
    const found = (await (await server.fetch("/api/v1/alerts?limit=1")).json()) as {
      alerts: { url: string }[];
    };
    path = new URL(found.alerts[0]!.url).pathname;
  }
  await server.stop();
  return path;
}

/** Path of the confirmation link to a mailbox, from the files that emails are written to without SMTP. */
async function confirmationOf(dataDir: string, email: string): Promise<string> {
  const folder = join(dataDir, "mail");
  for (const file of readdirSync(folder)) {
    const parsed = await PostalMime.parse(readFileSync(join(folder, file)));
    const link = linkWith("/confirm/", parsed.text ?? "");
    if (parsed.to?.[0]?.address === email && link !== null) return new URL(link).pathname;
  }
  throw new Error(`no confirmation email to ${email}`);
}

/** First visit of a page, with nothing cached. */
async function visit(browser: Browser, address: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: PHONE, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.addInitScript(`
    window.largest = 0;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) window.largest = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
  `);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", SLOW_3G);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  let bytes = 0;
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(address, { waitUntil: "networkidle" });
  const times = await page.evaluate<Omit<Visit, "bytes">>(`(() => {
    const [{ domContentLoadedEventEnd }] = performance.getEntriesByType("navigation");
    const [{ startTime }] = performance.getEntriesByName("first-contentful-paint");
    const usableMs = Math.max(startTime, domContentLoadedEventEnd);
    return { firstPaintMs: startTime, largestPaintMs: window.largest, usableMs };
  })()`);
  await context.close();
  return { ...times, bytes };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
