/** What a look at one part of an installation found. */
export type Finding = {
  /** `warn`: it works, perhaps not as it should; `mend`: it does not. */
  readonly level: "ok" | "warn" | "mend";
  /** One sentence, without its full stop. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
};

/** Findings of the three levels. */
export const ok = (text: string, advice?: string): Finding => ({
  level: "ok",
  text,
  ...(advice === undefined ? {} : { advice }),
});
export const warn = (text: string, advice: string): Finding => ({ level: "warn", text, advice });
export const mend = (text: string, advice: string): Finding => ({ level: "mend", text, advice });
