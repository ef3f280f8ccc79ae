/** A line at the terminal that is written over as work goes on; where there is no terminal, nothing. */
export type Progress = {
  show(text: string): void;
  /** Wipes the line, for what is said next. */
  clear(): void;
};

/** Goes to the line's beginning and wipes it (ECMA-48: carriage return, erase in line). */
const WIPE = "\r\x1b[K";

export function createProgress(isTerminal: boolean): Progress {
  const out = isTerminal ? Bun.stdout.writer() : null;
  const write = (text: string) => {
    void out?.write(text);
    void out?.flush();
  };
  return {
    show: (text) => write(WIPE + text),
    clear: () => write(WIPE),
  };
}

/** `12,345`: a number as people read it. */
export function counted(number: number): string {
  return number.toLocaleString("en");
}

/** `1 alert`, `12,345 alerts`. */
export function many(number: number, one: string, more: string): string {
  return `${counted(number)} ${number === 1 ? one : more}`;
}
