import { type Fault, formatNumber, MINUTES, Skipped } from "../chaos/fault.ts";
import {
  type Cluster,
  type Member,
  missingFromCluster,
  patroniVersion,
  startCluster,
} from "../support/cluster.ts";
import { holdsBefore } from "../support/process.ts";
import { checkHistory } from "./history.ts";
import { killNodes } from "./node-faults.ts";
import { outcomeOf, type Run, underLoad } from "./under-load.ts";
import { builtProgram } from "./programs.ts";

// Faults of the database's primary, in a cluster under Patroni.

const LOAD_MS = 5_000;
const EVERY_MS = 60_000;

/** The primary is handed over, then killed with its Patroni, again and again, while nodes are killed every second. */
export const primaryKilled: Fault = {
  name: "the primary and the nodes killed",
  promise:
    "what was answered is stored, and done once, whatever dies; emails arrive, revisions have no gap, and all nodes agree within two seconds of rest",
  isLong: true,
  async run() {
    refuseWithoutCluster();
    const program = await builtProgram();
    const times = { handedOver: 0, killed: 0, nodes: 0 };
    const real = await onCluster((cluster) =>
      underLoad({
        purpose: "the primary killed",
        url: cluster.url,
        program,
        nodes: 4,
        async inflict(service) {
          await Bun.sleep(LOAD_MS);
          const end = performance.now() + MINUTES * EVERY_MS;
          const primaries = async () => {
            do {
              const began = performance.now();
              await cluster.switchOver();
              times.handedOver += 1;
              await cluster.whenWhole();
              await killPrimary(cluster, await cluster.mustPrimary());
              times.killed += 1;
              await cluster.whenWhole();
              await Bun.sleep(Math.max(0, Math.min(end, began + EVERY_MS) - performance.now()));
            } while (performance.now() < end);
          };
          const work = primaries();
          let isOver = false;
          void work.catch(() => {}).finally(() => (isOver = true));
          while (!isOver) times.nodes += await killNodes(service, 5);
          await work;
          return notReady(service);
        },
      }),
    );
    const inflicted = `${times.handedOver} switch-overs, ${times.killed} primaries and ${formatNumber(times.nodes)} nodes killed`;
    const { tried, ...outcome } = outcomeOf(real, inflicted);
    const waited = (real.history.slowestMs / 1_000).toFixed(1);
    return { ...outcome, tried: `${tried}; longest wait ${waited} s` };
  },
};

/** The primary stops, another member leads, and the former one wakes up and believes it still does. */
export const primaryFrozen: Fault = {
  name: "the primary frozen",
  promise:
    "what was answered is stored; where Patroni before version 4 lets the former primary take the lead back, what is lost raises an alarm on every node",
  isLong: true,
  async run() {
    refuseWithoutCluster();
    const program = await builtProgram();
    const version = await patroniVersion();
    const real = await onCluster((cluster) =>
      underLoad({
        purpose: "the primary frozen",
        url: cluster.url,
        program,
        async inflict(service) {
          await Bun.sleep(LOAD_MS);
          await freezePrimary(cluster, await cluster.mustPrimary());
          await Bun.sleep(LOAD_MS);
          await cluster.whenWritable();
          return notReady(service);
        },
        async check(service, queries, history, random) {
          const lost = await checkHistory(history, queries, service, random);
          if (lost.length === 0) return lost;
          const alarms = await Promise.all(
            service.nodes.map((node) => service.raises(node, "history")),
          );
          return alarms.includes(false) ? [SILENT, ...lost] : lost;
        },
      }),
    );
    const isKnown =
      Number.parseInt(version, 10) < 4 &&
      real.failures.length > 0 &&
      !real.failures.includes(SILENT);
    const outcome = outcomeOf(real, `1 primary frozen and thawed under Patroni ${version}`);
    return isKnown
      ? {
          ...outcome,
          lost: `the known fault of Patroni ${version}: ${outcome.failures.join("; ")}`,
          failures: [],
        }
      : outcome;
  },
};

const SILENT = "something is lost, and a node raised no alarm";

function refuseWithoutCluster(): void {
  const missing = missingFromCluster();
  if (missing !== null) throw new Skipped(missing);
}

async function onCluster(work: (cluster: Cluster) => Promise<Run>): Promise<Run> {
  const cluster = await startCluster();
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

async function notReady(service: {
  readonly nodes: readonly number[];
  becomesReady(node: number): Promise<boolean>;
}): Promise<string[]> {
  const ready = await Promise.all(service.nodes.map((node) => service.becomesReady(node)));
  return ready.includes(false) ? ["a node did not become ready again"] : [];
}

const LEAD_SECONDS_MAX = 120;

/** Kills the primary as if its machine had died, and starts it again once another member leads. */
async function killPrimary(cluster: Cluster, former: Member): Promise<void> {
  cluster.kill(former, { patroni: true });
  await otherLeads(cluster, former.name);
  cluster.start(former);
}

async function freezePrimary(cluster: Cluster, former: Member): Promise<void> {
  cluster.freeze(former);
  await otherLeads(cluster, former.name);
  // Its successor has written meanwhile.
  await Bun.sleep(LOAD_MS);
  cluster.thaw(former);
}

async function otherLeads(cluster: Cluster, former: string): Promise<void> {
  const isLed = await holdsBefore(LEAD_SECONDS_MAX, async () => {
    const primary = await cluster.primary();
    return primary !== null && primary.name !== former;
  });
  if (!isLed) throw new Error(`no other member took the lead:\n${cluster.logs()}`);
}
