import { cpus } from "node:os";
import { join } from "node:path";
import { runFaults } from "../chaos/fault-run.ts";
import { missingFromCluster, patroniVersion } from "../support/cluster.ts";
import { FAULTS } from "./faults.ts";

// `bun run test:nodes [NAME...] [--fault NAME] [--minutes N] [--quick] [--seed TEXT] [--write] [--from FILE]`: faults around several
// nodes on one database. --minutes: length of those that have no end of their own; --quick: without those that take minutes.

process.exitCode = await runFaults({
  faults: FAULTS,
  command: "bun run test:nodes --write",
  results: join(import.meta.dir, "results.json"),
  lanes: 2,
  footer: machine,
});

async function machine(): Promise<string> {
  const patroni = missingFromCluster() === null ? `, Patroni ${await patroniVersion()}` : "";
  const day = new Date().toISOString().slice(0, 10);
  return `Run on ${day}, on one machine with ${cpus().length} cores for all nodes and databases: Bun ${Bun.version}, PostgreSQL 15${patroni}.`;
}
