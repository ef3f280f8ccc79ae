import { createInterface } from "node:readline";
import { chooseMapping, openTable } from "../../src/commands/import/table-file.ts";
import { type MappingPlace } from "../../src/tables/mapping.ts";
import { readEntries } from "../../src/tables/rows.ts";
import { createSyncInput } from "../../src/tables/sync-input.ts";
import { readConfig } from "../../src/settings/config.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { start } from "../../src/start.ts";

/** Read of a table at a time. Paths and options are those of `import`. */
export type Request = {
  readonly now: number;
  readonly table: string;
  readonly mapping: string;
  readonly place: MappingPlace | null;
};
/** State after it. */
export type Answer = {
  /** Ids of the rows whose animals the instance shows. */
  readonly shown: readonly string[];
  readonly rejected: readonly { readonly id: string | null; readonly why: string }[];
  readonly guard: object | null;
};

const EMAIL = "desk@shelter.example";
const PAGE = 500;

/** A service on a folder that lives at the times it is told, and can be killed at any moment: see replay.ts. */
async function main(dataDir: string): Promise<void> {
  const clock = { now: 0 };
  const env = { DATA_DIR: dataDir, BACKUP_KEEP: "off" };
  const context = { env, isTerminal: false } as never;
  let app: Awaited<ReturnType<typeof start>> | null = null;

  async function answer({ now, table: path, mapping: name, place }: Request): Promise<Answer> {
    clock.now = now;
    app ??= await start(readConfig(env), {
      clock: () => clock.now,
      transport: memoryTransport(),
      log: (event, details) => console.error(event, details),
    });
    await app.tick();
    const table = await openTable(path, context);
    const mapping = await chooseMapping(name, table.header, context);
    const rows = await readEntries(table, mapping, "en");
    const read = await createSyncInput(rows, app.gazetteer, {
      name: mapping.mapping,
      email: EMAIL,
      language: "en",
      since: null,
      acceptTowns: false,
      place,
    });
    const result = await app.operator.syncTable({
      ...read.input,
      acceptMissing: false,
      dryRun: false,
    });
    await app.tick();
    const rejected = [...read.rejected, ...result.refused].map(({ id, why }) => ({ id, why }));
    return { shown: await shownIds(app, mapping.mapping), rejected, guard: result.guard };
  }

  for await (const line of createInterface({ input: process.stdin }))
    console.log(JSON.stringify(await answer(JSON.parse(line))));
}

async function shownIds(app: Awaited<ReturnType<typeof start>>, mapping: string) {
  const prefix = `import:${mapping}:`;
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof app.store.importedAlerts>> =
      await app.store.importedAlerts(prefix, after, PAGE);
    for (const { alert } of page)
      if (alert.status === "active") ids.push(alert.source.slice(prefix.length));
    after = page.at(-1)?.alert.source ?? null;
    if (page.length < PAGE) return ids.sort();
  }
}

if (import.meta.main) await main(process.argv[2]!);
