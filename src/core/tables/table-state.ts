import { DAY_MS, HOUR_MS } from "../duration.ts";
import type { TableProblem, TableState, TableVersion } from "./table.ts";

/** Longest wait before a table is tried again that could not be read. */
const BACK_OFF_MS_MAX = 6 * HOUR_MS;
/** Part of the time between two pulls by which they are moved at random, so that servers do not all ask at once. */
const JITTER = 0.1;
/** A table is read as a whole at least so often: its alerts are renewed, and what people changed is compared. */
const WHOLE_EVERY_MS = DAY_MS;

export function newState(name: string, now: number): TableState {
  return {
    name,
    addedAt: now,
    dueAt: null,
    triedAt: null,
    goodAt: null,
    wholeAt: null,
    failures: 0,
    problem: null,
    rejected: 0,
    version: null,
    removedAt: null,
  };
}

/** Result of a good read. Null: nothing had changed. */
type GoodRead = {
  readonly rejected: number;
  /** Null if the table must be read again as a whole. */
  readonly version: TableVersion | null;
} | null;

export function afterGoodRead(state: TableState, read: GoodRead, now: number): TableState {
  const good = { ...state, triedAt: now, goodAt: now, failures: 0, problem: null };
  if (read === null) return good;
  return { ...good, ...read, wholeAt: now };
}

export function afterFailure(state: TableState, problem: TableProblem, now: number): TableState {
  return { ...state, triedAt: now, failures: state.failures + 1, problem, version: null };
}

/** Plans the next pull; `random` is in [0, 1). After failures the time doubles. */
export function withNextPull(
  state: TableState,
  everyMs: number,
  random: number,
  now: number,
): TableState {
  const doubled = everyMs * 2 ** Math.max(0, state.failures - 1);
  const wait = Math.min(doubled, Math.max(everyMs, BACK_OFF_MS_MAX));
  return { ...state, dueAt: Math.round(now + wait * (1 + JITTER * (2 * random - 1))) };
}

/** True if a table is to be pulled now. A time too far ahead was planned before the clock was set back. */
export function isDue(state: TableState | undefined, everyMs: number, now: number): boolean {
  if (state === undefined || state.dueAt === null) return true;
  if (state.removedAt !== null) return false;
  const longest = Math.max(everyMs, BACK_OFF_MS_MAX) * (1 + JITTER);
  return state.dueAt <= now || state.dueAt > now + longest;
}

/** Version that the server may confirm instead of sending the table once more. */
export function confirmableVersion(state: TableState, now: number): TableVersion | null {
  const isFresh = state.wholeAt !== null && Math.abs(now - state.wholeAt) < WHOLE_EVERY_MS;
  return isFresh ? state.version : null;
}

/** Time without a good read after which the operator is told. */
const SILENT_MS = DAY_MS;
/** Time for which a failed `import --sync` is an alarm: nobody knows if it is to be repeated. */
const COMMAND_ALARM_MS = 2 * DAY_MS;

/** True if a table that the service pulls could not be read for a day. */
export function isSilent({ dueAt, goodAt, addedAt }: TableState, now: number): boolean {
  return dueAt !== null && now - (goodAt ?? addedAt) > SILENT_MS;
}

/** True if a table could not be read, and its operator is told. A server may be down for a day. */
export function isAlarming(state: TableState, now: number): boolean {
  const { problem, dueAt, triedAt } = state;
  if (dueAt === null && Math.abs(now - (triedAt ?? 0)) > COMMAND_ALARM_MS) return false;
  return isSilent(state, now) || (problem !== null && problem.kind !== "unreachable");
}
