import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { QUOTAS } from "../../src/core/caps.ts";
import { everyAlert } from "../commands/shell.ts";
import { jpeg } from "../support/picture.ts";
import { openTableServer, PASSWORD, stray, type TableServer } from "../support/table-server.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const OWNER = "desk@shelter.example";
let folder: string;
let server: TableServer;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-sources-"));
  server = openTableServer();
  server.state.rows = strays(8);
  await list({});
  world = await openWorld();
});
afterEach(async () => {
  await world.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const PHOTO = await jpeg({ width: 64, height: 48 });
const OPERATOR = "operator@example.org";
const openWorld = () =>
  createWorld(
    {
      CONFIG_DIR: folder,
      METRICS_PUBLIC: "on",
      OPERATOR_NAME: "Pets of Kent",
      OPERATOR_CONTACT: OPERATOR,
    },
    {
      fetchTable: async (request, signal) => {
        if (request.url.pathname === "/bug") throw new TypeError("a bug");
        return server.fetchTable(request, signal);
      },
      fetchPhoto: async () => PHOTO,
    },
  );
const strays = (count: number, from = 0) =>
  Array.from({ length: count }, (_, nth) => stray(`D${from + nth}`));

/** Writes sources.json with the server's table, and changes. */
async function list(...entries: readonly object[]): Promise<void> {
  const entry = {
    table: server.address,
    mapping: "asm3-stray",
    owner: OWNER,
    secret: "asm3.secret",
    place: "Kent, Washington",
  };
  await Bun.write(join(folder, "asm3.secret"), `${PASSWORD}\n`);
  await Bun.write(
    join(folder, "sources.json"),
    JSON.stringify(entries.map((changes) => ({ ...entry, ...changes }))),
  );
}

/** Codes of the animals that are listed. */
const listed = async () =>
  (await everyAlert(world.app)).map(({ description }) => description.replace("Tag ", "")).sort();
/** Lets one more pull be made. */
const nextPull = () => world.pass(70 * MINUTE, 10 * MINUTE);
const state = async () => (await world.app.operator.listTables())[0]!;

describe("a table at an address", () => {
  test("brings its photos, those beyond one read with the next, though nothing else changes", async () => {
    server.state.rows = Array.from({ length: QUOTAS.photosPerTableRead + 5 }, (_, nth) =>
      stray(`D${nth}`, { PHOTOURLS: [`https://asm.example/service?mediaid=${nth}`] }),
    );
    const withPhotos = async () =>
      (await everyAlert(world.app)).filter(({ photos }) => photos.length === 1).length;

    await world.tick();
    const first = await withPhotos();
    await nextPull();

    expect(first).toBe(QUOTAS.photosPerTableRead);
    expect(await withPhotos()).toBe(QUOTAS.photosPerTableRead + 5);
  });

  test("is read when the service starts and every hour, and its alerts follow it", async () => {
    await world.tick();
    const first = await listed();
    server.state.rows = [...strays(7), stray("D9")];
    await nextPull();
    const second = await listed();
    await nextPull();

    expect(first).toEqual(["D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7"]);
    expect(second).toEqual(["D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D9"]);
    expect(await listed()).toEqual(["D0", "D1", "D2", "D3", "D4", "D5", "D6", "D9"]);
    expect(await state()).toMatchObject({ alerts: 8, state: { problem: null, failures: 0 } });
  });

  test("is read once by all nodes together, and goes on after a restart", async () => {
    await world.tick();
    await world.tick();
    expect(server.requests).toHaveLength(1);

    await world.restart();
    await world.pass(MINUTE);
    expect(server.requests).toHaveLength(1);

    await nextPull();
    expect(server.requests).toHaveLength(2);
  });

  test("costs the server nothing while nothing has changed, and its alerts are renewed all the same", async () => {
    await world.tick();
    await world.pass(3 * DAY, HOUR);

    const whole = server.requests.filter((request) => !request.headers.has("if-none-match"));
    expect(server.requests.length).toBeGreaterThan(30);
    // Once a day.
    expect(whole.length).toBeLessThanOrEqual(5);
    await world.pass(40 * DAY, DAY);
    expect(await listed()).toHaveLength(8);
  });

  test("keeps the secret and the people of the table to itself", async () => {
    await world.tick();
    server.state.password = "another";
    await nextPull();

    const said = JSON.stringify([await state(), world.logged]);
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), "SECRET"]) {
      expect(said).not.toContain(secret);
      expect(world.storedBytes()).not.toContain(secret === PASSWORD ? "never" : "SECRET STREET");
    }
    expect(said).toContain("password={secret}");
  });

  test("is read although the one before it meets a bug, which is logged", async () => {
    const broken = { name: "broken", table: `${server.origin}/bug?{secret}` };
    await list(broken, {});
    await world.app.operator.reloadTables();
    await world.tick();

    expect(await listed()).toHaveLength(8);
    expect(world.logged.join("\n")).toContain("table_failed");
  });
});

