import { CLOCK_WRONG_MS, leastOffset } from "./health-checks.ts";
import type { Store } from "../core/service/store.ts";
import type { Log } from "./log.ts";
import type { Clock } from "../core/instance.ts";

/** A node that has not read the changes of the others for so long may show what was removed. */
const STALE_MS = 5_000;
/** Time after which another node takes over the jobs of a leader that has vanished. */
const LEASE_MS = 10_000;

/** Calls back after each change by another node, in most cases; returns a function that ends it. */
export type Follow = (onChange: () => void) => Promise<() => Promise<void>>;

/** Jobs that a node runs in a tick: all of them, those that every node runs, or none. */
export type NodeDuty = "all" | "own" | "none";

/** This process as one of several nodes on one database. */
export type Node = {
  /** Reads what the others have changed, and tells what to do in this tick. Never rejects; overlapping calls are one. */
  duty(): Promise<NodeDuty>;
  /** To be called before each request: what a stale node has in memory is forgotten. */
  refresh(): void;
  /** False while requests should go to other nodes. */
  isReady(): boolean;
  /** Milliseconds by which the clock of the node is ahead of the database's; null if unknown. */
  clockOffset(): number | null;
  /** Time since which changes could not be read, in milliseconds of the clock; null while they can. */
  staleSince(): number | null;
  stop(): Promise<void>;
};

export type NodeParts = {
  /** Name of this node, in no other's use. */
  readonly id: string;
  readonly store: Pick<Store, "takeLead" | "endLead" | "databaseTime">;
  readonly syncIndexes: () => Promise<unknown>;
  /** Forgets all alerts in memory, so that they are read from the database. */
  readonly forgetAlerts: () => void;
  readonly follow: Follow;
  readonly clock: Clock;
  /** Monotonic time in milliseconds. */
  readonly stopwatch: () => number;
  readonly log: Log;
};

/** Joins the other nodes: from now on, their changes are read as soon as they are made. */
export async function joinCluster(parts: NodeParts): Promise<Node> {
  const { id, store, forgetAlerts, clock, stopwatch, log } = parts;
  let readAt = stopwatch();
  let offset: number | null = null;
  let deciding: Promise<NodeDuty> | null = null;
  let isStopping = false;

  /** Reads changes. The time that counts is that of the question: changes made during the answer may be missing. */
  async function read(): Promise<void> {
    const askedAt = stopwatch();
    await parts.syncIndexes();
    readAt = Math.max(readAt, askedAt);
  }

  const staleMs = () => {
    const ms = stopwatch() - readAt;
    return ms > STALE_MS ? ms : null;
  };

  async function measureClock(): Promise<void> {
    const askedAt = clock();
    const time = await store.databaseTime();
    if (time !== null) offset = leastOffset(time, { askedAt, answeredAt: clock() });
  }

  const isClockWrong = () => offset !== null && Math.abs(offset) >= CLOCK_WRONG_MS;

  async function decide(): Promise<NodeDuty> {
    try {
      await read();
      await measureClock();
      if (isStopping || isClockWrong()) return "none";
      return (await store.takeLead(id, LEASE_MS)) ? "all" : "own";
    } catch (error) {
      log("node_failed", { error });
      return "none";
    }
  }

  // A hint that comes while changes are read may stand for later ones: `syncIndexes` reads in turn.
  const unfollow = await parts.follow(() => void read().catch(() => {}));
  // So that a node whose clock is wrong gets no requests until its first tick.
  await measureClock().catch(() => {});

  return {
    duty() {
      deciding ??= decide().finally(() => {
        deciding = null;
      });
      return deciding;
    },
    refresh() {
      if (staleMs() !== null) forgetAlerts();
    },
    isReady: () => staleMs() === null && !isClockWrong(),
    clockOffset: () => offset,
    staleSince() {
      const ms = staleMs();
      return ms === null ? null : clock() - ms;
    },
    async stop() {
      isStopping = true;
      await unfollow();
      // It may be about to take the lead.
      await deciding;
      await store.endLead(id).catch(() => {});
    },
  };
}
