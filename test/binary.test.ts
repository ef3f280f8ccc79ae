import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "../deploy/build.ts";
import { version } from "../package.json" with { type: "json" };
import { COMMANDS } from "../src/commands/all.ts";
import { describeMainLoop } from "./support/main-loop.ts";
import { atNight, fewByDay, nightlyTest } from "./support/nightly.ts";
import { type Program, run, scratchFolder, serve, until } from "./support/process.ts";
import { missingProgram, PROGRAMS, testsUnlessMissing } from "./support/system-programs.ts";
import { json } from "./support/world.ts";

// The one file, alone in a folder on a machine that has nothing else, beside files that would change a Bun program.

const PATH = process.env["PATH"] ?? "";
const folder = scratchFolder();
afterAll(folder.forget);
const program: Program = { command: [join(folder.path, "pet-alert")], cwd: folder.path };
await build(join(folder.path, "pet-alert"), "this machine");
await Bun.write(
  join(folder.path, ".env"),
  "PORT=none\nDATABASE_URL=postgres://elsewhere\nSITE_NAME=Hostile\n",
);
await Bun.write(join(folder.path, "bunfig.toml"), 'preload = ["./hostile.ts"]\n');
await Bun.write(join(folder.path, "hostile.ts"), 'console.log("Hostile"); process.exit(9);\n');

const nightlyAgeTest = atNight(testsUnlessMissing(missingProgram(PROGRAMS.age)).test);

describeMainLoop("the one file", program);