describe("the file of tables, without a command or a restart,", () => {
  const other = { name: "other-shelter", owner: "desk@other.example" };
  /** Password in the wrong place. */
  const SECRET = "hunter2";
  const namesOnNodes = () =>
    Promise.all(
      world.apps.map(async ({ operator }) =>
        (await operator.listTables()).map(({ name }) => name).join(),
      ),
    );
  const alarms = () => world.logged.filter((line) => line.includes('"sources"'));

  test("is followed by every node within a minute", async () => {
    await world.tick();
    await list({}, other);
    await world.pass(2 * MINUTE, MINUTE);
    expect(new Set(await namesOnNodes())).toEqual(new Set(["asm3-stray,other-shelter"]));
    expect(await listed()).toHaveLength(16);

    await list({});
    await world.pass(2 * MINUTE, MINUTE);
    expect(new Set(await namesOnNodes())).toEqual(new Set(["asm3-stray"]));
    await world.pass(3 * HOUR, 10 * MINUTE);
    expect(await listed()).toHaveLength(16);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ["not valid", () => list({}, { owner: SECRET }), "cannot be used"],
    [
      "naming a secret that is no file",
      () => list({}, { ...other, secret: SECRET }),
      "cannot be used",
    ],
    ["gone", () => Bun.file(join(folder, "sources.json")).delete(), "is gone"],
  ])("changes nothing while it is %s, and every node raises an alarm", async (_, spoil, words) => {
    await world.tick();
    await spoil();
    server.state.rows = strays(9);
    await world.pass(70 * MINUTE, 5 * MINUTE);
    const raised = alarms();
    expect(world.logged.join("\n")).not.toContain(SECRET);
    expect(await listed()).toHaveLength(9);
    expect(new Set(await namesOnNodes())).toEqual(new Set(["asm3-stray"]));

    await list({}, other);
    await world.pass(3 * MINUTE, MINUTE);

    expect(raised.filter((line) => line.includes(words)).length).toBeGreaterThanOrEqual(
      world.apps.length,
    );
    expect(alarms().filter((line) => line.startsWith("alarm_resolved"))).toHaveLength(
      world.apps.length,
    );
    expect(await listed()).toHaveLength(18);
  });
});

describe("a table that cannot be read changes nothing, and is followed again within two pulls:", () => {
  const html = "<!doctype html><title>502 Bad gateway</title>";
  const text = (body: string, status = 200, headers = {}) =>
    new Response(body, { status, headers });

  test.each<[string, (request: Request) => Response | Promise<Response>, string]>([
    ["a wrong password", () => text("ERROR: Invalid username and password"), "denied"],
    ["a page", () => text(html), "no_table"],
    ["JSON that was cut off", () => text('[{"SHELTERCODE": "D0"}, {"SHELT'), "no_table"],
    ["an empty list", () => text("[]"), "guard"],
    [
      "a redirect to another host",
      () => text("", 302, { Location: "https://other.example/" }),
      "unreachable",
    ],
  ])("%s", async (_, answer, kind) => {
    await world.tick();
    server.state.rows = strays(7);
    server.state.answer = answer;
    await nextPull();
    const broken = await state();
    server.state.answer = null;
    await world.pass(160 * MINUTE, 10 * MINUTE);

    expect(JSON.stringify(broken)).not.toContain("SECRET");
    expect(broken).toMatchObject({ alerts: 8, state: { problem: { kind }, failures: 1 } });
    expect(await listed()).toHaveLength(7);
  });
});

describe("the operator", () => {
  const subjects = async () => (await world.emails(OPERATOR)).map(({ subject }) => subject);
  const alarms = () => world.logged.filter((line) => /^alarm(_resolved)? /.test(line));
  const wrongPassword = () => new Response("ERROR: Invalid username and password");

  test("hears of a wrong password by alarm, metric and email, at most once a day, and of its end", async () => {
    await world.tick();
    // Pulls that failed are repeated at random times, hours apart.
    server.state.answer = wrongPassword;
    await world.pass(20 * HOUR, 30 * MINUTE);
    const metrics = await world.text("/metrics");
    const then = await subjects();
    const [email] = await world.emails(OPERATOR);
    await world.pass(28 * HOUR, 30 * MINUTE);
    const later = await subjects();
    server.state.answer = null;
    await world.pass(10 * HOUR, 30 * MINUTE);

    expect(then).toEqual(["The table “asm3-stray” needs your attention"]);
    expect(email?.text).toContain("pet-alert sources pull asm3-stray --dry-run");
    expect(metrics).toContain('pet_alert_operator_alarm{about="table"} 1');
    expect(later).toHaveLength(2);
    expect((await subjects()).at(-1)).toBe("The table “asm3-stray” is read again");
    expect(alarms()[0]).toContain("answers with an error instead of the table");
    expect(alarms().at(-1)).toStartWith("alarm_resolved");
  });

  test("hears of rows that cannot be published, without their words", async () => {
    server.state.rows = [...strays(3), stray("D9", { DATEBROUGHTIN: "SECRET DAY" })];
    await world.tick();
    await world.pass(DAY, 2 * HOUR);

    const [email, ...more] = await world.emails(OPERATOR);
    expect(email?.text).toContain("One row of the table “asm3-stray” cannot be published");
    expect(more).toEqual([]);
    expect(email?.text + alarms().join("")).not.toContain("SECRET");
    expect(alarms()[0]).toContain("cannot be published: 1");
    expect(await world.text("/metrics")).toContain(
      'pet_alert_table_refused_rows{table="asm3-stray"} 1',
    );
  });

  test("hears of a table of import --sync that is refused, until it is good again", async () => {
    const { operator } = world.app;
    await operator.noteTableProblem("kennel", { kind: "no_table", text: "It is no table." });
    await world.pass(2 * MINUTE, MINUTE);
    await operator.syncTable({
      mapping: "kennel",
      email: OWNER,
      language: "en",
      rows: [],
      kept: [],
      isWhole: true,
      acceptMissing: false,
      dryRun: false,
    });
    await world.pass(2 * MINUTE, MINUTE);

    expect(await subjects()).toEqual([
      "The table “kennel” needs your attention",
      "The table “kennel” is read again",
    ]);
    // On every node.
    const events = new Set(alarms().map((line) => line.split(" ")[0]));
    expect([...events]).toEqual(["alarm", "alarm_resolved"]);
  });
});
