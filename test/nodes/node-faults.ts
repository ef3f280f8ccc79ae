import { randomFor, type Fault, formatNumber, MINUTES } from "../chaos/fault.ts";
import type { Weakening } from "../chaos/weakened.ts";
import { startProxy } from "../support/postgres-proxy.ts";
import { holdsBefore } from "../support/process.ts";
import type { Fetch } from "../chaos/client.ts";
import { type History, isFound, removableAlerts, removeAlert } from "./history.ts";
import { type Queries, type Service } from "./service.ts";
import { builtProgram, changedProgram } from "./programs.ts";
import { onDatabase, outcomeOf } from "./under-load.ts";

// Faults of single nodes, on a database that is well.

/** Nodes are killed one after the other and started again. */
export const nodeKilled: Fault = {
  name: "a node killed every second",
  promise:
    "what any node answered is stored, done once, and shown by all nodes within two seconds; its emails arrive",
  async run() {
    const program = await builtProgram();
    let kills = 0;
    const run = await onDatabase(({ url }) => ({
      purpose: "a node killed",
      url,
      program,
      nodes: 4,
      async inflict(service) {
        kills = await killNodes(service, MINUTES * 60);
        return [];
      },
    }));
    return outcomeOf(run, `${formatNumber(kills)} kills among 4 nodes`);
  },
};

const KILL_EVERY_MS = 1_000;

/** Kills a node every second, as long as another one runs; then starts what is missing. Returns the number of kills. */
export async function killNodes(service: Service, seconds: number): Promise<number> {
  const random = randomFor("which node");
  const starting = new Set<Promise<void>>();
  let kills = 0;
  for (let nth = 0; nth < seconds; nth++) {
    await Bun.sleep(KILL_EVERY_MS);
    const nodes = service.running();
    if (nodes.length < 2) continue;
    const node = nodes[random.below(nodes.length)] ?? 0;
    await service.kill(node);
    kills += 1;
    const start = startAgain(service, node).finally(() => starting.delete(start));
    starting.add(start);
  }
  await Promise.all(starting);
  return kills;
}

/** A node that finds no database ends, and its service manager starts it again. */
async function startAgain(service: Service, node: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await service.start(node);
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
      await Bun.sleep(RESTART_MS);
    }
  }
}

const STARTS_MAX = 30;
const RESTART_MS = 2_000;

/** Longer than the lease of the leader, and than the time after which a node is stale. */
const AWAY_SECONDS = 13;

/** The leader is stopped in the middle of everything, and wakes up. */
export const nodeFrozen: Fault = {
  name: "a node frozen past its lease",
  promise:
    "another node takes over its jobs; when it wakes up it shows nothing that was removed, and does nothing twice",
  async run() {
    const program = await builtProgram();
    const run = await onDatabase(({ url }) => ({
      purpose: "a node frozen",
      url,
      program,
      async inflict(service, queries) {
        await Bun.sleep(LOAD_MS);
        // The first node to start has the lead.
        const before = await leaderOf(queries);
        await fillMemory(service, 0);
        service.freeze(0);
        await Bun.sleep(AWAY_SECONDS * 1_000);
        const meanwhile = await leaderOf(queries);
        service.thaw(0);
        await service.becomesReady(0);
        return before === meanwhile ? ["no other node took the lead"] : [];
      },
    }));
    return outcomeOf(run);
  },
};

/** Time in which people do something before the fault. */
const LOAD_MS = 6_000;

/** Has a node read the newest alerts, which it then has in memory. */
async function fillMemory(service: Service, node: number): Promise<void> {
  await (await service.fetchOf(node)("/api/v1/alerts?limit=100")).bytes();
}

async function leaderOf({ rows }: Queries): Promise<string> {
  const [lead] = await rows<{ node: string }>("select node from lead");
  return lead?.node ?? "";
}

/** One node no longer reaches the database; its connections stay open and say nothing. */
export const nodeCutOff: Fault = {
  name: "a node cut off from the database",
  promise:
    "within seven seconds it is not ready; it shows nothing that was removed, and is like the others again once it reaches the database",
  async run() {
    const program = await builtProgram();
    const run = await onDatabase(({ url, socket }) => {
      const proxy = startProxy(socket);
      return {
        purpose: "a node cut off",
        url,
        urlOf: (node) => (node === 0 ? throughFolder(url, proxy.folder) : url),
        program,
        async inflict(service, _, history) {
          await Bun.sleep(LOAD_MS);
          const inMemory = await cutOffWithMemory(service, history, proxy);
          for (const alert of inMemory) await removeAlert(history, service.fetchOf(1), alert);
          await Bun.sleep(STALE_SECONDS_MAX * 1_000);
          const isReady = await service.isReady(0);
          await Bun.sleep((AWAY_SECONDS - STALE_SECONDS_MAX) * 1_000);
          proxy.joinAgain();
          const isBack = await service.becomesReady(0);
          return [
            ...(isReady ? ["a node without the database said that it was ready"] : []),
            ...(isBack ? [] : ["the node did not become ready again"]),
          ];
        },
      };
    });
    return outcomeOf(run);
  },
};

