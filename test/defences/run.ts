import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PART_VARIABLE } from "../chaos/fault.ts";
import { without } from "../chaos/weakened.ts";
import { AGAINST_ABUSE } from "./abuse.ts";
import type { Defence } from "./defence.ts";
import { AGAINST_FAULTS } from "./faults.ts";
import { AGAINST_NODE_FAULTS } from "./node-faults.ts";

const USAGE = `Usage: bun run test:defences [WORDS...]

Takes each defence out of a copy of the program, and runs the test or the fault that must notice. WORDS choose those whose
name, test or fault contains one of them.`;

/** Defences at once. */
const LANES = 2;
/** Part of the usual kills and cuts: without a defence few are enough. */
const PART = "0.2";
const MINUTES = "0.2";
/** A test or fault that takes longer has hung. */
const SECONDS_MAX = 600;

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: { help: { type: "boolean", default: false } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const chosen = [...AGAINST_ABUSE, ...AGAINST_FAULTS, ...AGAINST_NODE_FAULTS].filter(
  ({ name, noticedBy }) =>
    positionals.length === 0 ||
    positionals.some((word) => `${name} ${Object.values(noticedBy).join(" ")}`.includes(word)),
);
const left = chosen.values();
let missed = 0;
const lane = async () => {
  for (const defence of left) {
    const output = await noticed(defence);
    const where = Object.values(defence.noticedBy).slice(1).join(": ");
    console.log(`${output === null ? "noticed" : "MISSED "}  ${defence.name} (${where})`);
    if (output === null) continue;
    missed += 1;
    console.log(output.split("\n").slice(-40).join("\n"));
  }
};
await Promise.all(Array.from({ length: LANES }, lane));
console.log(`${chosen.length - missed} passed, ${missed} failed`);
process.exitCode = chosen.length > 0 && missed === 0 ? 0 : 1;

/** Null, or the output of what should have noticed that the defence is missing. */
function noticed({ off, noticedBy }: Defence): Promise<string | null> {
  return without(off, async ({ root }) => {
    await keepLimitsOfTests(root);
    const scratch = mkdtempSync(join(tmpdir(), "pet-alert-defence-"));
    const command =
      noticedBy.kind === "test"
        ? ["test", "--timeout", "600000", `./${noticedBy.file}`, "-t", escaped(noticedBy.name)]
        : [
            noticedBy.kind === "fault" ? "test/chaos/run.ts" : "test/nodes/run.ts",
            "--seed",
            "1",
            "--minutes",
            MINUTES,
            noticedBy.name,
          ];
    const child = Bun.spawn([process.execPath, "--no-orphans", ...command], {
      cwd: root,
      env: { ...process.env, [PART_VARIABLE]: PART, TMPDIR: scratch },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: SECONDS_MAX * 1_000,
    });
    const output = (
      await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    ).join("\n");
    const code = await child.exited;
    rmSync(scratch, { recursive: true, force: true });
    return code !== 0 && (await isNoticed(root, noticedBy, output)) ? null : output;
  });
}

/** Tests go on to expect the limits of the program as it is. */
async function keepLimitsOfTests(root: string): Promise<void> {
  if (!existsSync(join(root, "src/core/caps.original1.ts"))) return;
  for await (const file of new Bun.Glob("test/**/*.ts").scan(root)) {
    const text = await Bun.file(join(root, file)).text();
    const kept = text.replaceAll("/src/core/caps.ts", "/src/core/caps.original1.ts");
    if (kept !== text) await Bun.write(join(root, file), kept);
  }
}

/** True if a promise was broken: not if something went wrong otherwise, such as that the copy does not start. */
async function isNoticed(
  root: string,
  { kind }: Defence["noticedBy"],
  output: string,
): Promise<boolean> {
  if (kind === "test") return output.includes("(fail)") && /^error: .*expect\(/m.test(output);
  const folder = kind === "fault" ? "chaos" : "nodes";
  const { results } = await Bun.file(join(root, "test", folder, "results.json")).json();
  return results[0].kind === "ran" && results[0].outcome.failures.length > 0;
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
