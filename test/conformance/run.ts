import { YAML } from "bun";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "../support/process.ts";

// `bun run conformance`: runs the MCP conformance suite, once for each set of requirements, and the MCP inspector
// against the real program. Both are installed into a scratch folder, because they have hundreds of dependencies that
// nothing else needs. What fails must be what the baseline lists: no scenario more, and none less.

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const REVISIONS = ["2025-11-25", "2026-07-28"];

const tools = mkdtempSync(join(tmpdir(), "pet-alert-conformance-"));
await Bun.write(join(tools, "package.json"), "{}");
const run = async (command: readonly string[]) => {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: tools,
    env: { ...process.env, MCP_CATALOG_PATH: join(tools, "catalog.json") },
    stdout: "inherit",
    stderr: "inherit",
  });
  return child.exited;
};

const served = await serve(join(tools, "data"));
const url = `${served.baseUrl}/api/mcp`;
const codes: Record<string, number> = {
  install: await run(["add", "--exact", "--silent", SUITE, INSPECTOR]),
};
for (const revision of REVISIONS) {
  const results = join(tools, revision);
  const baseline = resolve(import.meta.dir, `baseline-${revision}.yml`);
  codes[revision] = await run([
    "--bun",
    "node_modules/.bin/conformance",
    "server",
    "--url",
    url,
    "--requirements",
    revision,
    "--expected-failures",
    baseline,
    "--output-dir",
    results,
  ]);
  // The suite overlooks scenarios that it does not score, such as those of extensions.
  const { server: listed } = YAML.parse(await Bun.file(baseline).text()) as { server: string[] };
  const failing = await failingScenarios(results);
  const wrong = [...failing.symmetricDifference(new Set(listed))];
  if (wrong.length > 0) {
    console.error(`${revision}: baseline and failures differ in ${wrong.join(", ")}`);
    codes[revision] ||= 1;
  }
}
codes["inspector"] = await run([
  "--bun",
  "node_modules/.bin/inspector",
  "--cli",
  url,
  "--transport",
  "http",
  "--method",
  "tools/list",
  "--strict",
  "--format",
  "json",
]);
codes["serve"] = await served.stop();
rmSync(tools, { recursive: true, force: true });
console.log(
  `\nconformance: ${Object.entries(codes)
    .map(([name, code]) => `${name} ${code === 0 ? "passed" : `failed (${code})`}`)
    .join(", ")}`,
);
process.exitCode = Object.values(codes).every((code) => code === 0) ? 0 : 1;

/** Names of the scenarios with a check that failed or warned. */
async function failingScenarios(results: string): Promise<Set<string>> {
  const failing = new Set<string>();
  for (const folder of readdirSync(results)) {
    const name = /^server-(.*)-\d{4}-\d\d-\d\dT[^/]*$/.exec(folder)?.[1] ?? folder;
    const checks: { status: string }[] = await Bun.file(
      join(results, folder, "checks.json"),
    ).json();
    if (checks.some(({ status }) => status === "FAILURE" || status === "WARNING"))
      failing.add(name);
  }
  return failing;
}
