import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import type { Clock } from "../core/instance.ts";

/**
 * Writes a log line: a JSON object with `at`, `event` and the details. It holds no personal data: no email or IP address,
 * token, exact position or text, and errors are reduced by `loggedError`.
 */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void;

/** Lines per event and minute, so that a lasting fault does not fill the disk or wear out an SD card. */
export const LINES_PER_MINUTE = 60;

/**
 * Log with a limit of `LINES_PER_MINUTE` per event; beyond it lines are only counted, and the next line has their number
 * as `left_out`. Events named in `whole` are never left out.
 */
export function createLog(how: {
  readonly write: (line: string) => void;
  readonly clock: Clock;
  readonly whole?: readonly string[];
}): Log {
  const windows = new Map<string, { since: number; lines: number; leftOut: number }>();

  /** Number of lines left out before this one; null if this one is left out too. */
  function leftOutBefore(event: string, now: number): number | null {
    const known = windows.get(event);
    const isOver = known === undefined || now < known.since || now - known.since >= MINUTE_MS;
    const window = isOver ? { since: now, lines: 0, leftOut: known?.leftOut ?? 0 } : known;
    windows.set(event, window);
    if (window.lines >= LINES_PER_MINUTE && !how.whole?.includes(event)) {
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
    const leftOut = leftOutBefore(event, now);
    if (leftOut === null) return;
    const shown = Object.entries(details).map(([name, value]) => [
      name,
      value instanceof Error ? loggedError(value) : value,
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

export type LoggedError = {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  /** Stack frames, innermost first. */
  readonly frames: readonly string[];
  readonly cause?: LoggedError;
  /** Errors of an AggregateError. */
  readonly errors?: readonly LoggedError[];
};

const FRAMES_MAX = 12;
/** Nesting of causes. */
const DEPTH_MAX = 4;
const ERRORS_MAX = 10;

/**
 * Error without personal data. Messages may quote values: query parameters, parsed text, file paths. So a message is cut
 * at the first character that can start a value, and the stack is logged without its message. The message of a `Fault` is
 * our own and logged whole.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error, message: "", frames: [] };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  const inner = depth + 1 < DEPTH_MAX;
  return {
    // Some errors set `name`, others only have a class.
    name: error.name === "Error" ? error.constructor.name : error.name,
    ...(code === null ? {} : { code }),
    message: error instanceof Fault ? error.message : withoutValues(error.message),
    frames: framesOf(error),
    ...(inner && error.cause instanceof Error
      ? { cause: loggedError(error.cause, depth + 1) }
      : {}),
    ...(inner && error instanceof AggregateError
      ? {
          errors: error.errors
            .slice(0, ERRORS_MAX)
            .map((one: unknown) => loggedError(one, depth + 1)),
        }
      : {}),
  };
}

/** Quotes, brackets, colons, and words with digits or an @; not an apostrophe within a word. */
const VALUE_START = /["`“«‘<([{:\n]|\S*[\d@=]|(?<!\p{L})['’]|['’](?!\p{L})/u;
const MESSAGE_MAX = 120;

function withoutValues(message: string): string {
  const beginning = message.slice(0, MESSAGE_MAX);
  const from = beginning.search(VALUE_START);
  return (from < 0 ? beginning : beginning.slice(0, from)).trim();
}

/** Frames of a stack without the message at its top, which may look like a frame itself. */
function framesOf({ message, stack = "" }: Error): string[] {
  const after = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  return stack
    .slice(after)
    .split("\n")
    .filter((line) => /^\s+at \S.*:\d+:\d+\)?$/.test(line))
    .slice(0, FRAMES_MAX)
    .map((line) => line.trim().slice("at ".length));
}
