import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "../support/process.ts";

// `bun run lint:api`: runs Spectral and Redocly on the description that the real program serves; warnings count as failures.
// They are installed into a scratch folder, because they have hundreds of dependencies that nothing else needs.

const LINTERS = ["@stoplight/spectral-cli@6.16.3", "@redocly/cli@2.77.0"];

const scratch = mkdtempSync(join(tmpdir(), "pet-alert-openapi-"));
await Bun.write(join(scratch, "package.json"), "{}");
const run = async (command: readonly string[]) =>
  Bun.spawn([process.execPath, ...command], {
    cwd: scratch,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdout: "inherit",
    stderr: "inherit",
  }).exited;

const served = await serve(join(scratch, "data"));
await Bun.write(
  join(scratch, "openapi.json"),
  await (await fetch(`${served.baseUrl}/api/openapi.json`)).text(),
);
const codes = [
  await run(["add", "--exact", "--silent", ...LINTERS]),
  await run([
    "--bun",
    "node_modules/.bin/spectral",
    "lint",
    "openapi.json",
    "--ruleset",
    resolve(import.meta.dir, "spectral.yml"),
    "--fail-severity",
    "hint",
  ]),
  await run([
    "--bun",
    "node_modules/.bin/redocly",
    "lint",
    "openapi.json",
    "--config",
    resolve(import.meta.dir, "redocly.yml"),
  ]),
  await served.stop(),
];
rmSync(scratch, { recursive: true, force: true });
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
