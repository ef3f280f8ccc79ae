import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Alert, toPublicAlert } from "../../../src/core/alerts/alert.ts";
import { createLinks } from "../../../src/core/urls.ts";
import { alertToWire } from "../../../src/http/api/alert-json.ts";
import type { Store } from "../../../src/core/service/store.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { isNightly } from "../../support/nightly.ts";
import { DAY } from "../../support/time.ts";
import { BASE_URL, createWorld, json, type World } from "../../support/world.ts";
import { fc } from "../../support/seed.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.end());

const NAMES = {
  id: "01975a3e-0000-7000-8000-000000000001",
  slug: "lost-cat-mimi-lyon-k7f3q2",
  shortCode: "K7F3Q2",
};

/** One live alert, as the store has it. */
async function published(): Promise<Alert> {
  const bulk = makeBulk({ draft: makeDraft({ ...NAMES, name: "Mimi" }) });
  await world.app.service.alerts.add([bulk]);
  return stored(bulk.draft.id);
}

async function stored(id: string): Promise<Alert> {
  const alert = await world.app.store.alert({ by: "id", id });
  if (alert === null) throw new Error("the store has no such alert");
  return alert;
}

/** What all answers show that may show the alert: the search, and it by each of its names. */
async function shown({ id, slug, shortCode }: Alert) {
  const page = await world.json("/api/v1/alerts");
  const one = async (name: string) => {
    const answer = await world.fetch(`/api/v1/alerts/${name}`);
    if (answer.status !== 200) return answer.status;
    const { pet_name, status } = await json(answer);
    return `${pet_name}, ${status}`;
  };
  return {
    listed: page.alerts.map((alert: any) => alert.pet_name),
    named: [await one(id), await one(slug), await one(shortCode)],
  };
}

/** Lets the store's answer to the next call of a verb lie until `letGo`; it is made before. */
function holdNext(verb: "alert" | "alertsByKeys") {
  const store = world.app.store as { -readonly [Verb in keyof Store]: Store[Verb] };
  const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: made, resolve: isMade } = Promise.withResolvers<void>();
  const real = store[verb] as (asked: never) => Promise<never>;
  const slow = async (asked: never) => {
    store[verb] = real as never;
    const answer = await real(asked);
    isMade();
    await gone;
    return answer;
  };
  store[verb] = slow as never;
  return { letGo, made };
}

describe("faces that are kept", () => {
  test.each([
    [
      "its owner ends it",
      (alert: Alert) => move(alert, "resolved"),
      { listed: [], named: ["Mimi, resolved", "Mimi, resolved", "Mimi, resolved"] },
    ],
    [
      "it is removed",
      (alert: Alert) => world.app.store.removeAlert(alert.id, world.now()),
      { listed: [], named: [410, 410, 410] },
    ],
    [
      "its words change",
      (alert: Alert) => rename(alert, "Momo"),
      { listed: ["Momo"], named: ["Momo, active", "Momo, active", "Momo, active"] },
    ],
  ])("are let go when %s", async (_, change, expected) => {
    const alert = await published();
    for (const _again of [1, 2])
      expect(await shown(alert)).toEqual({
        listed: ["Mimi"],
        named: ["Mimi, active", "Mimi, active", "Mimi, active"],
      });

    await change(alert);
    await world.app.service.syncIndexes();

    expect(await shown(alert)).toEqual(expected);
    expect(await shown(alert)).toEqual(expected);
  });

  test("are one and the same, whether found or asked for by any name", async () => {
    const { id, slug, shortCode } = await published();
    const { service } = world.app;
    const found = async () => (await service.alerts.search({ limit: 1 })).alerts[0]?.alert;
    const first = await found();
    if (first === undefined) throw new Error("nothing was found");

    for (const name of [id, slug, shortCode]) {
      for (const _again of [1, 2]) expect(await service.alerts.get(name)).toBe(first);
      expect(await found()).toBe(first);
    }
  });

  test.each([
    ["alertsByKeys", () => world.fetch("/api/v1/alerts")],
    ["alert", (alert: Alert) => world.fetch(`/api/v1/alerts/${alert.slug}`)],
  ] as const)("are not what %s read before the alert was removed", async (verb, ask) => {
    const alert = await published();
    const { made, letGo } = holdNext(verb);
    const asked = ask(alert);
    await made;

    await world.app.store.removeAlert(alert.id, world.now());
    await world.app.service.syncIndexes();
    letGo();
    await asked;

    expect(await shown(alert)).toEqual({ listed: [], named: [410, 410, 410] });
  });

  test("are all let go when what changed cannot be read", async () => {
    const alert = await published();
    await shown(alert);
    const store = world.app.store as { -readonly [Verb in keyof Store]: Store[Verb] };
    const { changesSince } = store;
    store.changesSince = () => Promise.reject(new Error("the disk is gone"));

    await store.removeAlert(alert.id, world.now());
    await expect(world.app.service.syncIndexes()).rejects.toThrow("the disk is gone");

    expect(await shown(alert)).toEqual({ listed: [], named: [410, 410, 410] });
    store.changesSince = changesSince;
  });

  test("are as the database has them after any changes", async () => {
    const names = ["Mimi", "Željko", 'A "B" \\', "Мурка"];
    const change = fc.tuple(
      fc.constantFrom(
        "add",
        "rename",
        "end",
        "renew",
        "hide",
        "restore",
        "remove",
        "erase",
        "pass",
      ),
      fc.nat(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 20 }), async (changes) => {
        await world.app.service.alerts.add([makeBulk()]);
        for (const [kind, nth] of changes) {
          const alerts = await world.app.store.alertsAfter(null, 1_000);
          await changed(kind, alerts[nth % alerts.length]!, names[nth % names.length]!);
          await world.app.service.syncIndexes();
          await expectShownAsStored();
        }
      }),
      { numRuns: isNightly ? 10 : 3 },
    );
  });
});

