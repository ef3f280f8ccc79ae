import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importTable } from "../../src/commands/import.ts";
import { FROM_SOURCES, run, serve, until } from "../support/process.ts";
import { openShell, type Shell, storedAlerts } from "./shell.ts";
import { csv, FOUND_CAT, LOST_DOG, OWNER, tableOf } from "./shelter.ts";

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

type Row = Readonly<Record<string, string>>;
const dogs = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, nth) => ({ ...LOST_DOG, impound_no: `D${from + nth}` }));

/** Brings the alerts in step with a table of these rows. */
async function syncing(rows: readonly Row[], ...more: readonly string[]) {
  return shell.run(importTable, [
    await tableOf(shell, ...rows),
    ...OWNER,
    "--sync",
    "--yes",
    ...more,
  ]);
}
const names = async () => (await shell.alerts()).map(({ pet_name }) => pet_name).sort();

describe("import --sync", () => {
  test("publishes, changes and ends, and tells so", async () => {
    const first = await syncing([LOST_DOG, FOUND_CAT]);
    const second = await syncing([{ ...LOST_DOG, Animal_Name: "REX" }]);
    const third = await syncing([{ ...LOST_DOG, Animal_Name: "REX" }]);

    expect(first.said).toContain("2 published, 0 updated, 0 renewed, 0 reopened, 0 ended;");
    expect(second.said).toContain("0 published, 1 updated, 0 renewed, 0 reopened, 0 ended;");
    expect(second.said).toContain("1 animal is missing from the table for the first time");
    expect(third.said).toContain("1 ended; 1 unchanged.");
    expect([first, second, third].map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await names()).toEqual(["Rex"]);
  });

  test("gives programs one line of JSON, and people the rest on standard error", async () => {
    const broken = { ...LOST_DOG, impound_no: "X9", City: "NOWHERETON" };
    const { written, said, aside } = await syncing([LOST_DOG, broken], "--json");

    const summary = JSON.parse(written.toString());
    expect(said).toBe("");
    expect(aside).toContain("1 published");
    expect(summary).toMatchObject({
      ok: true,
      mapping: "king-county",
      published: 1,
      ended: 0,
      damaged: false,
      guard: null,
      rejected: [{ line: 3, id: "X9" }],
    });
  });

  test("asks before it changes anything, and needs --yes without a terminal", async () => {
    const args = [await tableOf(shell, LOST_DOG), ...OWNER, "--sync"];

    const no = await shell.run(importTable, args, { answer: "n" });
    const nobody = await shell.failing(importTable, args);
    const yes = await shell.run(importTable, args, { answer: "y" });

    expect(no.said).toContain("1 would be published");
    expect(no.asked).toEqual(["Change this as shelter@example.org? [y/N]"]);
    expect(no.code).toBe(1);
    expect(nobody).toContain("add --yes");
    expect(yes.code).toBe(0);
    expect(await names()).toEqual(["Rover"]);
  });

  test("keeps animals before --since that it has, and publishes no more of them", async () => {
    await syncing([LOST_DOG]);
    const old = { ...LOST_DOG, impound_no: "X8" };
    const since = ["--since", "2020-01-01"];

    await syncing([LOST_DOG, old], ...since);
    await syncing([LOST_DOG, old], ...since);

    expect(await names()).toEqual(["Rover"]);
  });

  test.each([[["--links", "x.csv"], "--sync writes no links"]])(
    "with %p is refused",
    async (more, words) => {
      const args = [await tableOf(shell, LOST_DOG), ...OWNER, "--sync", ...more];

      expect(await shell.failing(importTable, args)).toContain(words);
    },
  );
});

