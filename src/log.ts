import { MINUTE_MS } from "./core/duration.ts";
import { Fault } from "./core/fault.ts";
import type { Clock } from "./core/ports.ts";

/**
 * Writes one line of the log: a JSON object with `at`, `event` and the details, so that it can be searched. Nothing in it
 * leads to a person: details hold no address, token, exact point or text, and of an error only what its code says.
 */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void;

/** Lines about one event a minute at most: a fault that lasts would fill the disk, and wear an SD card out. */
export const LINES_A_MINUTE = 60;

/**
 * A log on lines. Beyond `LINES_A_MINUTE` an event is counted only, and its next line says how many were `left_out`;
 * those named in `whole` are never left out.
 */
export function createLog(how: {
  readonly write: (line: string) => void;
  readonly clock: Clock;
  readonly whole?: readonly string[];
}): Log {
  const windows = new Map<string, { since: number; lines: number; leftOut: number }>();

  /** How many lines were left out before this one; null when this one is, too. */
  function room(event: string, now: number): number | null {
    const known = windows.get(event);
    const isOver = known === undefined || now < known.since || now - known.since >= MINUTE_MS;
    const window = isOver ? { since: now, lines: 0, leftOut: known?.leftOut ?? 0 } : known;
    windows.set(event, window);
    if (window.lines >= LINES_A_MINUTE && !how.whole?.includes(event)) {
      window.leftOut += 1;
      return null;
    }
    const { leftOut } = window;
    window.lines += 1;
    window.leftOut = 0;
    return leftOut;
  }

  return (event, details = {}) => {
    const now = how.clock();
    const leftOut = room(event, now);
    if (leftOut === null) return;
    const shown = Object.entries(details).map(([name, value]) => [
      name,
      value instanceof Error ? errorInLog(value) : value,
    ]);
    how.write(
      JSON.stringify({
        at: new Date(now).toISOString(),
        event,
        ...Object.fromEntries(shown),
        ...(leftOut > 0 ? { left_out: leftOut } : {}),
      }),
    );
  };
}

/** An error as the log shows it. */
export type LoggedError = {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  /** Where it was thrown, the innermost call first. */
  readonly frames: readonly string[];
  readonly cause?: LoggedError;
  /** What several that came together were. */
  readonly errors?: readonly LoggedError[];
};

const FRAMES_MAX = 12;
/** Errors within errors. */
const DEPTH_MAX = 3;
const ERRORS_MAX = 10;

/**
 * What the log may hold of an error. Messages quote what they stumbled over: a query its parameters, a parser the text,
 * a file system the path. So a message is cut at the first thing that can be a value, and the stack is shown without
 * it. A `Fault` is in words of ours throughout.
 */
export function errorInLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: "", frames: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const inner = depth + 1 < DEPTH_MAX;
  return {
    // Some set the one, some the other.
    name: error.name === "Error" ? error.constructor.name : error.name,
    ...(code === null ? {} : { code }),
    message: error instanceof Fault ? error.message : withoutValues(error.message),
    frames: framesOf(error),
    ...(inner && error.cause instanceof Error ? { cause: errorInLog(error.cause, depth + 1) } : {}),
    ...(inner && error instanceof AggregateError
      ? {
          errors: error.errors
            .slice(0, ERRORS_MAX)
            .map((one: unknown) => errorInLog(one, depth + 1)),
        }
      : {}),
  };
}

/** Quotations, brackets, what follows a colon, and words with digits or an @. An apostrophe within a word opens nothing. */
const VALUE_BEGINS = /["`“«‘<([{:\n]|\S*[\d@=]|(?<!\p{L})['’]|['’](?!\p{L})/u;
const MESSAGE_MAX = 120;

function withoutValues(message: string): string {
  const beginning = message.slice(0, MESSAGE_MAX);
  const from = beginning.search(VALUE_BEGINS);
  return (from < 0 ? beginning : beginning.slice(0, from)).trim();
}

/** A stack repeats the message at its top, which may look like a call itself. */
function framesOf({ message, stack = "" }: Error): string[] {
  const after = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  return stack
    .slice(after)
    .split("\n")
    .filter((line) => /^\s+at \S.*:\d+:\d+\)?$/.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim().slice("at ".length));
}
