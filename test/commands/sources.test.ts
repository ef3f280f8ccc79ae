import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sources } from "../../src/commands/sources.ts";
import { FROM_SOURCES, run, serve, until } from "../support/process.ts";
import { openShell, type Shell, storedAlerts } from "./shell.ts";
import { csv, FOUND_CAT, LOST_DOG } from "./shelter.ts";

const SECRET = "sesame 4711";
const OWNER = "desk@shelter.example";
const ENTRY = { table: "https://a.example/table.csv", mapping: "king-county", owner: OWNER };
let shell: Shell;
let rows: (typeof LOST_DOG)[] = [LOST_DOG, FOUND_CAT];
let server: ReturnType<typeof Bun.serve>;
let requests = 0;
beforeEach(async () => {
  shell = openShell();
  rows = [LOST_DOG, FOUND_CAT];
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      requests++;
      return new URL(url).searchParams.get("key") === SECRET
        ? new Response(csv(rows))
        : new Response("no", { status: 403 });
    },
  });
  await Bun.write(join(shell.dataDir, "table.secret"), SECRET);
});
afterEach(async () => {
  await server.stop(true);
  shell.end();
});

const address = () => `http://127.0.0.1:${server.port}/table.csv?key={secret}`;
const adding = () => [
  "add",
  "--table",
  address(),
  "--mapping",
  "king-county",
  "--owner",
  OWNER,
  "--secret",
  "table.secret",
  "--private",
];
const listed = async () => {
  const { written } = await shell.run(sources, ["--json"]);
  return JSON.parse(written.toString());
};
const file = () => Bun.file(join(shell.dataDir, "sources.json"));

describe("pet-alert sources", () => {
  test("adds a table, tries it, reads it and lists it, without its secret", async () => {
    const added = await shell.run(sources, adding());
    const tried = await shell.run(sources, ["pull", "king-county", "--dry-run"]);
    const before = await shell.alerts();
    const pulled = await shell.run(sources, ["pull", "king-county"]);
    const { said } = await shell.run(sources, []);

    expect(added.said).toContain("Added the table king-county");
    expect(tried).toMatchObject({ code: 0, said: expect.stringContaining("2 would be published") });
    expect(before).toEqual([]);
    expect(pulled).toMatchObject({ code: 0, said: expect.stringContaining("2 published") });
    expect(await shell.alerts()).toHaveLength(2);
    expect(said).toContain("state           good");
    expect(said).toContain("alerts          2");
    expect(said + added.said + tried.said + pulled.said + (await file().text())).not.toContain(
      SECRET,
    );
    expect(await listed()).toMatchObject([
      { name: "king-county", owner: OWNER, every_minutes: 60, alerts: 2, problem: null },
    ]);
  });

  test("tells which towns it does not know, and takes the suggested ones if it may", async () => {
    rows = [LOST_DOG, { ...LOST_DOG, impound_no: "X2", City: "LYNWOOD" }];
    await shell.run(sources, [...adding(), "--place", "Kent, Washington"]);
    const tried = await shell.run(sources, ["pull", "king-county", "--dry-run"]);
    await shell.run(sources, [...adding(), "--name", "kind", "--accept-towns", "--language", "fr"]);
    const accepted = await shell.run(sources, ["pull", "kind", "--dry-run"]);

    expect(tried.said).toContain('there is no town "LYNWOOD" (did you mean Lynnwood?)');
    expect(accepted.said).toContain("2 would be published");
    expect(accepted.said).not.toContain("LYNWOOD");
    expect(await file().json()).toMatchObject([{}, { accept_towns: true, language: "fr" }]);
    await expect(shell.run(sources, [...adding(), "--language", "it"])).rejects.toThrow(
      "--language must be one of",
    );
  });

  test("removes a table with its alerts, and brings them back with it", async () => {
    await shell.run(sources, adding());
    await shell.run(sources, ["pull", "king-county"]);

    const no = await shell.run(sources, ["remove", "king-county"], { answer: "n" });
    const kept = await shell.alerts();
    const yes = await shell.run(sources, ["remove", "king-county", "--yes"]);
    const ended = await shell.alerts();
    await shell.run(sources, adding());
    await shell.run(sources, ["pull", "king-county"]);

    expect(no).toMatchObject({ code: 1, said: "Nothing was changed." });
    expect(kept).toHaveLength(2);
    expect(yes.said).toBe("Removed king-county, and ended 2 alerts.");
    expect(ended).toEqual([]);
    expect(await shell.alerts()).toHaveLength(2);
  });

  test("lets animals go that are really gone, on the operator's word", async () => {
    rows = Array.from({ length: 8 }, (_, nth) => ({ ...LOST_DOG, impound_no: `D${nth}` }));
    await shell.run(sources, adding());
    await shell.run(sources, ["pull", "king-county"]);
    rows = [LOST_DOG];

    const refused = await shell.run(sources, ["pull", "king-county"]);
    const problem = (await listed())[0].problem;
    for (let reads = 0; reads < 2; reads++)
      await shell.run(sources, ["pull", "king-county", "--accept-missing"]);

    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining("8 of 8 animals") });
    expect(problem).toMatchObject({ kind: "guard" });
    expect(await shell.alerts()).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ["no JSON", "[{", "is not valid JSON in line 1"],
    ["a comma too many", '[\n  {"table": "x"},\n]', "in line 3 or just before it"],
    ["a missing field", [{ table: "https://a.example/" }], "entry 1 mapping is missing"],
    ["an unknown field", [{ ...ENTRY, pasword: "x" }], "entry 1 pasword is not a known key"],
    ["one name twice", [ENTRY, ENTRY], 'entry 2 has the name "king-county", as entry 1 has'],
    [
      "a password in the address",
      [{ ...ENTRY, table: "https://u:p@a.example/" }],
      "before the host",
    ],
    [
      "no such secret",
      [{ ...ENTRY, secret: "s", authorization: "{secret}" }],
      "cannot be read (s, ENOENT)",
    ],
    ["a secret elsewhere", [{ ...ENTRY, secret: "../s" }], "must be the name of a file beside"],
    [
      "a secret missing",
      [{ ...ENTRY, table: "https://a.example/{secret}" }],
      '"secret" is missing',
    ],
  ])("refuses a file with %s, in a sentence", async (_, content, words) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Bun.write(file(), text);

    const sentence = await shell.failing(sources, ["reload"]);

    expect(sentence).toContain(words);
    expect(sentence).toMatch(/^The file sources\.json [^\n]+\.$/);
  });

  test("refuses a mapping that asks what only a person can decide", async () => {
    const mapping = await Bun.file("src/tables/mappings/king-county.json").json();
    const asking = { ...mapping, mapping: "ours", decide: "Is each row still there?" };
    await Bun.write(join(shell.dataDir, "ours.json"), JSON.stringify(asking));
    await Bun.write(file(), JSON.stringify([{ ...ENTRY, mapping: "ours.json" }]));

    expect(await shell.failing(sources, ["reload"])).toContain(
      "before you decide: Is each row still there?",
    );
  });
});