describe("an answer that is no good table ends nothing:", () => {
  const table = async (content: string) => shell.write("answer.csv", content);
  const readTwice = async (content: string, ...more: readonly string[]) => {
    const args = [await table(content), ...OWNER, "--sync", "--yes", "--json", ...more];
    const outcomes = [];
    for (let reads = 0; reads < 2; reads++)
      outcomes.push(await shell.run(importTable, args).catch((error: Error) => error.message));
    return outcomes;
  };

  test.each([
    ["a wrong password for asm3", "ERROR: Invalid username and password"],
    ["JSON that was cut off", '[{"impound_no": "D1"}, {"imp'],
  ])("%s", async (_, content) => {
    await syncing(dogs(0, 8));

    const outcomes = await readTwice(content);

    expect(outcomes.every((one) => typeof one === "string")).toBe(true);
    expect(await shell.alerts()).toHaveLength(8);
  });

  test("a header without rows, and a list without any", async () => {
    await syncing(dogs(0, 8));

    const outcomes = [
      ...(await readTwice(csv([]))),
      ...(await readTwice("[]", "--mapping", "king-county")),
    ];

    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ code: 1, aside: expect.stringContaining("8 of 8 animals") });
    expect(await shell.alerts()).toHaveLength(8);
  });

  test("a table cut in the middle of a row", async () => {
    await syncing(dogs(0, 8));
    const whole = csv(dogs(0, 8));

    const cut = whole.slice(0, whole.lastIndexOf('","KENT"'));
    const outcomes = await readTwice(`${cut}"\n`);

    expect(outcomes[1]).toMatchObject({ code: 1, aside: expect.stringContaining("damaged") });
    expect(await shell.alerts()).toHaveLength(8);
  });
});

describe("a process of its own", () => {
  const settings = () => ({ DATA_DIR: shell.dataDir });

  test("brings the alerts of a running service in step", async () => {
    const service = await serve(shell.dataDir);
    try {
      const table = await tableOf(shell, LOST_DOG, FOUND_CAT);
      const words = ["import", table, ...OWNER, "--sync", "--yes", "--json"];
      const first = await run(FROM_SOURCES, words, settings());
      const listed = await fetch(`${service.baseUrl}/api/v1/alerts`);
      await tableOf(shell, LOST_DOG);
      await run(FROM_SOURCES, words, settings());
      const last = await run(FROM_SOURCES, words, settings());
      const after = await fetch(`${service.baseUrl}/api/v1/alerts`);

      expect(JSON.parse(first.said)).toMatchObject({ ok: true, published: 2 });
      expect(await listed.json()).toMatchObject({ alerts: [{}, {}] });
      expect(JSON.parse(last.said)).toMatchObject({ ok: true, ended: 1 });
      expect(((await after.json()) as { alerts: unknown[] }).alerts).toHaveLength(1);
    } finally {
      await service.stop();
    }
  }, 60_000);

  test("publishes new rows through a running service, and writes their links", async () => {
    const service = await serve(shell.dataDir);
    try {
      const table = await tableOf(shell, LOST_DOG, FOUND_CAT);
      const words = ["import", table, ...OWNER, "--yes", "--links", "-"];
      const first = await run(FROM_SOURCES, words, settings());
      const again = await run(FROM_SOURCES, words, settings());

      const [header, dog] = first.said.split("\r\n");
      expect(header).toBe("external_id,page,manage_link");
      const [id, page] = dog!.split(",");
      expect(id).toBe("X1");
      const path = new URL(page!).pathname;
      expect((await fetch(`${service.baseUrl}${path}`)).status).toBe(200);
      expect(again.said).toBe("");
    } finally {
      await service.stop();
    }
  }, 60_000);

  test("that is killed at any moment has changed nothing wrongly, and is repeated safely", async () => {
    await syncing(dogs(0, 400));
    const rows = [...dogs(20, 400), ...dogs(1_000, 1_400)];
    const table = await tableOf(shell, ...rows);
    const words = ["import", table, ...OWNER, "--sync", "--yes"];
    for (const published of [1, 150, 300]) {
      const child = Bun.spawn([...FROM_SOURCES.command, ...words], {
        cwd: FROM_SOURCES.cwd,
        env: settings(),
        stdout: "ignore",
        stderr: "ignore",
      });
      await until(() => storedAlerts(shell.dataDir) >= 400 + published);
      child.kill(9);
      await child.exited;
    }

    // Two good reads, after those that may have counted.
    await syncing(rows);
    const { code } = await syncing(rows);

    const ids = await shell.look(async ({ store }) =>
      (await store.importedAlerts("import:king-county:", null, 5_000))
        .filter(({ alert }) => alert.status === "active")
        .map(({ alert }) => alert.source.split(":")[2]),
    );
    expect(code).toBe(0);
    expect(ids.sort()).toEqual(rows.map(({ impound_no }) => impound_no).sort());
  }, 120_000);
});
