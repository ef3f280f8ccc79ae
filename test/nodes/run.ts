import { join } from "node:path";
import { runFaults } from "../chaos/fault-run.ts";
import { FAULTS } from "./faults.ts";

// `bun run test:nodes [NAME...] [--minutes N] [--quick] [--seed TEXT] [--write]`: faults around several nodes on one database.
// --minutes: length of those that have no end of their own; --quick: without those that take minutes.

process.exitCode = await runFaults({
  faults: FAULTS,
  command: "bun run test:nodes --write",
  results: join(import.meta.dir, "results.json"),
  lanes: 2,
});
