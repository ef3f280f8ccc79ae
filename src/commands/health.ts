import { readConfig } from "../config.ts";
import { Fault } from "../core/fault.ts";
import { type Command, Misuse, readArguments } from "./command.ts";

const USAGE = "Usage: pet-alert health";
const TIMEOUT_MS = 5_000;

export const health: Command = {
  name: "health",
  summary: "asks the service on this machine whether it is ready",
  help: [
    USAGE,
    "",
    "Asks the service that listens on HOST and PORT whether it is ready. Ends with 0 when it is, else with 1: for those",
    "who watch over it, in a container that has no other program.",
  ].join("\n"),
  async run(args, { env, say }) {
    const { positionals } = readArguments(args, {}, USAGE);
    if (positionals.length > 0) throw new Misuse("health takes no words after it.", USAGE);
    const url = `${localAddress(readConfig(env))}/readyz`;
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      say((await answer.text()).trim());
      return answer.ok ? 0 : 1;
    } catch {
      throw new Fault("unavailable", `Nothing answers at ${url}.`);
    }
  },
};

/** Where a service with these settings is asked from its own machine. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  const named = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${named.includes(":") ? `[${named}]` : named}:${port}`;
}
