import { expect } from "bun:test";
import { MINUTE } from "../support/time.ts";
import { firefoxTests, openFirefox } from "./firefox.ts";
import { servePushes } from "./push-service.ts";
import { openSite, type Site } from "./site.ts";

const { afterEach, beforeEach, test } = firefoxTests;
/** Notification that Firefox decrypted and showed. */
const DECRYPTED = 100;
const PATIENCE_MS = 120_000;
const HOST = "push.example.org";

let pushes: ReturnType<typeof servePushes>;
let site: Site;
let firefox: Awaited<ReturnType<typeof openFirefox>>;
beforeEach(async () => {
  pushes = servePushes(HOST);
  site = await openSite({ PUSH_SERVICES: HOST }, "", { sendPush: pushes.deliver });
  firefox = await openFirefox({ "dom.push.serverURL": pushes.address });
}, PATIENCE_MS);
afterEach(async () => {
  await firefox?.close();
  await pushes.end();
  expect(site.world.logged).toEqual([]);
  await site.end();
}, PATIENCE_MS);

test(
  "Firefox subscribes, decrypts what it is told and shows it",
  async () => {
    await pushes.ready;
    await firefox.goto(`${site.origin}/subscribe`);
    await firefox.evaluate(`document.querySelector("[name=place]").value = "Lyon, France"`);
    await firefox.evaluate(`document.querySelector("button[data-device]").click()`);
    await firefox.waitFor(`location.search === "?done=added"`);
    const shown: unknown[] = [];
    await site.world.tick();
    // The first one says that notifications are on; the second replaces it.
    while (pushes.acknowledged.length < 1) shown.push(...JSON.parse(await firefox.evaluate(SHOWN)));
    await site.world.publish({ type: "found" });
    await site.world.pass(MINUTE);

    while (!JSON.stringify(shown).includes("Found") || pushes.acknowledged.length < 2)
      shown.push(...JSON.parse(await firefox.evaluate(SHOWN)));
    expect(shown.at(-1)).toEqual(["Found cat – Lyon 1er", "New in your area", "en"]);
    const codes = pushes.acknowledged.flatMap(({ updates }) => updates?.map(({ code }) => code));
    expect(codes).toEqual([DECRYPTED, DECRYPTED]);
  },
  PATIENCE_MS,
);

/** Notifications that the browser shows, as JSON. */
const SHOWN = `(async () => {
  const registration = await navigator.serviceWorker.ready;
  const all = await registration.getNotifications();
  return JSON.stringify(all.map(({ title, body, lang }) => [title, body, lang]));
})()`;
