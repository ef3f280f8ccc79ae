import { KEEP_PERSONAL_DATA_MS } from "../alerts/lifetime.ts";
import { sendReminders } from "../owners/reminder.ts";
import { PENDING_KEEP_MS } from "../pending/pending.ts";
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { TOMBSTONE_KEEP_MS } from "../erasure/erase.ts";
import { HITS_KEEP_MS } from "../limits.ts";
import { AUDIT_LOG_KEEP_MS } from "../moderation/report.ts";
import type { PhotoActions } from "../photos/photos.ts";
import { sendPlanEmails } from "../plan/plan-emails.ts";
import type { ErasureStore } from "../erasure/erasure-store.ts";
import type { JobStore } from "./job-store.ts";
import { eraseLostDevices } from "../push/devices.ts";
import type { SyncIndexes } from "../instance.ts";

/** Larger steps of the clock are treated as a clock error or a long sleep of the machine. */
const CLOCK_JUMP_MS = 14 * DAY_MS;
/** After a jump, nothing expires and nothing is erased until the clock has run this long. */
const CLOCK_TRUSTED_AFTER_MS = DAY_MS;
/** Interval of jobs that are not urgent: each run writes to the disk. */
const HOUSEKEEPING_MS = MINUTE_MS;
/** Rows that one job handles per tick; the rest waits for the next tick. */
const BATCH = 200;

export type Job = {
  readonly name: string;
  /** `each`: every node, for its own memory or its share of the work; `leader`: only the node that leads. */
  readonly by: "each" | "leader";
  /** `indexedUpTo`: revision that the indexes have reached; later alerts and zones are left to the next tick. */
  readonly run: (now: number, indexedUpTo: number) => Promise<void>;
};

/** Ports of the daily work. */
type Ports = Parameters<typeof sendReminders>[0] &
  Parameters<typeof sendPlanEmails>[0] &
  Parameters<typeof eraseLostDevices>[0] & {
    readonly store: JobStore & Pick<ErasureStore, "deleteTombstones" | "wipeErasedPages">;
  };

/**
 * Scheduled jobs: those given, then reminders, emails about plans, expiry, deletion of old data. All their state is in the
 * store, so ticking twice, or on two machines, has the effect of ticking once.
 */
export function createScheduler(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photos: Pick<PhotoActions, "dropGone" | "dropStrays">,
  jobs: readonly Job[],
) {
  /** True if the clock has run without a jump for long enough to trust it with what cannot be undone. */
  const isClockTrusted = async (now: number): Promise<boolean> => {
    const last = await ports.store.heartbeat();
    if (last === null || now > last.at + CLOCK_JUMP_MS) return false;
    return now >= last.steadySince + CLOCK_TRUSTED_AFTER_MS;
  };

  let jump: ClockJump | null = null;

  async function keepHouse(now: number): Promise<void> {
    const last = await ports.store.heartbeat();
    if (last !== null && now >= last.at && now - last.at < HOUSEKEEPING_MS) return;
    const isSteady = last !== null && Math.abs(now - last.at) <= CLOCK_JUMP_MS;
    if (last !== null && !isSteady) jump = { from: last.at, to: now };
    const steadySince = isSteady ? Math.min(last.steadySince, now) : now;
    await ports.store.recordHeartbeat({ at: now, steadySince });
    await sendReminders(ports, now);
    await sendPlanEmails(ports, now);
    if (!(await isClockTrusted(now))) return;
    if ((await ports.store.expireAlerts(now, BATCH)) > 0) await syncIndexes();
    await ports.store.eraseEnded(now - KEEP_PERSONAL_DATA_MS, now, BATCH);
    await ports.store.sweep(
      {
        now,
        before: now - PENDING_KEEP_MS,
        hitsBefore: now - HITS_KEEP_MS,
        auditLogBefore: now - AUDIT_LOG_KEEP_MS,
      },
      BATCH,
    );
    await eraseLostDevices(ports, now, BATCH);
    await ports.store.deleteTombstones(now - TOMBSTONE_KEEP_MS);
    await photos.dropStrays(now);
  }

  let indexedUpTo = 0;
  const all: readonly Job[] = [
    {
      name: "update indexes",
      by: "each",
      run: async () => void (indexedUpTo = await syncIndexes()),
    },
    ...jobs,
    { name: "keep house", by: "leader", run: keepHouse },
    { name: "drop photos without an alert", by: "leader", run: photos.dropGone },
    { name: "wipe erased pages", by: "leader", run: ports.store.wipeErasedPages },
  ];

  async function run(now: number, isLeader: boolean): Promise<void> {
    const errors: unknown[] = [];
    for (const { name, by, run } of all) {
      if (by === "leader" && !isLeader) continue;
      try {
        await run(now, indexedUpTo);
      } catch (cause) {
        errors.push(new Error(`job failed: ${name}`, { cause }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "some jobs of the tick failed");
  }

  let running: Promise<void> | null = null;
  function tick(now: number, isLeader: boolean): Promise<void> {
    running ??= run(now, isLeader).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    isClockTrusted,
    /** The last clock jump, until the clock is trusted again. */
    async clockJump(now: number): Promise<ClockJump | null> {
      if (jump !== null && (await isClockTrusted(now))) jump = null;
      return jump;
    },
    /**
     * Runs all jobs once. A failing job does not stop the others; all errors are thrown together at the end.
     * Overlapping calls share the running tick.
     */
    tick: (now: number) => tick(now, true),
    /** Runs only the jobs that every process on a store does, while one of them runs all. */
    tickOwn: (now: number) => tick(now, false),
  };
}

export type ClockJump = { readonly from: number; readonly to: number };
