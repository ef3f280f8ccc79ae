import type { Store } from "../core/service/store.ts";
import type { BounceClass } from "../core/people/suppression.ts";
import { type BounceReport, readBounceReport } from "./bounce-report.ts";
import type { MessageHandler } from "./mailbox-reader.ts";
import type { PlusAddresses } from "./plus-address.ts";
import type { Clock } from "../core/instance.ts";

export type BounceHandlerParts = {
  readonly store: Pick<Store, "recordBounce" | "recordComplaint">;
  /** Envelope senders with the ids of our emails (VERP). */
  readonly returnPaths: PlusAddresses;
  readonly clock: Clock;
  readonly count: (what: BounceClass) => void;
};

/** Abuse reports are sent to a separate address; they quote the return path in their body. */
const ABUSE_REPORT = /feedback-report/i;

/** Handler that adds bounces and spam complaints to the suppression list. */
export function createBounceHandler(parts: BounceHandlerParts): MessageHandler {
  const { store, returnPaths, clock, count } = parts;

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

  async function handle(headers: string, raw: Uint8Array): Promise<boolean> {
    const report = await readBounceReport(raw);
    // The first return path is the address it was delivered to; others in the report are ignored.
    const source = report?.kind === "complaint" ? Buffer.from(raw).toString("latin1") : headers;
    const [emailId] = returnPaths.idsIn(source);
    if (report === null || emailId === undefined) {
      count(returnPaths.hasCandidate(source) && emailId === undefined ? "forged" : "unrecognised");
      return false;
    }
    await record(emailId, report);
    return true;
  }

  return async (headers) => {
    if (ABUSE_REPORT.test(headers) || returnPaths.idsIn(headers).length > 0)
      return (raw) => handle(headers, raw);
    if (returnPaths.hasCandidate(headers)) count("forged");
    return "leave";
  };
}
