import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build, TARGETS, thisMachine } from "../deploy/build.ts";
import { generatePrivateKey, publicKeyOf } from "../deploy/signature.ts";
import { version } from "../package.json" with { type: "json" };
import { asVersion, writeSignedRelease } from "./support/signed-release.ts";
import { missingProgram, PROGRAMS, testsUnlessMissing } from "./support/system-programs.ts";
import { type Program, run, scratchFolder, serve } from "./support/process.ts";

// The whole way of an operator, with real programs: install, update, go back. Releases lie on a server of the tests and are
// signed with a key of theirs.

const NEWER = "99.0.0";
const FILE = TARGETS[thisMachine()];
const scratch = scratchFolder();
const releases = join(scratch.path, "releases");
const bin = join(scratch.path, "bin");
const dataDir = join(scratch.path, "data");
const privateKey = generatePrivateKey();
const source = { url: "", publicKey: publicKeyOf(privateKey) };
const program: Program = { command: [join(bin, "pet-alert")], cwd: scratch.path };
const env = { PATH: process.env["PATH"] ?? "", HOME: scratch.path, DATA_DIR: dataDir };
let server: Bun.Server<undefined>;

beforeAll(async () => {
  mkdirSync(releases);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const file = Bun.file(join(releases, new URL(request.url).pathname));
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 });
    },
  });
  source.url = `http://127.0.0.1:${server.port}`;
  await build(join(scratch.path, "older"), "this machine", { releases: source });
  await build(join(scratch.path, "newer"), "this machine", {
    releases: source,
    plugins: [asVersion(NEWER)],
  });
  await publish("older", version);
}, 120_000);
afterAll(async () => {
  await server.stop(true);
  scratch.forget();
});

async function publish(built: string, number: string): Promise<void> {
  copyFileSync(join(scratch.path, built), join(releases, FILE));
  await writeSignedRelease(releases, privateKey, { releases: source, versionOfRelease: number });
}

const install = (...args: string[]) =>
  run({ command: ["sh", join(releases, "install.sh")], cwd: scratch.path }, args, env);
const versionOf = async (file: string) =>
  (await run({ command: [file], cwd: scratch.path }, ["--version"])).said.trim();

const installerTests = testsUnlessMissing(
  missingProgram({ names: ["curl", "wget"], debianPackages: ["curl"] }),
  missingProgram(PROGRAMS.openssl),
);

installerTests.describe("the installer", () => {
  test("installs the file for this system into a folder", async () => {
    const { code, said, errors } = await install("--to", bin);

    expect(errors).toBe("");
    expect(code).toBe(0);
    expect(said).toContain(`Pet Alert ${version} is installed: ${join(bin, "pet-alert")}`);
    expect(said).toContain("is not in your PATH");
    expect(readdirSync(bin)).toEqual(["pet-alert"]);
  });

  test.each([
    ["SHA256SUMS.sig", "does not carry the signature of Pet Alert's makers"],
    [FILE, "was cut off on its way"],
  ])("refuses a release whose %s was changed", async (name, sentence) => {
    const file = join(releases, name);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length - 1));
    try {
      const { code, errors } = await install("--to", join(scratch.path, "elsewhere"));

      expect(errors).toContain(sentence);
      expect(code).toBe(1);
      expect(existsSync(join(scratch.path, "elsewhere"))).toBe(false);
    } finally {
      writeFileSync(file, bytes);
    }
  });

  test.each([
    ["LibreSSL, which macOS has", "LibreSSL 3.3.6"],
    ["no OpenSSL", null],
  ])("stops where the signature cannot be checked, with %s", async (_, says) => {
    const programs = join(scratch.path, "programs");
    rmSync(programs, { recursive: true, force: true });
    mkdirSync(programs);
    const names = ["curl", "wget", "mktemp", "rm", "uname", "ls", "id", "sed", "sha256sum", "cut"];
    for (const name of [...names, "cp", "mkdir", "mv", "chmod", "cat"]) {
      const file = Bun.which(name);
      if (file !== null) symlinkSync(file, join(programs, name));
    }
    if (says !== null)
      writeFileSync(join(programs, "openssl"), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
    const to = join(scratch.path, "unchecked");
    const shell = { command: ["/bin/sh", join(releases, "install.sh")], cwd: scratch.path };

    const { code, errors } = await run(shell, ["--to", to], { ...env, PATH: programs });

    expect(errors).toContain("OpenSSL 3");
    expect(errors).toContain("Nothing was installed");
    expect(code).toBe(1);
    expect(existsSync(to)).toBe(false);
  });

  test("that was cut off on its way does nothing", async () => {
    const whole = readFileSync(join(releases, "install.sh"), "utf8");
    for (const share of [0.5, 0.99]) {
      const cut = join(scratch.path, "cut.sh");
      writeFileSync(cut, whole.slice(0, whole.length * share));
      await run(
        { command: ["sh", cut], cwd: scratch.path },
        ["--to", join(scratch.path, "cut")],
        env,
      );
      expect(existsSync(join(scratch.path, "cut"))).toBe(false);
    }
  });

  test("is a POSIX shell script", async () => {
    const { code, errors } = await run(
      { command: ["dash", "-n", join(releases, "install.sh")], cwd: scratch.path },
      [],
      env,
    );
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
  });
});

describe("an installed program", () => {
  test("updates itself, and serves the data it had", async () => {
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin);
    copyFileSync(join(scratch.path, "older"), join(bin, "pet-alert"));
    await run(program, ["demo", "Lyon", "--count", "5", "--pictures", "1"], env);
    const before = await serve(dataDir, {}, program);
    expect((await run(program, ["update"], env)).said).toContain("is up to date");

    await publish("newer", NEWER);
    // The service may be running.
    const updated = await run(program, ["update"], env);
    expect(updated.errors).toBe("");
    expect(updated.said).toContain(`Version ${NEWER} is installed, and ${version} is kept`);
    expect(await before.stop()).toBe(0);
    expect(await versionOf(join(bin, "pet-alert"))).toBe(NEWER);
    expect(await versionOf(join(bin, "pet-alert.old"))).toBe(version);

    const after = await serve(dataDir, {}, program);
    const { alerts } = (await (await after.fetch("/api/v1/alerts")).json()) as {
      alerts: unknown[];
    };
    expect(alerts).toHaveLength(5);
    expect(await after.stop()).toBe(0);
    expect(readdirSync(bin).toSorted()).toEqual(["pet-alert", "pet-alert.old"]);
  }, 120_000);
});

describe("a release", () => {
  test("lists what the program is made of", () => {
    const bill = JSON.parse(readFileSync(join(releases, "pet-alert.cdx.json"), "utf8"));
    const names = bill.components.map(({ name }: { name: string }) => name);

    expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    for (const name of ["hono", "zod", "nodemailer", "@noble/ciphers", "bun"])
      expect(names).toContain(name);
    for (const name of ["oxlint", "playwright-core", "fauxqs"]) expect(names).not.toContain(name);
  });
});
