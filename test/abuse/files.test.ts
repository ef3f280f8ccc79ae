import { afterEach, beforeEach, expect, test } from "bun:test";
import { FACTORS } from "../../src/core/caps.ts";
import { jpeg } from "../support/picture.ts";
import { createWorld, type World } from "../support/world.ts";

const READS = 4;
const SCHOOL = "203.0.113.5";

let world: World;
beforeEach(async () => {
  const fetchPhoto = () => jpeg({ width: 320, height: 200 });
  world = await createWorld({ LIMIT_READ: `${READS}/m` }, { fetchPhoto });
});
afterEach(() => world.end());

const get = (path: string, from = SCHOOL) => world.fetch(path, {}, from);

/** Addresses of the files that a page makes a browser load. */
function filesOf(html: string): string[] {
  const found = html.matchAll(
    /\s(?:href|src)="(\/[^"]*\.(?:css|js|svg|png|webp|webmanifest)\b[^"]*)"/g,
  );
  return [...found].map(([, path = ""]) => path.replaceAll("&amp;", "&"));
}

/** Opens a page as a browser does, with all its files; gives the statuses. */
async function open(path: string): Promise<number[]> {
  const page = await get(path);
  const files = filesOf(await page.text());
  expect(files.length).toBeGreaterThan(4);
  const answers = await Promise.all([...files, "/worker.js"].map((file) => get(file)));
  return [page.status, ...answers.map(({ status }) => status)];
}

test("a page counts once, with all the files that it loads", async () => {
  await world.publish({ photo_urls: ["https://example.org/cat.jpg"] });
  for (let nth = 0; nth < READS; nth += 1) {
    const statuses = await open("/");
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  expect((await get("/about")).status).toBe(429);
});

test("the page about too many requests has its style, and small icons without it", async () => {
  for (let nth = 0; nth < READS; nth += 1) await get("/");
  const page = await get("/");
  const html = await page.text();

  expect(page.status).toBe(429);
  for (const file of filesOf(html)) expect([file, (await get(file)).status]).toEqual([file, 200]);
  expect(filesOf(html).some((file) => file.startsWith("/style.css"))).toBe(true);
  for (const [icon] of html.matchAll(/<svg[^>]*>/g)) expect(icon).toMatch(/width="28" height="28"/);
});

test("files have a limit of their own, towards which a missing one counts as a read does", async () => {
  const { filesPerRead } = FACTORS;
  const statuses = async (path: string, count: number, from: string) => {
    const found: number[] = [];
    for (let nth = 0; nth < count; nth += 1) found.push((await get(path, from)).status);
    return found;
  };

  const most = READS * filesPerRead;
  expect(new Set(await statuses("/style.css", most, SCHOOL))).toEqual(new Set([200]));
  const refused = await get("/style.css");
  expect(refused.status).toBe(429);
  // A page would cost more than the file.
  expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
  expect(await statuses("/about", 1, SCHOOL)).toEqual([200]);
  const missing = `/photos/${"0".repeat(32)}.webp`;
  expect(await statuses(missing, READS + 1, "192.0.2.1")).toEqual([
    ...Array.from({ length: READS }, () => 404),
    429,
  ]);
  // What only looks like a file is a page.
  expect(await statuses("/nothing.css", READS + 1, "192.0.2.2")).toContain(429);
});
