import { join } from "node:path";
import { runFaults } from "./fault-run.ts";
import { FAULTS } from "./faults.ts";

// `bun run test:faults [NAME...] [--seed TEXT] [--write]`: faults around one process on its folder.

process.exitCode = await runFaults({
  faults: FAULTS,
  command: "bun run test:faults --write",
  results: join(import.meta.dir, "results.json"),
  lanes: 2,
});
