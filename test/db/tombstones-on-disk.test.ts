import { expect } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TOMBSTONES_FILE } from "../../db/sqlite/tombstones.ts";
import { createDisk, LOSSES } from "../chaos/disk-after-a-cut.ts";
import { randomFor } from "../chaos/fault.ts";
import { createRecorder, missingFromRecorder } from "../chaos/recorder.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import { DISK } from "../support/disk.ts";
import { FROM_SOURCES, type Program } from "../support/process.ts";
import { atNight } from "../support/nightly.ts";
import { testsUnlessMissing } from "../support/system-programs.ts";

const LINES = 8;
const { test } = testsUnlessMissing(missingFromRecorder());

test("what was erased stays in the list, whenever the power goes after it was said to be there", async () => {
  expect(await linesLost(FROM_SOURCES)).toEqual([]);
});

atNight(test).each([
  ["the line", "flushOpen"],
  ["the list's name", "flush"],
])("a power cut takes lines once %s is not synced", async (_what, name) => {
  const unsynced: Weakening = { module: "src/ops/fs.ts", name, instead: "() => {}" };

  expect(await without([unsynced], ({ program }) => linesLost(program))).not.toEqual([]);
});

/** Lines that were reported as added, but are missing after a power cut at that moment. */
async function linesLost({ command: [bun = ""], cwd }: Program): Promise<string[]> {
  const scratch = mkdtempSync(join(DISK, "pet-alert-erased-list-"));
  try {
    const folder = join(scratch, "data");
    mkdirSync(folder);
    const recorder = await createRecorder(folder, scratch);
    const load = Bun.spawn(
      [bun, join(cwd, "test/chaos/erased-list-load.ts"), folder, String(LINES)],
      { cwd, env: { ...recorder.env }, stdout: "inherit", stderr: "inherit" },
    );
    expect(await load.exited).toBe(0);

    const random = randomFor("erased list");
    const disk = createDisk(folder);
    const lost: string[] = [];
    let moments = 0;
    for (const event of recorder.events()) {
      if (event.kind !== "told") {
        disk.apply(event);
        continue;
      }
      moments += 1;
      for (const loss of LOSSES) {
        const image = join(scratch, "image");
        disk.imageInto(image, loss, random);
        const file = join(image, TOMBSTONES_FILE);
        const kept = existsSync(file) ? readFileSync(file, "latin1").split("\n") : [];
        for (const line of event.what as string[])
          if (!kept.includes(line)) lost.push(`${loss}: ${line}`);
        rmSync(image, { recursive: true });
      }
    }
    expect(moments).toBe(LINES + 1);
    return lost;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
