import type { Fault } from "../chaos/fault.ts";
import { clockWrong, commitCut, nodeCutOff, nodeFrozen, nodeKilled } from "./node-faults.ts";
import { bucketHangs, mailCutOff, olderDatabase } from "./outside-faults.ts";
import { primaryFrozen, primaryKilled } from "./primary-faults.ts";
import { upgrade } from "./upgrade.ts";

/** Every fault of many nodes, in the order of docs/reliability.md's table. */
export const FAULTS: readonly Fault[] = [
  nodeKilled,
  nodeFrozen,
  nodeCutOff,
  commitCut,
  clockWrong,
  mailCutOff,
  bucketHangs,
  olderDatabase,
  upgrade,
  primaryKilled,
  primaryFrozen,
];
