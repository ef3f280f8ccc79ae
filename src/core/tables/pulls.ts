import type { TableRead, TableSyncResult } from "./table-read.ts";
import type { TableSync } from "./table-sync.ts";
import { MINUTE_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { createMutex } from "../mutex.ts";
import type { Ports } from "./ports.ts";
import { tableNotices } from "./notices.ts";
import {
  type ListedTable,
  type PullReport,
  TableFault,
  type TableProblem,
  type TableState,
  type TableVersion,
} from "./table.ts";
import {
  afterFailure,
  afterGoodRead,
  confirmableVersion,
  isDue,
  newState,
  withNextPull,
} from "./table-state.ts";

/** Tables in the operator's file. */
export const TABLES_MAX = 50;
/** Tables of which something is known, removed ones and those of `import --sync` included. */
const KNOWN_TABLES_MAX = 1_000;
/** Time after which a pull counts as interrupted, and another process may read the table. */
const PULL_MS_MAX = 10 * MINUTE_MS;
/** Interval at which due tables are looked for. */
const LOOK_MS = MINUTE_MS;

type PullOptions = {
  /** Accepts that many animals are gone at once. */
  readonly acceptMissing: boolean;
  readonly dryRun: boolean;
};

/** A table as the operator sees it. */
export type TableView = {
  readonly name: string;
  readonly address: string;
  readonly owner: string;
  readonly everyMs: number;
  /** Alerts that its animals have now. */
  readonly alerts: number;
  readonly state: TableState | null;
};

/** Tables at addresses, which the service reads by itself and keeps its alerts in step with. */
export function createPulls(
  ports: Ports,
  tableSync: TableSync,
  /** Country of the instance. */
  country: () => string | undefined,
) {
  const { store, clock, random, tableList } = ports;
  const inTurn = createMutex();
  let lookedAt: number | null = null;
  let fileReadAt: number | null = null;

  /** Reads the operator's file again, once a minute: each of several nodes has its own. */
  async function followFile(now: number): Promise<void> {
    if (fileReadAt !== null && Math.abs(now - fileReadAt) < LOOK_MS) return;
    fileReadAt = now;
    await tableList.refresh();
  }

  /** Pulls the tables that are due, one after another. A failing one does not stop the others; errors are thrown together. */
  async function pullDue(signal: AbortSignal): Promise<void> {
    const now = clock();
    const tables = tableList.all();
    if (tables.length === 0) return;
    if (lookedAt !== null && Math.abs(now - lookedAt) < LOOK_MS) return;
    lookedAt = now;
    const states = await statesByName();
    const errors: unknown[] = [];
    for (const table of tables) {
      if (signal.aborted) break;
      if (!isDue(states.get(table.name), table.everyMs, now)) continue;
      try {
        const report = await inTurn(() => pull(table, PLAIN, signal));
        if (report !== null) ports.onTableRead(report);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "some tables could not be pulled");
  }

  /** Pulls a table at once. Throws `not_found` for an unknown one, and `conflict` if someone reads it just now. */
  async function pullTable(name: string, options: PullOptions): Promise<PullReport> {
    const table = tableNamed(name);
    const report = await inTurn(() => pull(table, options, new AbortController().signal));
    if (report === null) throw isBusy(name);
    return report;
  }

  /** Null if someone else reads the table just now, it was removed, or the pull was interrupted. */
  async function pull(
    table: ListedTable,
    options: PullOptions,
    signal: AbortSignal,
  ): Promise<PullReport | null> {
    const { name } = table;
    const now = clock();
    const fresh = newState(name, now);
    if (options.dryRun) return (await readAndSync(table, fresh, options, signal, Infinity)).report;
    const releaseAt = now + PULL_MS_MAX;
    const state = await store.takeTable(fresh, now, releaseAt);
    if (state === null) return null;
    const release = () => store.saveTable(state, releaseAt, [], now);
    if (state.removedAt !== null) {
      await release();
      return null;
    }
    const { report, next } = await readAndSync(table, state, options, signal, releaseAt);
    if (signal.aborted && report.problem !== null) {
      await release();
      return null;
    }
    const planned = withNextPull(next, table.everyMs, randomFraction(), clock());
    await save([state, planned], releaseAt);
    return report;
  }

  /** Saves a table after a read, and tells the operator what is new about it. */
  async function save(
    [before, after]: readonly [TableState, TableState],
    releaseAt: number | null,
  ): Promise<void> {
    const notices = tableNotices(ports, country(), [before, after], clock());
    await store.saveTable(after, releaseAt, notices, clock());
  }

  /** Keeps alerts in step with a table that the operator's command has read, and notes how that went. */
  async function syncFile(read: TableRead): Promise<TableSyncResult> {
    const result = await tableSync.syncTable(read);
    if (!read.dryRun && read.onlyNew !== true)
      await note(read.mapping, (state, now) => afterSync(state, read, result, null, now));
    return result;
  }

  /** Notes that the operator's command could not read a table. */
  async function noteTableProblem(
    name: string,
    problem: TableProblem,
  ): Promise<{ readonly name: string }> {
    await note(name, (state, now) => afterFailure(state, problem, now));
    return { name };
  }

  async function note(
    name: string,
    change: (state: TableState, now: number) => TableState,
  ): Promise<void> {
    const now = clock();
    const state = (await statesByName()).get(name) ?? newState(name, now);
    await save([state, change(state, now)], null);
  }

  /** Tables that the operator is to be told about: those of the file, and those that a command has read. */
  async function watchedTables(): Promise<TableState[]> {
    const listed = new Set(tableList.all().map(({ name }) => name));
    const states = await store.tableStates(KNOWN_TABLES_MAX);
    return states.filter(
      ({ name, dueAt, removedAt }) => removedAt === null && (dueAt === null || listed.has(name)),
    );
  }

  async function readAndSync(
    { name }: ListedTable,
    state: TableState,
    { acceptMissing, dryRun }: PullOptions,
    signal: AbortSignal,
    releaseAt: number,
  ): Promise<{ readonly report: PullReport; readonly next: TableState }> {
    const nothing = { name, result: null, rejected: [], lastResorts: [] };
    // Whoever asks for a pull wants to see what the table says.
    const version = acceptMissing || dryRun ? null : confirmableVersion(state, clock());
    try {
      const read = await tableList.read(name, version, signal);
      if (read.kind === "unchanged")
        return { report: { ...nothing, problem: null }, next: afterGoodRead(state, null, clock()) };
      // A process that was asleep may come back with an old table.
      if (clock() >= releaseAt) throw new TableFault("unreachable", "The table was read too late.");
      const { input, rejected, lastResorts } = read;
      const result = await tableSync.syncTable({ ...input, acceptMissing, dryRun });
      const report = { name, result, rejected, lastResorts, problem: guardProblem(result) };
      return { report, next: afterSync(state, input, result, read.version, clock()) };
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      const problem = { kind: error.kind, text: error.message };
      return { report: { ...nothing, problem }, next: afterFailure(state, problem, clock()) };
    }
  }

  /** Ends the alerts of a table, which is not pulled any more. Returns the number of alerts that ended. */
  async function removeTable(name: string): Promise<{ readonly ended: number }> {
    const { owner } = tableNamed(name);
    return inTurn(async () => {
      const now = clock();
      const releaseAt = now + PULL_MS_MAX;
      const state = await store.takeTable(newState(name, now), now, releaseAt);
      if (state === null) throw isBusy(name);
      // First, so that no pull brings the alerts back if this is interrupted.
      const removed = { ...newState(name, now), addedAt: state.addedAt, removedAt: now };
      await store.saveTable(removed, releaseAt, [], now);
      return { ended: await tableSync.endTable(name, owner) };
    });
  }

  /** Reads the operator's file again. */
  async function reloadTables(): Promise<{ readonly tables: number }> {
    await tableList.reload();
    lookedAt = null;
    return { tables: tableList.all().length };
  }

  /** Lets a table be pulled that was removed before. */
  async function restoreTable(name: string): Promise<{ readonly wasRemoved: boolean }> {
    tableNamed(name);
    const now = clock();
    const state = (await statesByName()).get(name);
    const wasRemoved = state !== undefined && state.removedAt !== null;
    if (wasRemoved) await store.saveTable(newState(name, now), null, [], now);
    lookedAt = null;
    return { wasRemoved };
  }

  async function listTables(): Promise<TableView[]> {
    const states = await statesByName();
    const views: TableView[] = [];
    for (const { name, shownAddress, owner, everyMs } of tableList.all()) {
      const alerts = await tableSync.countListed(name, owner);
      const state = states.get(name) ?? null;
      views.push({ name, address: shownAddress, owner, everyMs, alerts, state });
    }
    return views;
  }

  async function statesByName(): Promise<Map<string, TableState>> {
    const states = await store.tableStates(KNOWN_TABLES_MAX);
    return new Map(states.map((state) => [state.name, state]));
  }

  function tableNamed(name: string): ListedTable {
    const table = tableList.all().find((one) => one.name === name);
    if (table === undefined)
      throw new Fault(
        "not_found",
        `There is no table named "${name}" in sources.json. pet-alert sources lists them.`,
      );
    return table;
  }

  /** Random number in [0, 1). */
  function randomFraction(): number {
    const [high = 0, low = 0] = random.bytes(2);
    return (high * 256 + low) / 65_536;
  }

  return {
    followFile,
    pullDue,
    pullTable,
    removeTable,
    reloadTables,
    restoreTable,
    listTables,
    syncFile,
    noteTableProblem,
    watchedTables,
  };
}

const PLAIN: PullOptions = { acceptMissing: false, dryRun: false };

/** State after a read of all rows. */
function afterSync(
  state: TableState,
  { rejected = 0, isWhole }: Pick<TableRead, "rejected" | "isWhole">,
  result: TableSyncResult,
  version: TableVersion | null,
  now: number,
): TableState {
  const problem = guardProblem(result);
  if (problem !== null) return afterFailure(state, problem, now);
  // The next read may end animals that it lacks, or fetch photos, though nothing else has changed.
  const isSettled = isWhole && result.missing === 0 && result.photos.waiting === 0;
  const refused = rejected + result.refused.length;
  return afterGoodRead(state, { rejected: refused, version: isSettled ? version : null }, now);
}

function guardProblem({ guard }: TableSyncResult): TableProblem | null {
  if (guard === null) return null;
  const { missing, listed } = guard;
  return {
    kind: "guard",
    text: `Nothing was changed: ${missing} of ${listed} animals are missing from the table at once.`,
  };
}

function isBusy(name: string): Fault {
  return new Fault(
    "conflict",
    `The table "${name}" is being read right now, or was removed. Try again in ten minutes.`,
  );
}
