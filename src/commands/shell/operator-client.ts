import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../settings/config.ts";
import { Fault } from "../../core/fault.ts";
import type { Operator } from "../../core/service/service.ts";
import { CONTROL_SOCKET, createControlClient, isListening } from "../../http/control.ts";
import { DATABASE_FILE } from "../../../db/sqlite/open.ts";
import { start } from "../../start.ts";

/**
 * Runs operator use cases on a data folder: through the service that uses it, or in this process if none is running. With
 * a database that several nodes share, this process is one more of them. Throws `not_found` when there is no database,
 * `unavailable` when a running service or the database cannot be reached.
 */
export async function withOperator<Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
  /** Creates a data folder if there is none. */
  mayCreate = false,
): Promise<Result> {
  if (config.cluster === null) {
    const socket = join(config.dataDir, CONTROL_SOCKET);
    if (await isListening(socket)) return work(createControlClient(socket));
    if (!mayCreate && !existsSync(join(config.dataDir, DATABASE_FILE)))
      throw new Fault("not_found", `There is no database in ${config.dataDir}. Check DATA_DIR.`);
  }
  const app = await start(config);
  try {
    return await work(app.operator);
  } finally {
    await app.stop();
  }
}
