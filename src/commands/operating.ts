import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { Fault } from "../core/fault.ts";
import type { Operator } from "../core/service.ts";
import { CONTROL_SOCKET, controlOver, isListening } from "../http/control.ts";
import { type App, DATABASE_FILE, start } from "../start.ts";

/** Erasing a shelter with thousands of alerts takes its time. Bun allows no more. */
const WORK_SECONDS = 255;

/**
 * Does the operator's work on a data folder: through the service that runs on it, or else in this process. Throws
 * `not_found` where there is no database, `unavailable` where a service runs that cannot be reached.
 */
export async function operating<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const socket = join(config.dataDir, CONTROL_SOCKET);
  if (await isListening(socket)) return work(controlOver(socket));
  if (!existsSync(join(config.dataDir, DATABASE_FILE)))
    throw new Fault("not_found", `There is no database in ${config.dataDir}. Set DATA_DIR.`);
  const app = await start(config);
  try {
    return await work(app.operator);
  } finally {
    await app.stop();
  }
}

/**
 * Lets commands speak to this service, through a socket that only its own user can open. Null, and a line in the log,
 * where there can be none: commands then ask to stop the service.
 */
export function openControl(app: App, { dataDir }: Config) {
  const socket = join(dataDir, CONTROL_SOCKET);
  try {
    // This process holds the folder: what lies there is left of one that was killed.
    rmSync(socket, { force: true });
    const server = Bun.serve({
      unix: socket,
      development: false,
      fetch(request, server) {
        server.timeout(request, WORK_SECONDS);
        return app.control(request);
      },
    });
    chmodSync(socket, 0o600);
    return server;
  } catch (error) {
    app.log("control_failed", { error });
    return null;
  }
}
