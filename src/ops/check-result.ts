import type { Fault } from "../core/fault.ts";

/** Result of a check of one part of an installation. */
export type CheckResult = {
  /** `warn`: it works, but needs attention; `fix`: it is broken. */
  readonly level: "ok" | "warn" | "fix";
  /** One sentence, without its full stop. */
  readonly text: string;
  readonly advice?: string;
};

export const ok = (text: string, advice?: string): CheckResult => ({
  level: "ok",
  text,
  ...(advice === undefined ? {} : { advice }),
});
export const warn = (text: string, advice: string): CheckResult => ({
  level: "warn",
  text,
  advice,
});
export const fix = (text: string, advice: string): CheckResult => ({
  level: "fix",
  text,
  advice,
});

/** Result for a fault whose message says what is wrong and what to do about it. */
export function faultFound({ message }: Fault): CheckResult {
  const [problem = "", ...advice] = message.split(/(?<=[.?]) (?=[A-Z])/);
  const text = problem.replace(/\.$/, "");
  return { level: "fix", text, ...(advice.length === 0 ? {} : { advice: advice.join(" ") }) };
}
