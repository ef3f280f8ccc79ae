import { afterAll, expect, test } from "bun:test";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { scratchFolder } from "../support/process.ts";
import { agree } from "./agreement.ts";
import { alertsFolder } from "./alerts.ts";
import { compare } from "./comparison.ts";
import { sqlite } from "./peers/sqlite.ts";
import { questionsAbout } from "./questions.ts";
import { timesOver } from "./times.ts";

const folder = scratchFolder();
afterAll(folder.forget);

test("searches find what SQLite finds by its R*Tree and its index of words", async () => {
  const alerts = await alertsFolder(1_000, folder.path);
  const kinds = await questionsAbout(alerts, await openGazetteer(), 10);

  const { names, agreed, times } = await compare(alerts, [sqlite], kinds, 1, null, () => {});

  expect(names).toEqual(["pet-alert", "sqlite"]);
  expect(agreed).toBe(times.length * 10);
  for (const { by } of times) expect(by["pet-alert"]?.p50).toBeGreaterThan(0);
});

const QUESTION = { lat: 0, lng: 0, radiusKm: 111.195 };
const page = (...latitudes: number[]) =>
  JSON.stringify({
    alerts: latitudes.map((latitude) => ({ id: latitude, latitude, longitude: 0 })),
  });

test("answers agree when only an alert on the rim of the circle is missing", () => {
  expect(agree(page(0.1, 1, 0.2), page(0.1, 0.2, 0.3), QUESTION)).toBe(true);
});

test("answers do not agree when an alert inside the circle is missing", () => {
  expect(agree(page(0.1, 0.5, 0.2), page(0.1, 0.2), QUESTION)).toBe(false);
  expect(agree(page(0.1, 1, 0.5, 0.2), page(0.1, 0.2), QUESTION)).toBe(false);
});

test("a question counts with the median of its rounds", () => {
  const slowOnce = [
    [1, 2, 3],
    [1, 90, 3],
    [1, 2, 80],
  ];

  expect(timesOver(slowOnce)).toEqual({ p50: 2, p99: 3 });
});
