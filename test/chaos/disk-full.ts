import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { scratchFolder, type Served, serve } from "../support/process.ts";
import { openSmallDisk } from "../support/disk.ts";
import { form } from "../support/world.ts";
import { searchAll, lostDog, callTool } from "./client.ts";
import { type Fault, Skipped } from "./fault.ts";

const DISK_MB = 12;
const ROUNDS = 3;
const ASKS_A_ROUND = 40;
const DISK_WORDS = "cannot write to its disk";

/** The data folder lies on a disk of a few megabytes, which fills up and is emptied again. */
export const diskFull: Fault = {
  name: "disk full",
  promise:
    "on a full disk writes are answered 503 and reads go on; with room again all is well, without a restart",
  async run(say) {
    const real = await throughFullDisk();
    say(`${real.refused} writes refused, ${real.kept} kept`);
    return {
      tried: `a disk of ${DISK_MB} MB filled ${ROUNDS} times, ${real.refused} writes refused, ${real.kept} kept; stopped and started full`,
      failures: real.failures,
    };
  },
};

async function throughFullDisk() {
  const folder = scratchFolder();
  const disk = await openSmallDisk(join(folder.path, "disk"), DISK_MB);
  if (disk === null) throw new Skipped("only root may mount a small disk");
  const data = join(disk.path, "data");
  const tally = { refused: 0, kept: [] as string[] };
  const failures: string[] = [];
  const settings = { LIMIT_PUBLISH: "off", SMTP_URL: "smtp://127.0.0.1:9" };
  let served: Served = await serve(data, settings);
  let made = 0;

  const ask = async (mayRefuse: boolean) => {
    const result = await callTool(served.fetch, "publish_alert", lostDog(made++));
    if (result.kind === "done") tally.kept.push(result.content.short_code);
    else if (result.why.includes(DISK_WORDS) && mayRefuse) tally.refused += 1;
    else failures.push(`a publication was answered: ${result.why}`);
    return result.kind;
  };
  const checkReads = async (when: string) => {
    const codes = tally.kept.slice(-5);
    const answers = await Promise.all(codes.map((code) => served.fetch(`/api/qr/${code}`)));
    if (!answers.every(({ ok }) => ok)) failures.push(`${when}, what was kept cannot be read`);
    for (const page of ["/", "/publish", "/healthz"])
      if (!(await served.fetch(page)).ok) failures.push(`${when}, ${page} cannot be read`);
    await searchAll(served.fetch);
  };

  try {
    for (let nth = 0; nth < 5; nth++) await ask(false);
    for (let round = 0; round < ROUNDS; round++) {
      disk.fill();
      const outcomes = [];
      for (let nth = 0; nth < ASKS_A_ROUND; nth++) outcomes.push(await ask(true));
      // What was kept before fills the log's own room first.
      if (outcomes.at(-1) !== "refused") failures.push("the disk was not full");
      const refused = await served.fetch("/manage", {
        method: "POST",
        ...form({ email: "owner-1@example.org" }),
      });
      if (refused.status !== 503) failures.push(`a form on a full disk answered ${refused.status}`);
      await checkReads("on a full disk");
      disk.empty();
      for (let nth = 0; nth < 3; nth++) await ask(false);
      await checkReads("with room again");
    }
    // Stopped while it is full, and stopped before it was.
    for (const when of ["before the stop", "after the stop"] as const) {
      if (when === "before the stop") disk.fill();
      for (let nth = 0; nth < ASKS_A_ROUND; nth++) await ask(when === "before the stop");
      if ((await served.stop()) !== 0) failures.push(`full ${when}, it did not stop well`);
      disk.fill();
      try {
        served = await serve(data, settings);
        await checkReads("started on a full disk");
      } catch (error) {
        const why = /SQLITE_\w+/.exec(String(error))?.[0] ?? String(error);
        failures.push(`full ${when}, it did not start: ${why}`);
        break;
      }
      disk.empty();
      await ask(false);
    }
    disk.empty();
    await served.stop();
    failures.push(...missing(data, tally.kept));
  } finally {
    served.child.kill("SIGKILL");
    await served.child.exited;
    await disk.unmount();
    folder.forget();
  }
  return { failures, refused: tally.refused, kept: tally.kept.length };
}

function missing(data: string, codes: readonly string[]): string[] {
  const database = new Database(join(data, DATABASE_FILE), { readonly: true });
  const rows = database.query<{ code: string }, []>("SELECT code FROM short_code").all();
  const integrity = database
    .query<{ it: string }, []>("SELECT integrity_check AS it FROM pragma_integrity_check")
    .get()!.it;
  database.close();
  const there = new Set(rows.map(({ code }) => code));
  const gone = codes.filter((code) => !there.has(code));
  return [
    ...(gone.length === 0
      ? []
      : [`${gone.length} of ${codes.length} asks that were kept are gone`]),
    ...(integrity === "ok" ? [] : [`the database is corrupt: ${integrity}`]),
  ];
}
