import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { DISK } from "./support/disk.ts";
import { scratchFolder, serve, until } from "./support/process.ts";
import { form, json } from "./support/world.ts";

const KILLS = 5;

test(`after kill -9 in the middle of writes nothing acknowledged is missing, and searches equal what is stored (${KILLS} kills)`, async () => {
  const folder = scratchFolder(DISK);
  const acknowledged = { asked: new Set<string>(), live: new Set<string>() };

  for (let kill = 0; kill < KILLS; kill++) {
    const served = await serve(folder.path, { LIMIT_PUBLISH: "off" });
    await verify(served, folder.path, acknowledged);
    const writers = Promise.allSettled(
      Array.from({ length: 4 }, (_, writer) => write(served, `${kill}-${writer}`, acknowledged)),
    );
    // Dies after so many writes were acknowledged, while others are under way.
    const goal = acknowledged.live.size + 6 + kill;
    await until(() => acknowledged.live.size >= goal);
    served.child.kill("SIGKILL");
    await served.child.exited;
    await writers;
  }
  const served = await serve(folder.path);
  await verify(served, folder.path, acknowledged);
  expect(await served.stop()).toBe(0);

  expect(acknowledged.live.size).toBeGreaterThan(KILLS * 5);
  folder.forget();
}, 600_000);

/** All that was acknowledged is there, and what searches find is what is stored. */
async function verify(served: Server, folder: string, acknowledged: Acknowledged): Promise<void> {
  const stored = storedActive(folder);
  expect(new Set(await everything(served))).toEqual(stored);
  for (const id of acknowledged.live) expect(stored.has(id)).toBe(true);
  for (const code of acknowledged.asked)
    expect((await served.fetch(`/api/qr/${code}`)).status).toBe(200);
}

type Server = Awaited<ReturnType<typeof serve>>;
type Acknowledged = { asked: Set<string>; live: Set<string> };

/** Publishes and confirms one alert after the other until the server dies. */
async function write(served: Server, name: string, acknowledged: Acknowledged): Promise<void> {
  for (let number = 0; ; number++) {
    const email = `writer-${name}-${number}@example.org`;
    const args = {
      type: "lost",
      species: "dog",
      color: "black",
      name: `Dog ${name} ${number}`,
      lat: 45,
      lng: 5,
      email,
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "publish_alert", arguments: args },
    });
    const answer = await served.fetch("/api/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    const { id, slug, short_code: code } = (await json(answer)).result.structuredContent;
    acknowledged.asked.add(code);

    const link = await confirmLink(served, code);
    const page = await served.fetch(link, { method: "POST", ...form({}) });
    if (page.status === 200 && (await page.text()).includes(slug)) acknowledged.live.add(id);
  }
}

/** The link as the terminal prints it; the email's subject names the code. */
async function confirmLink(served: Server, code: string): Promise<string> {
  const link = () => {
    const lines = served.said().split("\n");
    const at = lines.findIndex((line) => line.includes(code));
    return at < 0 ? undefined : lines.slice(at, at + 3).find((line) => line.includes("/confirm/"));
  };
  await until(() => link() !== undefined || served.child.killed);
  const found = link();
  if (found === undefined) throw new Error("the server is dead");
  return found.trim();
}

async function everything(served: Server): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: any = await json(
      served.fetch(`/api/v1/alerts?limit=100${cursor && `&cursor=${cursor}`}`),
    );
    found.push(...page.alerts.map((alert: any) => alert.id));
    cursor = page.next_cursor;
  }
  return found;
}

function storedActive(folder: string): Set<string> {
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true });
  expect(database.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const rows = database
    .query<{ id: string }, []>("SELECT id FROM alert WHERE status = 'active'")
    .all();
  database.close();
  return new Set(rows.map(({ id }) => id));
}
