import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { QUOTAS } from "../../src/core/caps.ts";
import { makeBulk } from "../support/make.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, linkIn, type World } from "../support/world.ts";

const READER = "reader@example.org";
const CIRCLE = { lat: 45.77, lng: 4.83, radius_km: 10, email: READER };

/** Asks for a zone and confirms it; gives the page that follows. */
async function watch(world: World, about: Record<string, unknown> = {}): Promise<Response> {
  await world.tool("subscribe_zone", { ...CIRCLE, ...about });
  return world.confirm(String(about["email"] ?? READER));
}

const zonesOf = async (world: World) => (await world.app.service.state()).zones;

/** Emails about zones to a mailbox. */
async function news(world: World, to = READER) {
  return (await world.emails(to)).filter(({ text }) => text?.includes("/unsubscribe/"));
}

const OFF = { LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off" };

/** One mailbox watches the same place again and again, and then other circles; one alert goes live in all of them. */
async function pileUp() {
  const world = await createWorld(OFF);
  try {
    const same: number[] = [];
    for (let at = 0; at < 6; at++) {
      // Beyond the ten minutes in which the same ask is the same ask.
      world.jump(11 * MINUTE);
      same.push((await watch(world)).status);
    }
    const zonesOfSame = await zonesOf(world);
    const others: number[] = [];
    for (let radius = 11; radius <= 22; radius++)
      others.push((await watch(world, { radius_km: radius })).status);
    const zones = await zonesOf(world);
    const stranger = await watch(world, { email: "stranger@example.org" });
    await world.publish();
    await world.pass(MINUTE);
    return {
      same,
      zonesOfSame,
      others,
      zones,
      stranger: stranger.status,
      emails: (await news(world)).length,
      strangersEmails: (await news(world, "stranger@example.org")).length,
    };
  } finally {
    await world.end();
  }
}

/** Three zones of one mailbox, and so many alerts in all of them. */
async function wave(alerts: number) {
  const world = await createWorld(OFF);
  try {
    for (const radius_km of [10, 20, 30]) await watch(world, { radius_km });
    for (let at = 0; at < alerts; at++) {
      await world.publish({ name: `Cat ${at}`, email: `owner${at}@example.org` });
      await world.pass(MINUTE);
    }
    const inAnHour = (await news(world)).length;
    await world.pass(2 * HOUR, 10 * MINUTE);
    return { inAnHour, later: (await news(world)).slice(inAnHour).map(({ text }) => text ?? "") };
  } finally {
    await world.end();
  }
}

describe("zones of one mailbox", () => {
  test("are ten at most, each circle once, and an alert that meets them all brings one email", async () => {
    const { same, zonesOfSame, others, zones, ...rest } = await pileUp();

    expect(same).toEqual([200, 200, 200, 200, 200, 200]);
    expect(zonesOfSame).toBe(1);
    expect(others.filter((status) => status === 200)).toHaveLength(QUOTAS.zonesPerMailbox - 1);
    expect(others.at(-1)).toBe(409);
    expect(zones).toBe(QUOTAS.zonesPerMailbox);
    expect(rest).toEqual({ stranger: 200, emails: 1, strangersEmails: 1 });
  });

  test("bring three emails an hour together, then one that gathers the rest", async () => {
    const { inAnHour, later } = await wave(6);

    expect(inAnHour).toBe(3);
    expect(later).toHaveLength(1);
    for (const at of [3, 4, 5]) expect(later[0]).toContain(`cat-${at}`);
  });

  test("the eleventh waits: its page lists the ten, and goes on once one has ended", async () => {
    const world = await createWorld(OFF);
    try {
      for (let radius = 1; radius <= QUOTAS.zonesPerMailbox; radius++)
        await watch(world, { radius_km: radius, label: `Zone ${radius}` });
      await world.tool("subscribe_zone", { ...CIRCLE, radius_km: 50 });
      const link = await world.linkTo(READER, "/confirm/");
      const before = await world.text(link);
      const refused = await world.post(link);
      const page = await refused.text();

      expect(refused.status).toBe(409);
      expect(page).toContain("You already get alerts for 10 areas");
      for (const shown of [before, page]) {
        expect(shown).toContain("You already get alerts for as many areas as one address can have");
        expect(shown).toContain("Zone 7");
        expect(shown.match(/href="\/unsubscribe\//g)).toHaveLength(QUOTAS.zonesPerMailbox);
      }

      const end = /Zone 7.*?href="(\/unsubscribe\/[^"]+)"/s.exec(page)?.[1] ?? "";
      expect(await world.text(end)).toContain("Zone 7");
      await world.post(end);
      expect((await world.post(link)).status).toBe(200);
      expect(await zonesOf(world)).toBe(QUOTAS.zonesPerMailbox);
    } finally {
      await world.end();
    }
  });

  test("a circle that is there already is confirmed even with ten zones, and its page ends the one zone", async () => {
    const world = await createWorld(OFF);
    try {
      for (let radius = 1; radius <= QUOTAS.zonesPerMailbox; radius++)
        await watch(world, { radius_km: radius });
      world.jump(11 * MINUTE);
      const done = await watch(world, { radius_km: 5 });
      const link = /href="(\/unsubscribe\/[^"]+)"/.exec(await done.text())?.[1] ?? "";

      expect(done.status).toBe(200);
      await world.post(link);
      expect(await zonesOf(world)).toBe(QUOTAS.zonesPerMailbox - 1);
    } finally {
      await world.end();
    }
  });
});

