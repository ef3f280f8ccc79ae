import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../deploy/build.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import type { Program } from "../support/process.ts";

/** The executable: it starts three times as fast as the sources, which matters where nodes are killed. */
export async function builtProgram(make = build): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-built-"));
  const file = join(folder, "pet-alert");
  await make(file, "this machine");
  return { command: [file], cwd: folder };
}

/** The executable with some exports replaced. */
export async function changedProgram(...changes: readonly Weakening[]): Promise<Program> {
  return without(changes, async (copy) => {
    const { build } = await copy.load<typeof import("../../deploy/build.ts")>("deploy/build.ts");
    return builtProgram(build);
  });
}
