import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "bun:test";
import { memoryTransport } from "../support/memory-transport.ts";
import type { Parts } from "../../src/start.ts";
import { createCounters } from "../../src/ops/counters.ts";
import type { CopyState } from "../../src/ops/health-checks.ts";
import { CAPS } from "../../src/core/caps.ts";
import { createMonitor } from "../../src/ops/monitor.ts";
import { until } from "../support/process.ts";
import { createWorld, type World } from "../support/world.ts";
import { DAWN, DAY, HOUR, MINUTE } from "../support/time.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";

type Line = { readonly event: string; readonly about: string } & Record<string, unknown>;

let world: World;
const lines: Line[] = [];
afterEach(async () => {
  await world.end();
  lines.length = 0;
});

async function open(settings: Readonly<Record<string, string>> = {}, parts: Parts = {}) {
  world = await createWorld(settings, {
    log: (event, details = {}) => lines.push({ event, ...details } as Line),
    ...parts,
  });
}

/** What the operator was told about something since the last call. */
function told(about: string): Line[] {
  const alarms = lines.filter((line) => line.about === about);
  lines.length = 0;
  return alarms;
}

async function standing(about: string): Promise<boolean> {
  const text = await (await world.fetch("/metrics", {}, "127.0.0.1")).text();
  return text.includes(`pet_alert_operator_alarm{about="${about}"} 1`);
}

const subscribe = (email = "reader@example.org") =>
  world.tool("subscribe_zone", { lat: 1, lng: 1, email });

/** A mail server whose mind can be changed. */
function server() {
  const mind: { answer: Delivery } = { answer: { kind: "sent" } };
  return { mind, transport: memoryTransport({ answer: () => mind.answer }) };
}
const DOWN: Delivery = { kind: "later", why: "ECONNREFUSED" };

/** A watch over a service of which nothing is to be said but that its last backup is five days old. */
function quietWatch(clock: () => number, copies: CopyState | null = null) {
  const tallies = createCounters(
    (event, details) => lines.push({ event, ...details } as Line),
    clock,
  );
  const watch = createMonitor({
    counters: tallies,
    clock,
    disk: { folder: "data", freeBytes: async () => 5e9 },
    node: null,
    archive: null,
    copies: copies === null ? null : () => copies,
    version: "1",
    backupKeep: 3,
    lastBackupAt: () => DAWN - 5 * DAY,
    store: {
      unconfirmedRequests: async () => 0,
      outboxState: async () => ({ waiting: 0, oldestAt: null, dueSince: null }),
      suppressionCounts: async () => ({ dead: 0, complained: 0 }),
    },
    mailPausedUntil: () => null,
    mailboxFailingSince: () => null,
    holdsReplies: false,
    clockJump: async () => null,
    tables: async () => [],
    tableListProblem: () => null,
    sizes: () => ({ alerts: 0, zones: 0 }),
  });
  return { tallies, watch };
}

describe("a flood of requests that nobody confirms", () => {
  test("is told of while it lasts, and counted", async () => {
    await open();
    const unconfirmed = async () =>
      (await (await world.app.control(new Request("http://control/metrics"))).text()).match(
        /^pet_alert_unconfirmed_requests (\d+)$/m,
      )?.[1];
    const { max } = CAPS.unconfirmedRequests;
    for (let nth = 0; nth < max; nth++) {
      const email = `stranger${nth}@gmail.com`;
      const fields = { lat: "10", lng: String(nth / 10), radiusKm: "5", email };
      await world.post("/subscribe", fields, {}, `10.0.${nth >> 3}.${nth & 255}`);
    }
    expect(await unconfirmed()).toBe(String(max));

    await world.pass(2 * MINUTE, MINUTE);
    expect(told("unconfirmed")).toEqual([
      expect.objectContaining({
        event: "alarm",
        text: expect.stringContaining("wait for their confirmation"),
      }),
    ]);
    expect(await standing("unconfirmed")).toBe(true);

    await world.pass(HOUR, MINUTE);
    expect(await unconfirmed()).toBe("0");
    expect(told("unconfirmed")).toEqual([expect.objectContaining({ event: "alarm_resolved" })]);
  });
});

