import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { Fault } from "../core/fault.ts";
import type { Operator } from "../core/service.ts";
import { CONTROL_SOCKET, createControlClient, isListening } from "../http/control.ts";
import { type App, DATABASE_FILE, start } from "../start.ts";

/** Long enough to erase a shelter with thousands of alerts; Bun's maximum. */
const REQUEST_SECONDS = 255;

/**
 * Runs operator use cases on a data folder: through the service that uses it, or in this process if none is running.
 * Throws `not_found` when there is no database, `unavailable` when a running service cannot be reached.
 */
export async function withOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const socket = join(config.dataDir, CONTROL_SOCKET);
  if (await isListening(socket)) return work(createControlClient(socket));
  if (!existsSync(join(config.dataDir, DATABASE_FILE)))
    throw new Fault("not_found", `There is no database in ${config.dataDir}. Check DATA_DIR.`);
  const app = await start(config);
  try {
    return await work(app.operator);
  } finally {
    await app.stop();
  }
}

/**
 * Opens the control socket, through which commands reach this service. Only the service's own user can connect. If it
 * cannot be opened, logs it and returns null: commands then ask to stop the service first.
 */
export function openControl(app: App, { dataDir }: Config) {
  const socket = join(dataDir, CONTROL_SOCKET);
  try {
    // This process holds the folder's lock, so an existing socket was left by a killed process.
    rmSync(socket, { force: true });
    const server = Bun.serve({
      unix: socket,
      development: false,
      fetch(request, server) {
        server.timeout(request, REQUEST_SECONDS);
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
