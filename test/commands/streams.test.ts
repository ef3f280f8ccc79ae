import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { backup, restoreBackup } from "../../src/commands/backup.ts";
import { demo } from "../../src/commands/demo.ts";
import { exportTable } from "../../src/commands/export.ts";
import { importTable } from "../../src/commands/import.ts";
import { importLinks } from "../../src/commands/links.ts";
import { FROM_SOURCES } from "../support/process.ts";
import { bytesIn } from "../support/disk.ts";
import { get, openShell, type Shell } from "./shell.ts";
import { csv, FOUND_CAT, importing, LOST_DOG, OWNER, tableOf } from "./shelter.ts";

const PICTURE = `${"0".repeat(31)}1.webp`;

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

const elsewhere = () => ({ DATA_DIR: join(shell.folder, "elsewhere") });

describe("with - in place of a name", () => {
  test("export writes nothing but the table to standard output, and its words beside it", async () => {
    await shell.run(demo, ["Lyon", "--count", "3", "--pictures", "0"]);

    const table = await shell.run(exportTable, ["-"]);
    const lines = await shell.run(exportTable, ["-", "--format", "jsonl"]);

    expect(parse(table.written.toString(), { columns: true })).toHaveLength(3);
    expect(
      lines.written
        .toString()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).status),
    ).toEqual(["active", "active", "active"]);
    expect([table.code, table.said, table.aside]).toEqual([
      0,
      "",
      "Wrote 3 alerts to standard output.",
    ]);
    expect(await shell.failing(exportTable, ["-", "--format", "xml"])).toContain(
      "--format must be csv or jsonl",
    );
  });

  test("import reads the table from standard input, and writes links and nothing else to standard output", async () => {
    const input = csv([LOST_DOG, FOUND_CAT]);

    const { code, said, aside, written } = await shell.run(
      importTable,
      ["-", ...OWNER, "--yes", "--links", "-"],
      { input },
    );

    const rows: Record<string, string>[] = parse(written.toString(), { columns: true });
    expect(rows.map((row) => row["external_id"])).toEqual(["X1", "X2"]);
    expect([code, said]).toEqual([0, ""]);
    expect(aside).toContain("Published: 1 lost, 1 found.");
    expect(await shell.alerts()).toHaveLength(2);
  });

  test("import asks nobody, and says so before it publishes", async () => {
    const typed = { input: csv([LOST_DOG]), answer: "y" };

    expect(await shell.failing(importTable, ["-", ...OWNER], typed)).toContain("add --yes");
    expect(await shell.failing(importTable, ["-", ...OWNER, "--yes"], { input: "" })).toBe(
      "Standard input is empty.",
    );
    expect(await shell.alerts()).toEqual([]);
  });

  test("a backup goes out and comes back whole", async () => {
    await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "0"]);
    writeFileSync(join(shell.dataDir, "photos", PICTURE), "picture ".repeat(300_000));
    await shell.look(async ({ store, clock }) => {
      const [first] = await store.alertsAfter(null, 1);
      await store.removeAlert(first!.id, clock());
    });

    const out = await shell.run(backup, ["-"]);
    const dry = await shell.run(restoreBackup, ["-", "--dry-run"], {
      input: out.written,
      settings: elsewhere(),
    });
    const back = await shell.run(restoreBackup, ["-"], {
      input: out.written,
      settings: elsewhere(),
    });

    expect([out.code, out.said]).toEqual([0, ""]);
    expect(out.aside).toContain("20 alerts, 0 zones, 1 photo; database ");
    expect(readdirSync(join(shell.dataDir, "backups"))).toEqual([]);
    expect(dry.said).toContain("The backup is sound: 20 alerts, 0 zones, 1 photo");
    expect(back.said).toContain("Restored into ");
    expect(await shell.alerts(elsewhere())).toEqual(await shell.alerts());
    const copied = elsewhere().DATA_DIR;
    for (const file of ["secret.key", "erased.list", join("photos", PICTURE)])
      expect(readFileSync(join(copied, file))).toEqual(readFileSync(join(shell.dataDir, file)));
    expect(readdirSync(copied).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("a backup is read by tar, and one that tar made is taken", async () => {
    await shell.run(demo, ["Lyon", "--count", "2", "--pictures", "0"]);
    writeFileSync(join(shell.dataDir, "photos", PICTURE), "picture");
    const { written } = await shell.run(backup, ["-"]);
    const unpacked = join(shell.folder, "unpacked");
    mkdirSync(unpacked);

    await tar(["-xf", "-", "-C", unpacked], written);
    const again = await tar(["-cf", "-", "-C", unpacked, "."]);

    expect((await shell.run(restoreBackup, [unpacked, "--dry-run"])).said).toContain(
      "2 alerts, 0 zones, 1 photo",
    );
    expect((await shell.run(restoreBackup, ["-", "--dry-run"], { input: again })).said).toContain(
      "2 alerts, 0 zones, 1 photo",
    );
  });

  test("private data is not written to a terminal", async () => {
    await importing(shell, LOST_DOG);
    const table = await tableOf(shell, FOUND_CAT);

    for (const [command, words] of [
      [backup, ["-"]],
      [importLinks, [...OWNER, "-"]],
      [importTable, [table, ...OWNER, "--yes", "--links", "-"]],
    ] as const)
      expect(await shell.failing(command, words, { isTerminal: true })).toContain(
        "Private data is not written to a terminal",
      );
    expect(await shell.alerts()).toHaveLength(1);
  });
});

