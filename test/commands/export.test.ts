import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { demo } from "../../src/commands/demo.ts";
import { exportTable } from "../../src/commands/export.ts";
import { mondayOf } from "../../src/core/outcomes/outcome.ts";
import type { Alert, AlertDraft, AlertStatus } from "../../src/core/alerts/alert.ts";
import type { App } from "../../src/start.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { DAY } from "../support/time.ts";
import { openShell, type Shell } from "./shell.ts";

let shell: Shell;
let file: (name: string) => string;
beforeEach(() => {
  shell = openShell();
  file = (name) => join(shell.folder, name);
});
afterEach(() => shell.end());

async function add(app: App, about: Partial<AlertDraft> = {}): Promise<Alert> {
  const draft = makeDraft(about);
  const expiresAt = app.clock() + DAY;
  await app.service.alerts.add([makeBulk({ draft, expiresAt })]);
  return (await app.store.alert({ by: "id", id: draft.id }))!;
}

async function end(app: App, alert: Alert, status: AlertStatus): Promise<void> {
  const now = app.clock();
  await app.store.changeStatus(alert, { status, expiresAt: alert.expiresAt, endedAt: now }, now);
}

const read = async (name: string): Promise<Record<string, string>[]> =>
  parse(await Bun.file(file(name)).text(), { columns: true });

test("alerts come out as the REST API gives them, ended ones too, while the service runs", async () => {
  await shell.run(demo, ["Lyon", "--count", "120", "--pictures", "0"]);
  await shell.look(async (app) => {
    await end(app, await add(app, { name: "Home" }), "resolved");
    await end(app, await add(app, { name: "Over" }), "expired");
    await end(app, await add(app, { name: "Gone" }), "removed");
    await end(app, await add(app, { name: "Hidden" }), "hidden");

    const { said, code } = await shell.run(exportTable, [file("alerts.jsonl")]);

    expect([code, said]).toEqual([0, `Wrote 122 alerts to ${file("alerts.jsonl")}.`]);
  });
  const lines = (await Bun.file(file("alerts.jsonl")).text()).trimEnd().split("\n");
  const exported = lines.map((line) => JSON.parse(line));
  const madeUp = exported.slice(0, 120);
  const isActive = ({ status }: { status: string }) => status === "active";
  expect(madeUp.filter(isActive)).toEqual((await shell.alerts()).toReversed());
  expect(madeUp.every((alert) => isActive(alert) || alert.status === "resolved")).toBe(true);
  expect(exported.slice(120).map((alert) => [alert.pet_name, alert.status])).toEqual([
    ["Home", "resolved"],
    ["Over", "expired"],
  ]);
  expect(lines.join("")).not.toContain("@");
});

test("a CSV table holds the same, whatever stands in the text", async () => {
  const name = 'Mimi, "the cat"\nof Lyon';
  await shell.look((app) => add(app, { name, point: { lat: -45.77, lng: -4.83 } }));

  await shell.run(exportTable, [file("alerts.csv")]);
  await shell.run(exportTable, [file("alerts.jsonl")]);

  const [row = {}] = await read("alerts.csv");
  const alert = JSON.parse(await Bun.file(file("alerts.jsonl")).text());
  expect(Object.keys(row)).toEqual(Object.keys(alert));
  expect(row).toMatchObject({
    pet_name: name,
    latitude: "-45.77",
    longitude: "-4.83",
    custody: "",
  });
});

test.each(["=HYPERLINK(1)", "-2+3", "\tx", "＝1"])(
  "text that a spreadsheet would carry out is told to be text: %j",
  async (name) => {
    await shell.look((app) => add(app, { name }));

    await shell.run(exportTable, [file("alerts.csv")]);

    expect((await read("alerts.csv"))[0]?.["pet_name"]).toBe(`'${name}`);
  },
);

