import { join } from "node:path";
import { requireSound } from "../../db/sqlite/backups/check.ts";
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
  async run() {
    const scratch = scratchFolder();
    const data = join(scratch.path, "data");
    const served = await serve(data, { LIMIT_PUBLISH: "off" });
    const end = new AbortController();
    const people = createPublishers(served, end.signal);
    const writing = Array.from({ length: WRITERS }, people.write);
    const failures: string[] = [];
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
    }
    end.abort();
    await Promise.all(writing);
    await served.stop();
    scratch.forget();
    return {
      tried: `${BACKUPS} backups, ${formatNumber(shown)} alerts looked for in them`,
      failures,
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
