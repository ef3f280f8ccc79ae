import { allow } from "./allow.ts";
import { backup, restoreBackup } from "./backup.ts";
import { check } from "./check/check.ts";
import type { Command } from "./shell/command.ts";
import { demo } from "./demo.ts";
import { erase } from "./erase.ts";
import { exportTable } from "./export.ts";
import { health } from "./health.ts";
import { importTable } from "./import.ts";
import { importLinks } from "./links.ts";
import { moderate } from "./moderate.ts";
import { move } from "./move.ts";
import { organisation } from "./organisation.ts";
import { serve } from "./serve.ts";
import { updateProgram } from "./update.ts";
import { sources } from "./sources.ts";

/** Commands of the program, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  serve,
  demo,
  importTable,
  sources,
  importLinks,
  organisation,
  exportTable,
  backup,
  restoreBackup,
  move,
  moderate,
  erase,
  allow,
  check,
  updateProgram,
  health,
];
