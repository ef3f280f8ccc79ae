import { fewestSlips } from "../core/slips.ts";
import { backup } from "./backup.ts";
import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { erase } from "./erase.ts";
import { exportTable } from "./export.ts";
import { health } from "./health.ts";
import { importTable } from "./import.ts";
import { moderate } from "./moderate.ts";
import { restoreBackup } from "./restore.ts";
import { serve } from "./serve.ts";

/** Everything the program can do from a shell. */
export const COMMANDS: readonly Command[] = [
  serve,
  demo,
  importTable,
  exportTable,
  backup,
  restoreBackup,
  moderate,
  erase,
  check,
  health,
];

export function commandNamed(name: string): Command | null {
  return COMMANDS.find((command) => command.name === name) ?? null;
}

const LETTERS_PER_SLIP = 3;

/** The command someone may have meant who wrote this, or null. */
export function commandLike(name: string): Command | null {
  const like = fewestSlips(name, COMMANDS, (command) => command.name, {
    lettersPerSlip: LETTERS_PER_SLIP,
  });
  return like.length === 1 ? like[0]! : null;
}
