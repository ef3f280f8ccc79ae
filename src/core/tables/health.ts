import { DAY_MS } from "../duration.ts";
import type { SourceState } from "./source-store.ts";

/** Time without a good read after which the operator is told. */
const SILENT_MS = DAY_MS;
/** Time for which a failed `import --sync` is an alarm: nobody knows if it is to be repeated. */
const COMMAND_ALARM_MS = 2 * DAY_MS;

/** True if a table that the service pulls could not be read for a day. */
export function isSilent({ dueAt, goodAt, addedAt }: SourceState, now: number): boolean {
  return dueAt !== null && now - (goodAt ?? addedAt) > SILENT_MS;
}

/** True if a table could not be read, and its operator is told. A server may be down for a day. */
export function isAlarming(state: SourceState, now: number): boolean {
  const { problem, dueAt, triedAt } = state;
  if (dueAt === null && Math.abs(now - (triedAt ?? 0)) > COMMAND_ALARM_MS) return false;
  return isSilent(state, now) || (problem !== null && problem.kind !== "unreachable");
}