describe("an archive that is no backup", () => {
  let good: Buffer;
  beforeEach(async () => {
    await shell.run(demo, ["Lyon", "--count", "2", "--pictures", "0"]);
    good = (await shell.run(backup, ["-"])).written;
  });

  /** What tar makes of a folder that holds this. */
  async function archive(fill: (folder: string) => void, ...words: readonly string[]) {
    const folder = join(shell.folder, "archived");
    mkdirSync(folder);
    fill(folder);
    return tar(["-cf", "-", ...words, "-C", folder, "."]);
  }
  const refusal = (input: Uint8Array) =>
    shell.failing(restoreBackup, ["-"], { input, settings: elsewhere() });

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, string]>([
    ["nothing", () => Buffer.alloc(0), "it is truncated"],
    [
      "text",
      () => Buffer.from("hello ".repeat(1_000)),
      "it is not a tar archive, or it is damaged",
    ],
    ["the first half of one", () => good.subarray(0, good.length / 2), "it is truncated"],
    ["the same name twice", () => Buffer.concat([good.subarray(0, -1024), good]), "twice"],
    [
      "a symbolic link",
      () => archive((folder) => symlinkSync("/etc/passwd", join(folder, "secret.key"))),
      "./secret.key in it is not a plain file",
    ],
    [
      "another name",
      () => archive((folder) => writeFileSync(join(folder, "control.sock"), "x")),
      "it contains ./control.sock, which is not part of a backup",
    ],
    [
      "a path that leads out",
      () =>
        archive(
          (folder) => writeFileSync(join(folder, "secret.key"), "x"),
          "-P",
          "--transform=s,^\\./secret,photos/../../secret,",
        ),
      "which is not part of a backup",
    ],
  ])("but %s is refused in a sentence, and leaves nothing", async (_what, input, sentence) => {
    const said = await refusal(await input());

    expect(said).toStartWith("Standard input is not a backup: ");
    expect(said).toContain(sentence);
    expect(readdirSync(elsewhere().DATA_DIR)).toEqual([]);
  });
});

describe("links", () => {
  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true });

  test("of imported alerts are written again, the same as at the import, while the service runs", async () => {
    const first = join(shell.folder, "first.csv");
    const table = await tableOf(shell, LOST_DOG, FOUND_CAT);
    await shell.run(importTable, [table, ...OWNER, "--yes", "--links", first]);
    const again = join(shell.folder, "again.csv");

    const { code, said } = await shell.look(async (app) => {
      const outcome = await shell.run(importLinks, [...OWNER, again]);
      for (const { manage_link } of rowsOf(readFileSync(again, "utf8")))
        expect((await get(app, manage_link ?? "")).status).toBe(200);
      return outcome;
    });

    expect(readFileSync(again, "utf8")).toBe(readFileSync(first, "utf8"));
    expect(statSync(again).mode & 0o777).toBe(0o600);
    expect([code, said]).toEqual([
      0,
      `Wrote 2 links to ${again}. Anyone who has a link can edit and end its alert.`,
    ]);
    expect(said).not.toContain("/manage/");
  });

  test("of what people published themselves, or what others imported, are given to nobody", async () => {
    await importing(shell, LOST_DOG);
    await shell.run(importTable, [
      await tableOf(shell, FOUND_CAT),
      "--email",
      "other@example.org",
      "--yes",
    ]);
    await shell.run(demo, ["Lyon", "--count", "3", "--pictures", "0"]);

    const mine = await shell.run(importLinks, [...OWNER, "-"]);
    const nobody = await shell.run(importLinks, ["--email", "anna@example.org", "-"]);
    const byMapping = await shell.run(importLinks, [...OWNER, "--mapping", "other", "-"]);

    expect(rowsOf(mine.written.toString()).map((row) => row["external_id"])).toEqual(["X1"]);
    expect(mine.aside).toContain(
      "1 imported alert has another owner and were left out: /manage emails their links to that owner only.",
    );
    expect([nobody.code, rowsOf(nobody.written.toString())]).toEqual([1, []]);
    expect(byMapping.code).toBe(1);
  });

  test("need the key of the folder, and make none", async () => {
    await importing(shell, LOST_DOG);
    rmSync(join(shell.dataDir, "secret.key"));

    expect(await shell.failing(importLinks, [...OWNER, "-"])).toContain(
      "The key file secret.key is missing in",
    );
    expect(existsSync(join(shell.dataDir, "secret.key"))).toBe(false);
    expect(bytesIn(shell.dataDir)).toContain("shelter@example.org");
  });
});