describe("the one file", () => {
  test("is all that the build leaves", () => {
    expect(readdirSync(folder.path).toSorted()).toEqual([
      ".env",
      "bunfig.toml",
      "hostile.ts",
      "pet-alert",
    ]);
  });

  test("says its version, as its health and its server card do, and carries styles, scripts and icon inside", async () => {
    const served = await serve(join(folder.path, "version"), {}, program);

    for (const word of ["--version", "-v"])
      expect(await run(program, [word])).toEqual({ code: 0, said: `${version}\n`, errors: "" });
    expect(served.said()).toStartWith(`Pet Alert ${version}\n`);
    expect((await json(served.fetch("/healthz"))).version).toBe(version);
    expect((await json(served.fetch("/api/mcp/server-card"))).version).toBe(version);
    const page = await (await served.fetch("/")).text();
    const parts = [...page.matchAll(/(?:href|src)="(\/[\w/.-]+\.(?:css|js|svg)(?:\?v=\w+)?)"/g)];
    expect(parts.length).toBeGreaterThan(1);
    for (const [, part = ""] of parts) {
      const answer = await served.fetch(part);
      expect([part, answer.status]).toEqual([part, 200]);
      expect((await answer.bytes()).length).toBeGreaterThan(100);
    }
    expect(await served.stop()).toBe(0);
  });

  test("lists its commands, which explain their usage", async () => {
    const overview = await run(program, ["--help"]);

    expect(overview.code).toBe(0);
    expect(overview.said).toStartWith("Usage: pet-alert [COMMAND] [OPTIONS]\n");
    const width = Math.max(...COMMANDS.map(({ name }) => name.length));
    for (const { name, summary } of COMMANDS)
      expect(overview.said).toContain(`  ${name.padEnd(width)}  ${summary}\n`);
    expect(await run(program, ["help"])).toEqual(overview);
    for (const { name } of fewByDay(COMMANDS)) {
      const help = await run(program, [name, "--help"]);
      expect([name, help.code]).toEqual([name, 0]);
      expect(help.said).toStartWith(
        name === "serve" ? "Usage: pet-alert [serve]" : `Usage: pet-alert ${name}`,
      );
      expect(await run(program, ["help", name])).toEqual(help);
    }
  });

  test.each([
    [["modrate", "list"], 'There is no command "modrate". Did you mean moderate?\n'],
    [["serve", "--prot", "80"], "Usage: pet-alert [serve]"],
    [["import", "table.csv"], "import needs --email"],
  ])("ends with 2 for %j", async (words, sentence) => {
    expect(await run(program, words)).toMatchObject({
      code: 2,
      said: "",
      errors: expect.stringContaining(sentence),
    });
  });

  test("ends with 1 and a sentence for what cannot be", async () => {
    expect(await run(program, ["serve"], { PORT: "none" })).toEqual({
      code: 1,
      said: "",
      errors: 'The setting PORT must be a whole number from 1 to 65535, not "none".\n',
    });
  });

  nightlyTest(
    "backs up while it serves, and gives the same answers where the backup is restored",
    async () => {
      const [home, copy, other] = ["home", "copy", "other"].map((name) => join(folder.path, name));
      if (home === undefined || copy === undefined || other === undefined) throw new Error();
      mkdirSync(other);
      await run(program, ["demo", "Lyon", "--count", "40", "--pictures", "4"], {
        DATA_DIR: home,
      });
      const asked = "/api/v1/alerts?lat=45.75&lng=4.85&radius_km=50&limit=40";

      const first = await serve(home, { BASE_URL: "https://pets.example.org" }, program);
      const answer = await json(first.fetch(asked));
      const backedUp = await run(program, ["backup", copy], { DATA_DIR: home });
      expect(await first.stop()).toBe(0);
      const tried = await run(program, ["restore", copy, "--dry-run"], { DATA_DIR: other });
      const restored = await run(program, ["restore", copy], { DATA_DIR: other });
      const second = await serve(other, { BASE_URL: "https://pets.example.org" }, program);

      expect(answer.alerts.length).toBeGreaterThan(20);
      expect(answer.alerts.flatMap(({ photos }: { photos: string[] }) => photos)).not.toEqual([]);
      expect(await json(second.fetch(asked))).toEqual(answer);
      expect(await second.stop()).toBe(0);
      for (const { code, said, errors } of [backedUp, tried, restored]) {
        expect([code, errors]).toEqual([0, ""]);
        expect(said).toContain("40 alerts");
      }
      expect(existsSync(join(other, "secret.key"))).toBe(true);
    },
    600_000,
  );

  nightlyAgeTest(
    "copies its backup to another place, where age reads it and from where the whole service comes back",
    async () => {
      const [disk, key] = [join(folder.path, "disk"), join(folder.path, "copies.key")];
      const [home, other] = [join(folder.path, "copied"), join(folder.path, "back")];
      mkdirSync(disk);
      await run(program, ["demo", "Lyon", "--count", "7", "--pictures", "2"], { DATA_DIR: home });
      const made = await run(program, ["backup", "key", key]);
      const publicKey = /BACKUP_COPY_KEY=(\S+)/.exec(made.said)?.[1] ?? "";
      const place = { BACKUP_COPY_URL: disk };

      const settings = { ...place, BACKUP_COPY_KEY: publicKey, BACKUP_KEEP: "1" };
      const served = await serve(home, settings, program);
      await until(() => /"event":"backup_copy(_failed)?"/.test(served.errors()));
      expect(await served.stop()).toBe(0);
      const listed = await run(program, ["backup", "copies"], { ...place, DATA_DIR: home });
      const back = await run(program, ["restore", "--copy", "latest", "--key", key], {
        ...place,
        DATA_DIR: other,
      });

      expect(listed.said).toMatch(/^\S+Z {2}newest\n$/);
      expect([back.code, back.errors]).toEqual([0, ""]);
      expect(back.said).toContain("The backup is sound: 7 alerts, 0 zones");
      const names = ["secret.key", "photos"].map((name) => join(other, name));
      expect(names.every(existsSync)).toBe(true);
      const photosOf = (folder: string) => readdirSync(join(folder, "photos")).toSorted();
      expect(photosOf(other)).toEqual(photosOf(home));
      const [copy = ""] = readdirSync(join(disk, "copies"));
      const read = `cat ${join(disk, "copies", copy)}/0* | age -d -i ${key} | tar t`;
      expect(
        (await run({ command: ["sh", "-c", read], cwd: folder.path }, [], { PATH })).said,
      ).toBe("pet-alert.sqlite\nsecret.key\nphotos.txt\n");
    },
    120_000,
  );
});
