import type { Command } from "./command.ts";
import { demo } from "./demo.ts";
import { importTable } from "./import.ts";
import { serve } from "./serve.ts";

/** Everything the program can do from a shell. */
export const COMMANDS: readonly Command[] = [serve, demo, importTable];

export function commandNamed(name: string): Command | null {
  return COMMANDS.find((command) => command.name === name) ?? null;
}
