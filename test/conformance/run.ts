import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "../support/process.ts";

// `bun run conformance`: runs the MCP conformance suite and the MCP inspector against the real program. Both are
// installed into a scratch folder, because they have hundreds of dependencies that nothing else needs.

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const REVISION = "2025-11-25";

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
const baseline = resolve(import.meta.dir, "baseline.yml");
const codes = {
  install: await run(["add", "--exact", "--silent", SUITE, INSPECTOR]),
  conformance: await run([
    "--bun",
    "node_modules/.bin/conformance",
    "server",
    "--url",
    url,
    "--requirements",
    REVISION,
    "--expected-failures",
    baseline,
  ]),
  inspector: await run([
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
  ]),
  serve: await served.stop(),
};
rmSync(tools, { recursive: true, force: true });
console.log(
  `\nconformance: ${Object.entries(codes)
    .map(([name, code]) => `${name} ${code === 0 ? "passed" : `failed (${code})`}`)
    .join(", ")}`,
);
process.exitCode = Object.values(codes).every((code) => code === 0) ? 0 : 1;