test.each([
  ["Mimi;=1+1;", "Mimi;'=1+1;"],
  ["Mimi\n-2+3", "Mimi\n'-2+3"],
  ["Mimi; white = fine", "Mimi; white = fine"],
])(
  "neither is it carried out by one that takes semicolons for the ends of cells: %j",
  async (name, safe) => {
    await shell.look((app) => add(app, { name }));

    await shell.run(exportTable, [file("alerts.csv")]);

    expect((await read("alerts.csv"))[0]?.["pet_name"]).toBe(safe);
  },
);

test("how animals came home is counted by weeks that are over, and few are never alone", async () => {
  const lastWeek = await shell.look(async (app) => {
    const weeks = [mondayOf(app.clock() - 7 * DAY), mondayOf(app.clock())];
    for (const week of weeks) {
      for (const [days, how] of [
        [1, "poster"],
        [1, "poster"],
        [2, "poster"],
        [9, "poster"],
        [9, "poster"],
        [5, "searched"],
      ] as const) {
        const alert = await add(app);
        await end(app, alert, "resolved");
        const told = { week, type: "lost", species: "cat", days, how, distance: null } as const;
        await app.store.addOutcome(alert.id, told);
      }
    }
    return weeks[0]!;
  });

  const { said } = await shell.run(exportTable, [file("outcomes.csv"), "--outcomes"]);

  expect(said).toContain(
    "how 5 animals came home (1 more is left out, in groups that are too small)",
  );
  expect(await Bun.file(file("outcomes.csv")).text()).toBe(
    `week,type,species,how,distance,count,median_days\r\n${lastWeek},lost,cat,poster,other/unknown,5,2\r\n`,
  );
});

test("steps of the plan are counted from five animals on, by week where it has five, and not in the current week", async () => {
  const weeks = await shell.look(async (app) => {
    const mondays = [4, 3, 2, 1, 0].map((ago) => mondayOf(app.clock() - ago * 7 * DAY));
    const animals = [5, 2, 4, 3, 9];
    for (const [nth, week] of mondays.entries())
      for (let animal = 0; animal < animals[nth]!; animal++) {
        const alert = await add(app);
        await app.store.markPlanStep(alert.id, "search_house", true, app.clock());
        if (nth === 0 && animal > 0)
          await app.store.markPlanStep(alert.id, "report_chip", true, app.clock());
        await end(app, alert, "resolved");
        const told = { type: "lost", species: "cat", days: 1, how: null, distance: null } as const;
        await app.store.addOutcome(alert.id, { week, ...told });
      }
    return mondays;
  });

  await shell.run(exportTable, [file("steps.csv"), "--steps"]);

  expect(await Bun.file(file("steps.csv")).text()).toBe(
    [
      "from_week,to_week,species,step,count",
      `${weeks[0]},${weeks[0]},cat,search_house,5`,
      `${weeks[1]},${weeks[2]},cat,search_house,6`,
      "",
    ].join("\r\n"),
  );
});

test("what cannot be is said in a sentence, and leaves no file", async () => {
  expect(await shell.failing(exportTable, [file("a.csv")])).toContain("There is no database in");
  await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);
  await Bun.write(file("there.csv"), "mine");

  for (const [words, sentence] of [
    [[], "Usage: pet-alert export"],
    [[file("a.csv"), "b.csv"], "Usage: pet-alert export"],
    [[file("a.txt")], "must end in .csv or .jsonl"],
    [[file("there.csv")], "already exists"],
    [
      [file("no/such/folder.csv")],
      `folder.csv cannot be created: there is no folder ${file("no/such")}.`,
    ],
  ] as const)
    expect(await shell.failing(exportTable, words)).toContain(sentence);
  const stopped = { stopped: AbortSignal.abort() };
  const outcome = await shell.run(exportTable, [file("a.csv")], stopped).catch(String);

  expect(outcome).toContain("nothing was written");
  expect(readdirSync(shell.folder).toSorted()).toEqual(["data", "there.csv"]);
  expect(existsSync(file("a.csv"))).toBe(false);
});
