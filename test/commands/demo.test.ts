import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DEMO_MESSAGES } from "../../src/messages/messages.ts";
import { isoDate } from "../../src/core/input.ts";
import { demo } from "../../src/commands/demo.ts";
import { distanceKm, snap } from "../../src/values/point.ts";
import { LATEST } from "../support/make.ts";
import { get, openShell, type Shell } from "./shell.ts";

const LYON = { lat: 45.75, lng: 4.85 };

/** All alerts, of any status, in the order of publication. */
const everyAlert = () => shell.look((app) => app.store.alertsAfter(null, 1_000));

let shell: Shell;
beforeEach(() => {
  shell = openShell();
});
afterEach(() => shell.end());

test("demo fills the folder with alerts around a town, each of which says that it is made up", async () => {
  const { code, said } = await shell.run(demo, ["Lyon", "--count", "200", "--pictures", "0"]);

  const alerts = await everyAlert();
  expect(code).toBe(0);
  expect(said).toContain("Added 200 alerts around Lyon, FR. Each says that it is made up.");
  expect(said).toEndWith("pet-alert, or in a clone npx --yes bun@1.4.5 run start");
  expect(alerts).toHaveLength(200);
  for (const { description, point, countryCode, language } of alerts) {
    expect(description).toContain(DEMO_MESSAGES.fr.disclaimer);
    expect(distanceKm(LYON, point)).toBeLessThan(50);
    expect(snap(point.lat, point.lng)).toEqual(point);
    expect([countryCode, language]).toEqual(["FR", "fr"]);
  }
  expect(new Set(alerts.map(({ shortCode }) => shortCode)).size).toBe(200);
});

test("running demo again adds nothing and says so; a higher number adds the rest", async () => {
  await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "2"]);

  const again = await shell.run(demo, ["lyon, fr", "--count", "20"]);
  const more = await shell.run(demo, ["Lyon", "--count", "30", "--pictures", "2"]);

  expect(again.code).toBe(0);
  expect(again.said).toContain("Nothing was added");
  expect(more.said).toContain("Added 10 alerts");
  expect(more.said).toContain("20 more already existed");
  expect(await everyAlert()).toHaveLength(30);
});

test("the same seed gives the same animals in another folder; another seed other ones", async () => {
  const other = openShell();
  await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "3", "--seed", "7"]);
  await other.run(demo, ["Lyon", "--count", "20", "--pictures", "3", "--seed", "7"]);

  const animals = async (from: Shell) =>
    (await from.alerts()).map((alert) =>
      [alert.pet_name, alert.breed, alert.latitude, alert.description, ...alert.photos].join(),
    );
  expect(await animals(shell)).toEqual(await animals(other));
  expect((await animals(shell)).join()).toContain("/photos/");

  const { said } = await shell.run(demo, "Lyon --count 20 --pictures 0 --seed 8".split(" "));
  expect(said).toContain("Added 20 alerts");
  expect((await animals(shell)).slice(0, 20)).not.toEqual(await animals(other));
  other.end();
});

test.each([
  ["Lyon", "fr"],
  ["Berlin", "de"],
  ["London", "en"],
] as const)("demo %s is told in the language of the place: %s", async (place, language) => {
  await shell.run(demo, [place, "--count", "60", "--pictures", "0"]);

  const texts = DEMO_MESSAGES[language];
  const alerts = await everyAlert();
  const names = texts.names.split(" ");
  for (const alert of alerts) {
    expect(alert.language).toBe(language);
    expect(alert.description).toEndWith(texts.disclaimer);
    expect([null, ...names]).toContain(alert.name);
  }
  if (language !== "en") {
    const known = (table: Readonly<Record<string, string>>) => Object.values(table);
    for (const { breed, color } of alerts) {
      expect(["unknown", ...known(texts.breeds)]).toContain(breed);
      expect(known(texts.colors)).toContain(color);
    }
  }
});

test("the newest alerts have pictures, others were seen, and some animals are home again", async () => {
  await shell.run(demo, ["Lyon", "--pictures", "10"]);

  const alerts = await everyAlert();
  const newest = alerts.slice(-10);
  expect(alerts.slice(0, -10).flatMap(({ photos }) => photos)).toEqual([]);
  expect(newest.filter(({ photos }) => photos.length > 0).length).toBeGreaterThan(5);
  await shell.look(async (app) => {
    for (const name of newest.flatMap(({ photos }) => photos)) {
      const picture = await app.service.photos.publicPhoto(name, "full");
      expect(await new Bun.Image(picture!).metadata()).toMatchObject({ width: 600, height: 600 });
    }
    const home = await (await get(app, "/")).text();
    expect(home).toMatch(/\d\d animals back home/);
    expect(home).toContain('id="home-again"');
    const sightings = await Promise.all(alerts.map(({ id }) => app.store.sightings(id, 5)));
    expect(sightings.flat().length).toBeGreaterThan(20);
    for (const { seenAt, note } of sightings.flat()) {
      expect(seenAt).toBeLessThanOrEqual(app.clock());
      expect(DEMO_MESSAGES.fr.sightings).toContain(note!);
    }
  });
  const days = new Set(alerts.map(({ publishedAt }) => isoDate(publishedAt)));
  expect(days.size).toBeGreaterThan(30);
  for (const { publishedAt, eventDate, endedAt } of alerts) {
    expect(isoDate(publishedAt) >= eventDate).toBe(true);
    expect(endedAt ?? publishedAt).toBeGreaterThanOrEqual(publishedAt);
  }
});

test("nobody is written to about made-up alerts, and nobody owns them", async () => {
  await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "2"]);

  await shell.look(async (app) => {
    expect(await app.store.unannouncedAlerts(10, LATEST)).toEqual([]);
    await app.tick();
    const newest = await get(app, "/api/v1/alerts?limit=1");
    const [{ id }] = ((await newest.json()) as any).alerts;
    expect((await app.store.alert({ by: "id", id }))?.ownerEmail).toBeNull();
    expect(await app.store.linkTo("manage", id)).toBeNull();
  });
  const mail = join(shell.dataDir, "mail");
  expect(existsSync(mail) ? readdirSync(mail) : []).toEqual([]);
});

test.each([
  [["Los", "Angel"], 'There is no place called "Los Angel", so Los Angeles, US was used.'],
  [
    ["frankfurt", "am,", "DE"],
    'There is no place called "frankfurt am", so Frankfurt am Main, DE was used.',
  ],
])("demo %p takes the large place whose name begins so, and says where", async (words, guess) => {
  const { said } = await shell.run(demo, [...words, "--count", "1", "--pictures", "0"]);

  expect(said).toContain(guess);
  expect(said).toMatch(/around [\w ]+, (?:US|DE)\. /);
});

test.each([
  [["--count", "300"], "needs the name of a place"],
  [["Lyon", "--count", "0"], "--count must be a whole number from 1 to 1,000,000"],
  [["Lyon", "--cuont", "3"], "Usage: pet-alert demo"],
])("demo %p is refused in words", async (args, words) => {
  expect(await shell.failing(demo, args)).toContain(words);
});

test("demo that is stopped says what it did, and is not done", async () => {
  const { code, said } = await shell.run(demo, ["Lyon"], { stopped: AbortSignal.abort() });

  expect(code).toBe(1);
  expect(said).toContain("Stopped: 0 made-up alerts were added");
});