describe("a name in a /tmp that the caller does not see", () => {
  const SENTENCE =
    "/tmp/x.csv is not the file you see there: under systemd this command has its own private /tmp.";

  test("is refused, known by the unit's state directory", async () => {
    const typed = { settings: { STATE_DIRECTORY: "/var/lib/pet-alert" } };
    await importing(shell, LOST_DOG);
    const table = join(shell.folder, "table.csv");
    for (const [command, words] of [
      [exportTable, ["/tmp/x.csv"]],
      [importLinks, [...OWNER, "/tmp/x.csv"]],
      [importTable, ["/tmp/x.csv", ...OWNER, "--yes"]],
      [backup, ["/tmp/x.csv"]],
      [restoreBackup, ["/tmp/x.csv"]],
    ] as const)
      expect(await shell.failing(command, words, typed)).toContain(SENTENCE);
    expect(existsSync("/tmp/x.csv")).toBe(false);
    expect(existsSync(table)).toBe(true);
  });
});

describe("the program itself", () => {
  /** Runs a line of the shell in which $PROGRAM is the program. */
  async function sh(line: string) {
    const child = Bun.spawn(["bash", "-o", "pipefail", "-c", line], {
      cwd: FROM_SOURCES.cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        PROGRAM: FROM_SOURCES.command.join(" "),
        DATA_DIR: shell.dataDir,
        FOLDER: shell.folder,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [code, said, errors] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code, said, errors };
  }

  test("streams a backup into a restore", async () => {
    await shell.run(demo, ["Lyon", "--count", "100", "--pictures", "0"]);

    const { code, said, errors } = await sh(
      `$PROGRAM backup - | DATA_DIR=$FOLDER/elsewhere $PROGRAM restore -`,
    );

    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("Restored into") });
    expect(errors).toContain("Backed up and checked: standard output\n100 alerts");
    expect(await shell.alerts(elsewhere())).toEqual(await shell.alerts());
  });

  test.each([
    ["export -", "has exited"],
    ["backup -", "has exited"],
  ])("ends %s with 1 and a sentence when its reader goes", async (words, sentence) => {
    await shell.run(demo, ["Lyon", "--count", "1000", "--pictures", "0"]);

    const { code, errors } = await sh(`$PROGRAM ${words} | head -c 1 >/dev/null`);

    expect(code).toBe(1);
    expect(errors).toBe(
      `Standard output could not be written: the program reading it ${sentence}.\n`,
    );
  });

  test.each(["export -", "backup -"])(
    "ends %s with 1 and a sentence when the disk is full",
    async (words) => {
      await importing(shell, LOST_DOG);

      const { code, errors } = await sh(`$PROGRAM ${words} > /dev/full`);

      expect({ code, errors }).toEqual({
        code: 1,
        errors: "Standard output could not be written: the disk is full.\n",
      });
    },
  );

  test("publishes nothing where the table of links cannot even be begun", async () => {
    const table = await tableOf(shell, LOST_DOG);

    const { code, errors } = await sh(
      `$PROGRAM import ${table} --email shelter@example.org --yes --links - > /dev/full`,
    );

    expect(code).toBe(1);
    expect(errors).toContain("Standard output could not be written: the disk is full.");
    expect(await shell.alerts()).toEqual([]);
  });
});

/** Runs tar; gives its output. */
async function tar(words: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
  const child = Bun.spawn(["tar", ...words], {
    stdin: input === undefined ? "ignore" : Buffer.from(input),
    stdout: "pipe",
  });
  const bytes = await new Response(child.stdout).bytes();
  if ((await child.exited) !== 0) throw new Error("tar failed");
  return bytes;
}
