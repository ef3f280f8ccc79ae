import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { moderate } from "../../src/commands/moderate.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { HOUR } from "../support/time.ts";
import { FROM_SOURCES, run, serve } from "../support/process.ts";
import { form, json } from "../support/world.ts";
import { everyAlert, get, openShell, type Shell } from "./shell.ts";

let shell: Shell;
let alert: { id: string; slug: string; shortCode: string };
beforeEach(async () => {
  shell = openShell();
  alert = makeDraft({ id: crypto.randomUUID() });
  await shell.look(({ service, clock }) =>
    service.alerts.add([
      makeBulk({ draft: { ...makeDraft(), ...alert }, expiresAt: clock() + 1e9 }),
    ]),
  );
});
afterEach(() => shell.end());

const moderated = { ADMIN_EMAILS: "mod@example.org" };
const report = (text: string) =>
  shell.look(
    (app) =>
      app.fetch(
        new Request(`http://localhost:3000/alerts/${alert.slug}/report`, {
          method: "POST",
          ...form({ reason: "scam", text }),
        }),
        "127.0.0.1",
      ),
    moderated,
  );

describe("moderate, while nothing runs", () => {
  test("hides an alert by any of its names, and shows it again, without moderators", async () => {
    for (const name of [alert.id, alert.slug, alert.shortCode, alert.shortCode.toLowerCase()]) {
      const hidden = await shell.run(moderate, ["hide", name]);
      expect(hidden.code).toBe(0);
      expect(hidden.said).toContain(`Hidden: ${alert.shortCode}  hidden`);
      expect(hidden.asked).toEqual([]);
      expect(await shell.alerts()).toEqual([]);

      await shell.run(moderate, ["restore", name]);
      expect(await shell.alerts()).toHaveLength(1);
    }
  });

  test("finds alerts of any status by their words, and tells look-alikes of reported ones", async () => {
    await shell.run(moderate, ["hide", alert.shortCode]);
    const { said } = await shell.run(moderate, ["search", "mimi", "lyon"]);
    expect(said).toContain(`${alert.shortCode}  hidden`);
    expect((await shell.run(moderate, ["search", "unicorn"])).said).toContain("No alert matches.");

    await shell.run(moderate, ["restore", alert.shortCode]);
    await shell.look(({ service, clock }) =>
      service.alerts.add([makeBulk({ draft: makeDraft(), expiresAt: clock() + 1e9 })]),
    );
    await report("He wants money");
    expect((await shell.run(moderate, ["list"])).said).toMatch(/look-alikes: 1 by publisher/);
  });

  test("lists what is reported, each report on a line of its own, and closes it", async () => {
    await report("They ask for money.\nReported: nothing");

    const { said } = await shell.run(moderate, ["list"]);
    expect(said).toStartWith("Reported: 1\n");
    expect(said).toContain("scam: They ask for money.\\u{a}Reported: nothing");

    expect((await shell.run(moderate, ["dismiss", alert.shortCode])).code).toBe(0);
    expect((await shell.run(moderate, ["list"])).said).toStartWith("Reported: nothing");
    expect(await shell.alerts()).toHaveLength(1);
  });

  test("lists what is edited oddly often, until it is dismissed", async () => {
    await shell.look(async ({ store, clock }) => {
      for (let nth = 0; nth < 10; nth++) {
        const seen = (await store.alert({ by: "id", id: alert.id }))!;
        await store.editAlert(seen, { ...seen, color: `grey ${nth}` }, clock() - nth * HOUR, [0]);
      }
    });

    const { said } = await shell.run(moderate, ["list"]);
    expect(said).toContain("Edited unusually often: 1\n");
    expect(said).toContain("10 edits in a day, 10 edits in a week");

    expect((await shell.run(moderate, ["dismiss", alert.shortCode])).code).toBe(0);
    expect((await shell.run(moderate, ["list"])).said).toContain("Edited unusually often: nothing");
  });

  test("keeps what was said beside an alert that was hidden for it", async () => {
    await report("They ask for money.");
    await shell.run(moderate, ["hide", alert.shortCode]);

    const { said } = await shell.run(moderate, ["list"]);

    expect(said).toStartWith("Reported: nothing\n");
    expect(said).toMatch(
      new RegExp(`  ${alert.shortCode}  hidden  .*\\n    .*  scam: They ask for money\\.`),
    );

    await shell.run(moderate, ["restore", alert.shortCode]);
    expect((await shell.run(moderate, ["list"])).said).not.toContain("They ask for money.");
  });

  test("removes for good only after a yes", async () => {
    const no = await shell.run(moderate, ["remove", alert.shortCode], { answer: "" });
    expect(no).toMatchObject({ code: 1, asked: ["Remove it permanently? [y/N]"] });
    expect(no.said).toContain("lost cat, Mimi, Lyon");
    expect(await shell.failing(moderate, ["remove", alert.shortCode])).toContain("add --yes");
    expect(await shell.alerts()).toHaveLength(1);

    const yes = await shell.run(moderate, ["remove", alert.shortCode, "--yes"]);

    expect(yes).toMatchObject({ code: 0, said: expect.stringContaining("Removed: ") });
    const status = await shell.look(
      async (app) => (await get(app, `/api/v1/alerts/${alert.id}`)).status,
    );
    expect(status).toBe(410);
  });

  test("blocks whoever published it, until it is restored", async () => {
    const no = await shell.run(moderate, ["block", alert.shortCode], { answer: "n" });
    expect(no.asked).toEqual(["Block its owner and hide 1 alert? [y/N]"]);
    const { said } = await shell.run(moderate, ["block", alert.shortCode, "--yes"]);
    expect(said).toContain("Owner blocked, 1 alert hidden: ");
    expect(await shell.alerts()).toEqual([]);
    expect(await shell.failing(moderate, ["block", alert.shortCode, "--yes"])).toContain(
      "is already blocked",
    );

    await shell.run(moderate, ["restore", alert.shortCode]);
    expect(await shell.alerts()).toHaveLength(1);
  });

  test("says when there is nothing to do, or no such alert or act", async () => {
    const failing = (...words: string[]) => shell.failing(moderate, words);

    expect(await failing("restore", alert.shortCode)).toBe(
      `Nothing to do: ${alert.shortCode} is active.`,
    );
    expect(await failing("dismiss", alert.shortCode)).toContain("has no open reports");
    for (const name of ["ZZZZZZ", "nothing", "", "x".repeat(1000)])
      expect(await failing("hide", name)).toBe("No alert with that id.");
    for (const words of [
      [],
      ["burn", alert.shortCode],
      ["hide"],
      ["hide", "a", "b"],
      ["list", "x"],
    ])
      expect(await failing(...words)).toContain("Usage: pet-alert moderate list");
  });
});

test("while the service runs, moderate is done by it, at once", async () => {
  const served = await serve(shell.dataDir);
  const operator = (...words: string[]) =>
    run(FROM_SOURCES, ["moderate", ...words], { DATA_DIR: shell.dataDir });
  const seen = async () => (await json(served.fetch("/api/v1/alerts"))).alerts.length;
  expect(await seen()).toBe(1);

  expect(await operator("hide", alert.shortCode)).toMatchObject({ code: 0, errors: "" });
  expect(await seen()).toBe(0);
  expect((await operator("list")).said).toContain(`${alert.shortCode}  hidden`);
  expect(await operator("hide", alert.shortCode)).toMatchObject({
    code: 1,
    errors: `Nothing to do: ${alert.shortCode} is hidden.\n`,
  });
  expect(await operator("hide", "x".repeat(1000))).toMatchObject({ code: 1 });
  expect(await operator("remove", alert.shortCode)).toMatchObject({
    code: 2,
    errors: "This command asks for confirmation, but there is no terminal: add --yes.\n",
  });
  await operator("restore", alert.shortCode);
  expect(await seen()).toBe(1);

  expect(await served.stop()).toBe(0);
  expect(await shell.look(everyAlert)).toHaveLength(1);
});
