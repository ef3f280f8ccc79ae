import { HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import type { Clock } from "../core/ports.ts";
import type { Store } from "../core/store.ts";
import { BOUNCE_WINDOW_MS, type BounceClass } from "../core/suppression.ts";
import { type BounceReport, readBounceReport } from "./bounce-report.ts";
import { type MailboxReader, type MessageHandler, readFailure } from "./mailbox-reader.ts";
import type { ReturnPaths } from "./return-path.ts";

/** Job that adds the bounces and spam complaints of the mailbox to the suppression list. */
export type BounceCollector = {
  /** Reads the mailbox when it is time to; never rejects. Need not be awaited. */
  tick(now: number): Promise<void>;
  /** Cuts a read short; resolves when it has ended. */
  stop(): Promise<void>;
  /** Time of the first failed read in a row; null if the last one succeeded. */
  readonly failingSince: number | null;
};

export type BounceCollectorParts = {
  readonly store: Pick<Store, "recordBounce" | "recordComplaint">;
  readonly reader: MailboxReader;
  readonly returnPaths: ReturnPaths;
  readonly clock: Clock;
  /** For the operator. The text contains no mailbox. */
  readonly log: (text: string) => void;
  readonly count: (what: BounceClass) => void;
};

const READ_EVERY_MS = 5 * MINUTE_MS;
/** Delay after a read that did not reach the end. */
const READ_MORE_MS = MINUTE_MS;
/** Maximum delay after a failed read; it doubles with each. */
const RETRY_MAX_MS = HOUR_MS;

export function createBounceCollector(parts: BounceCollectorParts): BounceCollector {
  const { reader, clock, log, count } = parts;
  const handler = bounceHandler(parts);
  let reading: Promise<void> | null = null;
  let nextAt = -Infinity;
  let waitMs = READ_EVERY_MS;
  let failingSince: number | null = null;
  let isStopping = false;

  async function read(now: number): Promise<void> {
    try {
      const more = await reader.read(handler, now - BOUNCE_WINDOW_MS);
      nextAt = now + (more ? READ_MORE_MS : READ_EVERY_MS);
      waitMs = READ_EVERY_MS;
      failingSince = null;
    } catch (error) {
      if (isStopping) return;
      failingSince ??= now;
      nextAt = clock() + waitMs;
      waitMs = Math.min(2 * waitMs, RETRY_MAX_MS);
      count("read_failed");
      log(`The mailbox ${reader.describe()} cannot be read: ${readFailure(error)}`);
    }
  }

  return {
    tick(now) {
      // A time further ahead than any wait was set by a clock that has stepped back since.
      const isDue = now >= nextAt || nextAt - now > RETRY_MAX_MS;
      if (reading === null && isDue && !isStopping)
        reading = read(now).finally(() => {
          reading = null;
        });
      return reading ?? Promise.resolve();
    },
    async stop() {
      isStopping = true;
      reader.close();
      await reading;
    },
    get failingSince() {
      return failingSince;
    },
  };
}

/** Abuse reports are sent to a separate address; they quote the return path in their body. */
const ABUSE_REPORT = /feedback-report/i;

function bounceHandler({
  store,
  returnPaths,
  clock,
  count,
}: Pick<BounceCollectorParts, "store" | "returnPaths" | "clock" | "count">): MessageHandler {
  async function record(emailId: string, report: BounceReport): Promise<void> {
    switch (report.kind) {
      case "dead_mailbox":
        return countOutcome(report.kind, await store.recordBounce(emailId, clock()));
      case "complaint":
        return countOutcome(report.kind, await store.recordComplaint(emailId, clock()));
      case "permanent":
      case "transient":
        return count(report.kind);
    }
  }

  function countOutcome(kind: BounceReport["kind"], outcome: "recorded" | "ignored"): void {
    count(outcome === "recorded" ? kind : "ignored");
  }

  return {
    wants(headers) {
      if (ABUSE_REPORT.test(headers) || returnPaths.emailIdsIn(headers).length > 0) return true;
      if (returnPaths.hasCandidate(headers)) count("forged");
      return false;
    },

    async handle({ headers, raw }) {
      const report = await readBounceReport(raw);
      // The first return path is the address it was delivered to; others in the report are ignored.
      const source = report?.kind === "complaint" ? Buffer.from(raw).toString("latin1") : headers;
      const [emailId] = returnPaths.emailIdsIn(source);
      if (report === null || emailId === undefined) {
        count(
          returnPaths.hasCandidate(source) && emailId === undefined ? "forged" : "unrecognised",
        );
        return false;
      }
      await record(emailId, report);
      return true;
    },
  };
}
