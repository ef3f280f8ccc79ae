import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, publicKeyOf } from "../../deploy/signature.ts";
import { createUpdate } from "../../src/commands/update.ts";
import { version } from "../../package.json" with { type: "json" };
import { writeSignedRelease } from "../support/signed-release.ts";
import { openSmallDisk } from "../support/disk.ts";
import { testsUnlessMissing } from "../support/system-programs.ts";
import { openShell, type Shell } from "./shell.ts";

// Programs here are scripts, as the command only starts them. test/release.test.ts updates the real one.

const FILE = "pet-alert-linux-x64";
const privateKey = generatePrivateKey();
const publicKey = publicKeyOf(privateKey);

let shell: Shell;
let program: string;
let releases: string;
let server: Bun.Server<undefined>;
let asked: string[];
/** Change to an answer on its way. */
let onTheWay: (name: string, bytes: Uint8Array) => Uint8Array;
beforeEach(async () => {
  shell = openShell();
  asked = [];
  onTheWay = (_, bytes) => bytes;
  mkdirSync(join(shell.folder, "bin"));
  program = join(shell.folder, "bin/pet-alert");
  writeFileSync(program, script(version), { mode: 0o755 });
  releases = join(shell.folder, "releases");
  server = Bun.serve({
    port: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      asked.push(name);
      const file = Bun.file(join(releases, name));
      if (!(await file.exists())) return new Response(null, { status: 404 });
      return new Response(onTheWay(name, await file.bytes()) as Uint8Array<ArrayBuffer>);
    },
  });
  await release("99.0.0");
});
afterEach(async () => {
  await server.stop(true);
  shell.end();
});

/** Program that says its version. */
function script(says: string): string {
  return `#!/bin/sh\nif [ "$1" = --version ]; then echo ${says}; fi\n`;
}

async function release(
  number: string,
  { text = script(number), key = privateKey }: { text?: string; key?: string } = {},
): Promise<void> {
  mkdirSync(releases, { recursive: true });
  writeFileSync(join(releases, FILE), text);
  await writeSignedRelease(releases, key, { releases: null, versionOfRelease: number });
}

const update = () =>
  createUpdate({ url: `http://127.0.0.1:${server.port}`, publicKey, file: FILE });
const run = (...args: string[]) => shell.run(update(), args, { program, settings: ENV });
const failing = (...args: string[]) => shell.failing(update(), args, { program, settings: ENV });
/** Environment that programs started by the command need. */
const ENV = { PATH: process.env["PATH"] ?? "" };
const installed = () => /echo (\S+);/.exec(readFileSync(program, "utf8"))?.[1];
/** Only the program, and nothing beside it that an update left. */
function expectNothingChanged(): void {
  expect(installed()).toBe(version);
  expect(readdirSync(join(shell.folder, "bin"))).toEqual(["pet-alert"]);
}

describe("an update", () => {
  test("replaces the program with the newest release, keeps the previous one, and says what to do next", async () => {
    const { said, code } = await run();

    expect(code).toBe(0);
    expect(said).toContain(
      `Version 99.0.0 is installed, and ${version} is kept as ${program}.old.`,
    );
    expect(installed()).toBe("99.0.0");
    expect(readFileSync(`${program}.old`, "utf8")).toBe(script(version));
    expect(readdirSync(join(shell.folder, "bin")).toSorted()).toEqual([
      "pet-alert",
      "pet-alert.old",
    ]);
  });

  test("to a program that does not run here, or is another version, changes nothing", async () => {
    await release("99.0.0", { text: script("98.0.0") });

    expect(await failing()).toContain("The new program does not run on this machine");
    expectNothingChanged();
  });

  test.each(["0.0.1", version])("to the release %s is not needed", async (number) => {
    await release(number);

    expect((await run()).said).toBe(
      `Version ${version} is up to date: the newest release is ${number}.`,
    );
    expectNothingChanged();
  });

  test("can be asked for without being made", async () => {
    expect((await run("--check")).said).toBe(
      `Version 99.0.0 is available; this is ${version}. pet-alert update installs it.`,
    );
    expect(asked).not.toContain(FILE);
    expectNothingChanged();
  });

  test("signed with another key is refused before the program is downloaded", async () => {
    await release("99.0.0", { key: generatePrivateKey() });

    expect(await failing()).toContain("does not carry the signature of this program's makers");
    expect(asked).not.toContain(FILE);
    expectNothingChanged();
  });

  test.each(["SHA256SUMS", "SHA256SUMS.sig", "VERSION", FILE])(
    "whose %s was changed or cut on its way is refused",
    async (changed) => {
      for (const change of [
        (bytes: Uint8Array) => bytes.with(3, bytes[3]! ^ 1),
        (bytes: Uint8Array) => bytes.slice(0, -3),
      ]) {
        onTheWay = (name, bytes) => (name === changed ? change(bytes) : bytes);

        expect(await failing()).toMatch(
          /signature of this program's makers|was cut off on its way/,
        );
        expectNothingChanged();
      }
    },
  );

  test("from a server that is gone, or has nothing for this system, says so", async () => {
    const other = createUpdate({
      url: `http://127.0.0.1:${server.port}`,
      publicKey,
      file: "pet-alert-amiga",
    });
    expect(await shell.failing(other, [], { program })).toBe(
      "The newest release has no file for this system (pet-alert-amiga).",
    );

    await server.stop(true);
    expect(await failing()).toContain("Is this machine online?");
    expectNothingChanged();
  });

  test("of a clone is refused", async () => {
    expect(await shell.failing(update(), [], { program: null })).toContain("git pull");
  });
});

const isLinuxRoot = process.platform === "linux" && process.getuid?.() === 0;
const disks = testsUnlessMissing(
  isLinuxRoot ? null : "These tests mount a disk, which needs root on Linux.",
);

disks.describe("an update of a program on a disk of its own", () => {
  disks.test("that is full changes nothing", async () => {
    const disk = await openSmallDisk(join(shell.folder, "disk"), 8);
    if (disk === null) throw new Error("no disk could be mounted");
    try {
      const there = join(disk.path, "pet-alert");
      writeFileSync(there, script(version), { mode: 0o755 });
      await release("99.0.0", { text: script("99.0.0") + "#".repeat(16 * 1024 * 1024) });

      expect(await shell.failing(update(), [], { program: there, settings: ENV })).toContain(
        "is full. Nothing was changed",
      );
      expect(readdirSync(disk.path).filter((name) => name.startsWith("pet-alert"))).toEqual([
        "pet-alert",
      ]);
    } finally {
      await disk.unmount();
    }
  });
});