describe("a running service", () => {
  test("that is killed at any moment of a read follows the table all the same, and has nothing twice", async () => {
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, nth) => ({
        ...LOST_DOG,
        impound_no: `D${from + nth}`,
      }));
    rows = numbered(0, 400);
    await shell.run(sources, adding());
    for (const published of [0, 1, 200]) {
      const before = requests;
      const service = await serve(shell.dataDir);
      await until(() => requests > before && storedAlerts(shell.dataDir) >= published);
      service.child.kill(9);
      await service.child.exited;
    }
    rows = numbered(20, 420);

    // Two good reads, after those that may have counted.
    for (let reads = 0; reads < 2; reads++) await shell.run(sources, ["pull", "king-county"]);

    const ids = await shell.look(async ({ store }) =>
      (await store.importedAlerts("import:king-county:", null, 5_000))
        .filter(({ alert }) => alert.status === "active")
        .map(({ alert }) => alert.source.split(":")[2]),
    );
    expect(ids.sort()).toEqual(rows.map(({ impound_no }) => impound_no).sort());
  }, 120_000);

  test("reads a table that is added, keeps it when the file is bad, and does not start with a bad file", async () => {
    const settings = { DATA_DIR: shell.dataDir };
    const command = (...words: string[]) => run(FROM_SOURCES, ["sources", ...words], settings);
    const service = await serve(shell.dataDir);
    try {
      const added = await command(...adding());
      const pulled = await command("pull", "king-county", "--json");
      const good = await file().text();
      await Bun.write(file(), "[{}]");
      const bad = await command("reload");
      const still = await command("--json");
      await Bun.write(file(), good);
      const removed = await command("remove", "king-county", "--yes");

      expect(added).toMatchObject({ code: 0 });
      expect(pulled.code).toBe(0);
      expect(bad).toMatchObject({ code: 1, errors: expect.stringContaining("entry 1") });
      expect(JSON.parse(still.said)).toMatchObject([{ name: "king-county", alerts: 2 }]);
      expect(removed.said).toContain("ended 2 alerts");
    } finally {
      await service.stop();
    }
    await Bun.write(file(), "[{}]");
    const start = await run(FROM_SOURCES, ["serve"], settings);
    expect(start).toMatchObject({
      code: 1,
      errors: expect.stringContaining("entry 1 table is missing"),
    });
  }, 60_000);
});