/**
 * Cuts node 0 off at a moment when it has some alerts in memory; returns these. While others change alerts, a node does not
 * keep what it reads, so whether it has them shows only when it can no longer ask the database.
 */
async function cutOffWithMemory(
  service: Service,
  history: History,
  proxy: ReturnType<typeof startProxy>,
) {
  const fetch = service.fetchOf(0);
  const impatient: Fetch = (address) => fetch(address, { signal: AbortSignal.timeout(MEMORY_MS) });
  for (let cuts = 0; cuts < CUTS_MAX; cuts++) {
    await holdsBefore(READING_SECONDS_MAX, () => removableAlerts(history).length >= REMOVED);
    // The people get to the newest last.
    const newest = removableAlerts(history).slice(-READ);
    await Promise.allSettled(newest.map(({ slug }) => isFound(history, fetch, slug)));
    proxy.cutOff();
    const answers = await Promise.allSettled(
      newest.map(({ slug }) => isFound(history, impatient, slug)),
    );
    const inMemory = newest.filter((_, nth) => {
      const answer = answers[nth];
      return answer?.status === "fulfilled" && answer.value;
    });
    if (inMemory.length > 0) return inMemory.slice(0, REMOVED);
    proxy.joinAgain();
    await service.becomesReady(0);
  }
  throw new Error(`the node had no alert in memory at any of ${CUTS_MAX} moments`);
}

/** Alerts that the node reads before it is cut off, and most of them that are removed then. */
const READ = 20;
const REMOVED = 3;
const CUTS_MAX = 20;
/** Time until a slow machine has published enough alerts. */
const READING_SECONDS_MAX = 60;
/** Longest time of an answer from memory. */
const MEMORY_MS = 1_000;
/** Five seconds until it is stale, and the time of an answer. */
const STALE_SECONDS_MAX = 7;

function throughFolder(url: string, folder: string): string {
  const through = new URL(url);
  through.searchParams.set("host", folder);
  return through.href;
}

const CUT_EVERY_MS = 150;

/** Connections end while a commit is on its way, or its answer. */
export const commitCut: Fault = {
  name: "connections cut at commit",
  promise:
    "what was answered is stored, and what was stored is done once, whatever became of the commit",
  async run() {
    const program = await builtProgram();
    let cuts = 0;
    const run = await onDatabase(({ url, socket }) => {
      const proxies = [startProxy(socket), startProxy(socket), startProxy(socket)] as const;
      return {
        purpose: "commits cut",
        url,
        urlOf: (node) => throughFolder(url, proxies[node % 3]?.folder ?? ""),
        program,
        async inflict() {
          const random = randomFor("which commit");
          const end = performance.now() + MINUTES * 60_000;
          while (performance.now() < end) {
            const fault = (["before", "after", "late"] as const)[random.below(3)] ?? "after";
            proxies[random.below(3)]?.failAt(COMMIT, fault);
            await Bun.sleep(CUT_EVERY_MS);
          }
          for (const proxy of proxies) cuts += proxy.happened();
          return [];
        },
      };
    });
    return outcomeOf(run, `${formatNumber(cuts)} cuts`);
  },
};

/** The whole statement, as the protocol ends it. */
const COMMIT = "commit\0";

const CLOCK_AHEAD: Weakening = {
  module: "src/start.ts",
  name: "start",
  instead: `(config, parts) =>
    original.start(config, { ...parts, clock: () => original.systemClock() + 30_000 })`,
};
const CLOCK_SECONDS = 12;

/** One node's clock is wrong. */
export const clockWrong: Fault = {
  name: "a clock 30 seconds ahead",
  promise: "the node with that clock is not ready and never leads, and it raises an alarm",
  async run() {
    const others = await builtProgram();
    const wrong = await changedProgram(CLOCK_AHEAD);
    const run = await onDatabase(({ url }) => ({
      purpose: "a clock ahead",
      url,
      program: others,
      programs: { 0: wrong },
      async inflict(service) {
        const end = performance.now() + CLOCK_SECONDS * 1_000;
        let times = 0;
        while (performance.now() < end) {
          if (await service.isReady(0)) times += 1;
          await Bun.sleep(500);
        }
        const isRaised = await service.raises(0, "clock");
        return [
          ...(times > 0 ? [`the node said ${times} times that it was ready`] : []),
          ...(isRaised ? [] : ["there was no alarm"]),
        ];
      },
    }));
    return outcomeOf(run);
  },
};