describe("mail that stands still", () => {
  test("is told after ten minutes, again every hour, and once when it goes again", async () => {
    const { mind, transport } = server();
    mind.answer = DOWN;
    await open({}, { transport });
    await subscribe();

    await world.pass(10 * MINUTE, MINUTE);
    expect(told("mail")).toEqual([]);
    expect(await standing("mail")).toBe(false);

    await world.pass(3 * MINUTE, MINUTE);
    expect(told("mail")).toEqual([
      {
        event: "alarm",
        level: "alarm",
        about: "mail",
        since: new Date(DAWN + 13 * MINUTE).toISOString(),
        text: "No email is being delivered: the mail server has accepted none since 2026-05-01T08:02:00Z, and 1 email is waiting.",
        advice: expect.stringContaining("pet-alert check"),
      },
    ]);
    expect(await standing("mail")).toBe(true);

    await world.pass(59 * MINUTE, MINUTE);
    expect(told("mail")).toEqual([]);
    await world.pass(2 * HOUR, MINUTE);
    expect(told("mail").map(({ event }) => event)).toEqual(["alarm", "alarm"]);

    mind.answer = { kind: "sent" };
    await world.pass(2 * HOUR, MINUTE);
    expect(transport.kept).toHaveLength(1);
    expect(told("mail")).toEqual([
      expect.objectContaining({ event: "alarm" }),
      { event: "alarm_resolved", about: "mail", since: new Date(DAWN + 13 * MINUTE).toISOString() },
    ]);
    expect(await standing("mail")).toBe(false);
  });

  test("is not told of one mailbox that takes nothing, while other emails go", async () => {
    const transport = memoryTransport({
      answer: ({ to }) =>
        to.startsWith("full") ? { kind: "deferred", why: "452 4.2.2" } : { kind: "sent" },
    });
    await open({ LIMIT_SUBSCRIBE: "off" }, { transport });
    await subscribe("full@example.org");

    for (let nth = 0; nth < 6; nth++) {
      await world.tool("subscribe_zone", { lat: nth, lng: 2, email: `reader${nth}@example.org` });
      await world.pass(20 * MINUTE, MINUTE);
    }

    expect(transport.kept).toHaveLength(6);
    expect(told("mail")).toEqual([]);
  });

  test("is told when emails lie about although they are due", async () => {
    // Four emails, to as many domains, that never end take all places.
    const never = Promise.withResolvers<Delivery>();
    let looks = 0;
    const freeBytes = async () => {
      looks += 1;
      return 5e9;
    };
    const transport = memoryTransport({ answer: () => never.promise });
    await open({ LIMIT_SUBSCRIBE: "off" }, { transport, freeBytes });
    for (let nth = 0; nth < 30; nth++)
      await world.tool("subscribe_zone", {
        lat: nth,
        lng: 2,
        email: `reader@domain${nth}.example`,
      });

    const ticks = [];
    for (let minute = 0; minute < 20; minute++) {
      world.jump(MINUTE);
      ticks.push(world.tick());
      await until(() => looks > minute);
    }

    expect(told("mail").map(({ text }) => text)).toEqual([
      "Emails are late: one has been due since 2026-05-01T08:00:00Z, and 30 emails are waiting.",
    ]);
    never.resolve({ kind: "sent" });
    await Promise.all(ticks);
  });

  test("that was for so long that emails were given up is told, too", async () => {
    const { mind, transport } = server();
    await open({}, { transport });
    // The clock is trusted with what cannot be undone after a day.
    await world.pass(2 * DAY, HOUR);
    mind.answer = DOWN;
    await subscribe();

    await world.pass(3 * DAY, HOUR);

    expect(told("given_up").map(({ event, text }) => [event, text])).toEqual([
      ["alarm", "Emails given up in the last hour: 1."],
      ["alarm_resolved", undefined],
    ]);
  });
});

test("a disk that fills is told, and that there is room again", async () => {
  const disk = { free: 5e9 };
  await open({}, { freeBytes: async () => disk.free });
  await world.pass(5 * MINUTE, MINUTE);
  expect(told("disk")).toEqual([]);

  disk.free = 0.9e9;
  await world.pass(2 * MINUTE, MINUTE);
  expect(told("disk")).toMatchObject([
    { event: "alarm", text: `The disk of ${world.dataDir} is nearly full: 0.9 GB free.` },
  ]);

  disk.free = 5e9;
  await world.pass(MINUTE);
  expect(told("disk")).toMatchObject([{ event: "alarm_resolved" }]);
});

describe("copies of backups elsewhere", () => {
  test.each([
    [{ lastAt: DAWN - 1.4 * DAY, isFailing: true }, null],
    [
      { lastAt: DAWN - 1.6 * DAY, isFailing: true },
      "The last backup that was copied elsewhere is from 2026-04-29T17:36:00Z.",
    ],
    [{ lastAt: null, isFailing: true }, "No backup could be copied elsewhere."],
  ])("are an alarm when they are too old: %p", async (state, text) => {
    await open();
    const { watch } = quietWatch(() => DAWN, state);

    await watch.tick(DAWN);

    expect(told("backup_copy").map((line) => line["text"])).toEqual(text === null ? [] : [text]);
  });
});

describe("backups", () => {
  const made = (event: string) => until(() => lines.some((line) => line.event === event));

  test("that fail are told, and when they are made again", async () => {
    await open({ BACKUP_KEEP: "2" });
    const inTheWay = join(world.dataDir, "backups");
    writeFileSync(inTheWay, "");

    await world.tick();
    await made("backup_failed");
    await world.pass(MINUTE);
    expect(told("backup")).toMatchObject([{ event: "alarm", text: "The daily backup failed." }]);

    rmSync(inTheWay);
    await world.pass(HOUR);
    await made("backup");
    await world.pass(MINUTE);
    expect(told("backup").at(-1)).toMatchObject({ event: "alarm_resolved" });
  });
});

test("a clock that jumps is told until it has run for a day", async () => {
  await open();
  await world.pass(3 * DAY, HOUR);
  world.jump(400 * DAY);

  await world.pass(HOUR);
  expect(told("clock")).toMatchObject([
    {
      event: "alarm",
      text: expect.stringMatching(/^The clock jumped from 2026-05-04T08:.* to 2027-06-08T09:/),
    },
  ]);

  await world.pass(22 * HOUR, HOUR);
  expect(await standing("clock")).toBe(true);
  lines.length = 0;
  await world.pass(3 * HOUR, HOUR);
  expect(told("clock").at(-1)).toMatchObject({ event: "alarm_resolved" });
});

test("nothing is told of an installation that is well", async () => {
  await open({ BACKUP_KEEP: "1" });
  await world.publish();

  await world.pass(DAY, HOUR);

  expect(lines.filter(({ event }) => event !== "backup")).toEqual([]);
});
