/** Progress line at the terminal, overwritten as work goes on; does nothing without a terminal. */
export type Progress = {
  show(text: string): void;
  /** Erases the line. */
  clear(): void;
};

/** Carriage return, erase in line (ECMA-48). */
const ERASE_LINE = "\r\x1b[K";

export function createProgress(isTerminal: boolean): Progress {
  const out = isTerminal ? Bun.stdout.writer() : null;
  const write = (text: string) => {
    void out?.write(text);
    void out?.flush();
  };
  return {
    show: (text) => write(ERASE_LINE + text),
    clear: () => write(ERASE_LINE),
  };
}
