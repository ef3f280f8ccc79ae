import { readConfig } from "../settings/config.ts";
import { localAddress } from "../settings/reachability.ts";
import { Fault } from "../core/fault.ts";
import { type Command, UsageError, readArguments } from "./shell/command.ts";

const USAGE = "Usage: pet-alert health";
const TIMEOUT_MS = 5_000;

export const health: Command = {
  name: "health",
  summary: "checks whether the service on this machine is ready",
  help: [
    USAGE,
    "",
    "Asks the service that listens on HOST and PORT whether it is ready. Made for health checks in containers without",
    "other programs. Exit codes: 0 ready, 1 not ready.",
  ].join("\n"),
  async run(args, { env, print }) {
    const { positionals } = readArguments(args, {}, USAGE);
    if (positionals.length > 0) throw new UsageError("health takes no arguments.", USAGE);
    const url = `${localAddress(readConfig(env))}/readyz`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      print((await response.text()).trim());
      return response.ok ? 0 : 1;
    } catch {
      throw new Fault("unavailable", `No service responds at ${url}.`);
    }
  },
};