describe("an email that speaks for several zones", () => {
  async function withTwoZones() {
    const world = await createWorld(OFF);
    await watch(world, { label: "Home" });
    await watch(world, { radius_km: 20, label: "Work" });
    await watch(world, { lat: 48.86, lng: 2.35, label: "Paris" });
    await world.publish();
    await world.pass(MINUTE);
    const [email] = await news(world);
    const header = email?.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
    return { world, email, oneClick: header.slice(1, -1) };
  }

  test("names them, and each can be ended alone", async () => {
    const { world, email } = await withTwoZones();
    try {
      const text = email?.text ?? "";
      expect(text).toContain("* Home – 10\u00a0km around Lyon 1er");
      expect(text).toContain("* Work – 20\u00a0km around Lyon 1er");
      expect(text).not.toContain("Paris");
      const alone =
        /Change or stop emails: Work – 20\u00a0km around Lyon 1er\s+(\S+)/.exec(text)?.[1] ?? "";
      await world.post(alone);

      expect(await zonesOf(world)).toBe(2);
      await world.publish({ name: "Felix", email: "second@example.org" });
      await world.pass(MINUTE);
      expect((await news(world)).at(-1)?.text).toContain("your area “Home”");
    } finally {
      await world.end();
    }
  });

  test("ends all of them by one click, and no other zone; the page says which", async () => {
    const { world, oneClick } = await withTwoZones();
    try {
      const page = await world.text(oneClick);
      expect(page).toContain("Stop the emails about all of these areas");
      expect(page).toContain("Home");
      expect(page).toContain("Work");
      expect(page).not.toContain("Paris");

      for (const _ of ["first", "second"])
        expect((await world.post(oneClick, { "List-Unsubscribe": "One-Click" })).status).toBe(200);

      expect(await zonesOf(world)).toBe(1);
      expect(await world.text(oneClick)).toContain("These emails have stopped");
      await world.publish({ name: "Felix", email: "second@example.org" });
      await world.pass(2 * HOUR);
      expect(await news(world)).toHaveLength(1);
    } finally {
      await world.end();
    }
  });

  test("still ends the rest when one of them was ended alone", async () => {
    const { world, email, oneClick } = await withTwoZones();
    try {
      await world.post(linkIn(email, "/unsubscribe/"));
      expect(await zonesOf(world)).toBe(2);

      expect(await world.text(oneClick)).toContain("Stop the emails about this area");
      await world.post(oneClick);

      expect(await zonesOf(world)).toBe(1);
    } finally {
      await world.end();
    }
  });
});

test("a folder from before these caps: sixty like zones bring one email, which ends them all by one click", async () => {
  const world = await createWorld(OFF);
  try {
    const database = new Database(join(world.dataDir, DATABASE_FILE));
    const add = database.query(
      `insert into zone (id, lat, lng, radius_km, email, language, created_at, revision)
       values (?, ?, ?, 10, ?, 'en', ?, 0)`,
    );
    for (let at = 0; at < 60; at++)
      add.run(Bun.randomUUIDv7(), CIRCLE.lat, CIRCLE.lng, READER, world.now());
    database.close();
    await world.restart();
    expect(await zonesOf(world)).toBe(60);

    await world.publish();
    await world.pass(MINUTE);
    const [email, ...others] = await news(world);
    const header = email?.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";

    expect(others).toEqual([]);
    expect(email?.text).toContain("50 more areas");
    expect((await watch(world)).status).toBe(200);
    expect((await watch(world, { radius_km: 11 })).status).toBe(409);
    await world.post(header.slice(1, -1));
    expect(await zonesOf(world)).toBe(0);
  } finally {
    await world.end();
  }
});

/** A white cat at dawn, and then all day alerts from one mail domain; gives what the email of the next morning says. */
async function floodOfADay(many: number): Promise<string> {
  const world = await createWorld(OFF);
  try {
    await world.post("/subscribe", { ...forForm(CIRCLE), frequency: "daily" });
    await world.confirm(READER);
    const { short_code: code } = await world.publish({ color: "white", email: "anna@example.net" });
    const flood = Array.from({ length: many }, (_, nth) =>
      makeBulk({ ownerEmail: `flood${nth}@flood.example` }),
    );
    await world.app.service.alerts.add(flood);
    await world.pass(DAY, HOUR);
    const [email, ...others] = await news(world);
    expect(others).toEqual([]);
    return (email?.text ?? "").includes(code) ? "tells of the cat" : "does not tell of the cat";
  } finally {
    await world.end();
  }
}

const forForm = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

describe("hundreds of alerts a day from one mail domain", () => {
  const MANY = 220;

  test("push no other one out of a daily email", async () => {
    expect(await floodOfADay(MANY)).toBe("tells of the cat");
  });
});

test("dozens of alerts from one mail domain push no other one out of a gathered email", async () => {
  const world = await createWorld(OFF);
  await watch(world);
  const flood = async (from: number, many: number) => {
    for (let nth = from; nth < from + many; nth++)
      await world.publish({ color: `colour ${nth}`, email: `flood${nth}@flood.example` });
  };
  // The hour's emails, and an hour later one that gathers the rest: the next goes in another hour.
  await flood(0, 3);
  await world.pass(MINUTE);
  await flood(3, 4);
  await world.pass(HOUR + MINUTE, MINUTE);
  const { short_code: code } = await world.publish({ color: "white", email: "anna@example.net" });
  world.jump(MINUTE);
  await flood(7, 22);
  await world.pass(HOUR, 10 * MINUTE);

  expect((await news(world)).some(({ text }) => text?.includes(code))).toBe(true);
  await world.end();
});
