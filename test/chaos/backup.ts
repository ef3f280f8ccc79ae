import { Database } from "bun:sqlite";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { requireSound } from "../../db/sqlite/backups/check.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { KEY_FILE } from "../../src/ops/secret-key.ts";
import { FROM_SOURCES, run, scratchFolder, type Served, serve, until } from "../support/process.ts";
import { linkWith } from "../support/world.ts";
import { searchAll, lostDog, submit, callTool } from "./client.ts";
import { formatNumber, type Fault } from "./fault.ts";

const BACKUPS = 15;
const WRITERS = 8;

/** Backups are made while everybody writes; each is restored and served. */
export const backup: Fault = {
  name: "backup under load",
  promise: "every backup restores whole, with all that was answered before it began",
  async run(say) {
    const scratch = scratchFolder();
    const data = join(scratch.path, "data");
    const served = await serve(data, { LIMIT_PUBLISH: "off" });
    const end = new AbortController();
    const people = createPublishers(served, end.signal);
    const writing = Array.from({ length: WRITERS }, people.write);
    const failures: string[] = [];
    const copies = { tried: 0, broken: [] as string[] };
    let shown = 0;
    for (let nth = 0; nth < BACKUPS; nth++) {
      await until(() => people.live.length >= (nth + 1) * 5);
      const before = [...people.live];
      const folder = join(scratch.path, `backup-${nth}`);
      const made = await run(FROM_SOURCES, ["backup", folder], { DATA_DIR: data });
      if (made.code !== 0) failures.push(`backup ${nth + 1} failed: ${made.errors}`);
      else {
        const wrong = await restored(folder, join(scratch.path, `restored-${nth}`), before);
        if (wrong !== null) failures.push(`backup ${nth + 1}: ${wrong}`);
        shown += before.length;
      }
      copies.tried += 1;
      const wrong = await copied(data, join(scratch.path, `copy-${nth}`), people);
      if (wrong !== null) copies.broken.push(wrong);
    }
    end.abort();
    await Promise.all(writing);
    await served.stop();
    scratch.forget();
    say(`plain copies: ${copies.broken.length} of ${copies.tried} broken`);
    return {
      tried: `${BACKUPS} backups, ${formatNumber(shown)} alerts looked for in them`,
      lost: String(failures.length),
      failures,
      bites: [
        {
          defence: "the copy in one piece (files copied instead)",
          found: `${copies.broken.length} of ${copies.tried} copies broken (${copies.broken[0]})`,
          bit: copies.broken.length > 0,
        },
      ],
    };
  },
};

/** Error in a backup, or null. */
async function restored(
  backup: string,
  data: string,
  live: readonly string[],
): Promise<string | null> {
  requireSound(backup);
  const { code, errors } = await run(FROM_SOURCES, ["restore", backup], { DATA_DIR: data });
  if (code !== 0) return `it cannot be restored: ${errors}`;
  const served = await serve(data);
  const there = new Set((await searchAll(served.fetch)).map(({ id }) => id));
  const gone = live.filter((id) => !there.has(id));
  const stopped = await served.stop();
  if (gone.length > 0) return `${gone.length} of ${live.length} alerts are not in it`;
  return stopped === 0 ? null : `the restored service ended with ${stopped}`;
}

/** As people do who do not know better: one file after the other, while the service goes on. */
async function copied(
  data: string,
  copy: string,
  people: { readonly live: readonly string[] },
): Promise<string | null> {
  mkdirSync(copy);
  const before = [...people.live];
  const goal = people.live.length + 2;
  copyFileSync(join(data, DATABASE_FILE), join(copy, DATABASE_FILE));
  // A large file takes its time, and writers do not wait.
  await until(() => people.live.length >= goal);
  copyFileSync(join(data, KEY_FILE), join(copy, KEY_FILE));
  const database = new Database(join(copy, DATABASE_FILE), { readonly: true });
  try {
    const rows = database.query<{ id: string }, []>("SELECT id FROM alert").all();
    const there = new Set(rows.map(({ id }) => id));
    const gone = before.filter((id) => !there.has(id)).length;
    return gone === 0 ? null : `${gone} of ${before.length} alerts are not in it`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    database.close();
  }
}

function createPublishers(served: Served, ended: AbortSignal) {
  const live: string[] = [];
  let made = 0;
  return {
    live: live as readonly string[],
    /** Publishes one alert after the other. */
    async write(): Promise<void> {
      while (!ended.aborted) {
        const result = await callTool(served.fetch, "publish_alert", lostDog(made++));
        if (result.kind === "refused") throw new Error(result.why);
        const { id, short_code: code } = result.content;
        const { status } = await submit(served.fetch, await linkPrinted(served, code));
        if (status === 200) live.push(id);
      }
    },
  };
}

/** The email's link, as the terminal prints it. */
async function linkPrinted(served: Served, code: string): Promise<string> {
  let link: string | null = null;
  await until(() => {
    // The last line may not be whole yet.
    const said = served.said();
    const printed = said.slice(0, said.lastIndexOf("\n"));
    const from = printed.indexOf(code);
    link = from < 0 ? null : linkWith("/confirm/", printed.slice(from));
    return link !== null;
  });
  return link ?? "";
}