async function changed(kind: string, alert: Alert, name: string): Promise<void> {
  const { app } = world;
  const email = `${alert.id}@example.org`;
  switch (kind) {
    case "add":
      return void (await app.service.alerts.add([
        makeBulk({ draft: makeDraft({ name }), ownerEmail: email }),
      ]));
    case "rename":
      return void (await rename(alert, name, `new-${alert.slug}`));
    case "end":
      return void (await move(alert, "resolved"));
    case "renew":
      return void (await move(alert, "active"));
    case "hide":
    case "restore":
    case "remove":
      // What its state does not allow is refused.
      return void (await app.operator.moderate(kind, alert.id).catch(() => {}));
    case "erase":
      return void (await app.operator.erasePerson(alert.ownerEmail ?? email));
    case "pass":
      return world.pass(5 * DAY);
  }
}

/** Expects the JSON of each alert, and of all that are live, to be that of the row. */
async function expectShownAsStored(): Promise<void> {
  const stored = await world.app.store.alertsAfter(null, 1_000);
  const wires = stored.map((alert) => {
    const view = toPublicAlert(alert, createLinks(BASE_URL));
    return view === null ? 410 : alertToWire(view);
  });
  const named = stored.map(async ({ shortCode, slug }, nth) => {
    const answer = await world.fetch(`/api/v1/alerts/${nth % 2 === 0 ? shortCode : slug}`);
    return answer.status === 200 ? answer.json() : answer.status;
  });
  expect(await Promise.all(named)).toEqual(wires);
  const live = wires.filter((wire) => wire !== 410 && wire.status === "active");
  expect((await world.json("/api/v1/alerts?limit=100")).alerts).toEqual(live.toReversed());
}

function move(alert: Alert, status: "resolved" | "active") {
  const endedAt = status === "active" ? null : world.now();
  const change = { status, expiresAt: alert.expiresAt + DAY, endedAt };
  return world.app.store.changeStatus(alert, change, world.now());
}

function rename(alert: Alert, name: string, slug = alert.slug) {
  const { id, shortCode, type, species, breed, color, size, sex, age } = alert;
  const { description, eventDate, custody, city, countryCode, point, photos } = alert;
  const { chipHash, collar, district, eventTime, landmark } = alert;
  const looks = { type, species, name, breed, color, size, sex, age, description, custody };
  const rest = {
    collar,
    district,
    eventTime,
    landmark,
    eventDate,
    city,
    countryCode,
    point,
    photos,
    chipHash,
  };
  return world.app.store.editAlert(alert, { id, slug, shortCode, ...looks, ...rest }, world.now());
}
