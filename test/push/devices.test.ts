import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../db/sqlite/backups/backup.ts";
import { bytesIn } from "../support/disk.ts";
import { createPushDevice, createPushServices, type PushDevice } from "../support/push-device.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../support/world.ts";

const LYON = { place: "Lyon, FR", radiusKm: "10" };
const BASE = { LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" };

let world: World;
let services: ReturnType<typeof createPushServices>;
beforeEach(async () => {
  services = createPushServices();
  world = await createWorld(BASE, { sendPush: services.send });
});
afterEach(() => world.end());

const watch = (device: PushDevice, about: Record<string, string> = {}) =>
  world.post("/subscribe/device", { ...LYON, ...about, ...device.subscription });
const told = async ({ subscription: { endpoint } }: PushDevice) =>
  (await world.post("/device", { endpoint })).text();
const titles = (device: PushDevice) => services.shownOn(device).map(({ title }) => title);

/** Publishes a found cat; its owner's name for it must never reach others. */
const publishFound = (nth: number) =>
  world.publish({ type: "found", name: "CanaryName", email: `finder-${nth}@example.org` });

describe("a device of somebody who watches an area", () => {
  test("is told of what gathered in the language of its page, by the newest alert and without a stranger's word", async () => {
    const device = createPushDevice();
    const fields = { ...LYON, label: "Zuhause", ...device.subscription };
    await world.post("/subscribe/device", fields, { "Accept-Language": "de" });
    for (let nth = 0; nth < 3; nth++) {
      await publishFound(nth);
      await world.pass(MINUTE);
    }
    await publishFound(3);
    const { slug } = await world.publish({
      species: "dog",
      name: "CanaryName",
      description: "CanaryWords",
      email: "walker@example.org",
    });
    await world.pass(HOUR, MINUTE);

    const gathered = services.shownOn(device).slice(1 + 3);
    expect(gathered).toEqual([
      {
        title: "Hund vermisst – Lyon 1er",
        body: "Neu in Ihrem Gebiet: Zuhause. Und 1 weitere Meldung.",
        navigate: `http://localhost:3000/alerts/${slug}`,
        lang: "de",
        dir: "ltr",
        tag: expect.stringMatching(/^[\w-]{32}$/),
        silent: false,
      },
    ]);
    expect(new Set(services.kept.map(({ body }) => body.length)).size).toBe(1);
  });

  test("sees what it is told of, and stops it for good", async () => {
    const device = createPushDevice();
    await watch(device, { label: "Home" });
    await watch(device, { label: "Twice" });
    await watch(device, { place: "Paris", label: "Work" });
    const page = await told(device);
    expect(page).toContain("Home");
    expect(page).toContain("Work");
    expect(page).not.toContain("Twice");
    const [, home = ""] = /name="subject" value="(zone:[^"]+)"/.exec(page) ?? [];

    const { endpoint } = device.subscription;
    await world.post("/device/stop", { endpoint, subject: home });
    expect(await told(device)).not.toContain("Home");
    await publishFound(1);
    await world.pass(MINUTE);
    expect(titles(device).filter((title) => title.includes("Lyon"))).toEqual([]);

    await world.post("/device/stop", { endpoint });
    expect(await told(device)).toContain("This device gets no notifications.");
  });
});

describe("a device of an owner", () => {
  const tellOwner = async (device: PushDevice, owner = LOST_CAT.email, language = "en") => {
    const manage = await world.linkTo(owner, "/manage/");
    return world.post(`${manage}/device`, device.subscription, { "Accept-Language": language });
  };

  test("is told at once of a message and a sighting, without a word of the strangers", async () => {
    const { slug } = await world.publish();
    const device = createPushDevice();
    expect((await tellOwner(device)).headers.get("Location")).toEndWith("?done=device");
    await world.tick();

    await world.tool("send_message", {
      alert: slug,
      message: "CanaryWords: I saw her",
      email: FINDER,
      name: "CanaryWriter",
    });
    await world.confirm(FINDER);
    await world.tick();
    const seen = { lat: "45.78", lng: "4.84", hoursAgo: "2", note: "CanaryNote", email: FINDER };
    await world.post(`/alerts/${slug}/sighting`, seen);
    await world.confirm(FINDER);
    await world.tick();

    const [, message, sighting] = services.shownOn(device);
    expect(message.title).toBe("Someone has written about Mimi");
    expect((await world.fetch(message.navigate)).status).toBe(200);
    expect(message.navigate).toContain("/conversation/");
    expect(sighting).toMatchObject({
      title: "Someone may have seen your animal",
      body: "Lost cat – Mimi",
    });
    expect(JSON.stringify(services.shownOn(device))).not.toMatch(/Canary[WN]/);
    expect(services.kept.map(({ urgency }) => urgency)).toEqual(["normal", "high", "high"]);
    expect(new Set(services.kept.map(({ topic }) => topic)).size).toBe(1);
    expect(new Set(services.kept.map(({ body }) => body.length)).size).toBe(1);
  });

  test("is told of a likely match on both sides, each of its own alert, and opens the page of the match", async () => {
    const coat = { breed: "Cornish Rex", color: "tortoiseshell", size: "small", sex: "female" };
    const [ofOwner, ofFinder] = [createPushDevice(), createPushDevice()];
    const lost = { ...coat, event_date: "2026-04-30", description: "CanaryOwner" };
    const found = { ...coat, type: "found", name: "CanaryFinder", event_date: "2026-05-01" };
    await world.publish({ ...found, email: FINDER, language: "fr" });
    await tellOwner(ofFinder, FINDER, "fr");
    await world.publish(lost);
    await tellOwner(ofOwner);
    await world.publish({ ...found, email: "second-finder@example.net" });
    await world.pass(HOUR, MINUTE);

    const [, match, ...more] = services.shownOn(ofOwner);
    const [, correspondence, ...others] = services.shownOn(ofFinder);
    expect([more, others]).toEqual([[], []]);
    expect(match).toMatchObject({
      title: "Possible match",
      body: "Someone has found an animal that could be yours.",
      lang: "en",
    });
    expect(correspondence).toMatchObject({
      title: "Correspondance possible",
      body: "Quelqu’un cherche un animal qui pourrait être celui que vous avez trouvé.",
      lang: "fr",
    });
    expect(match.navigate).not.toBe(correspondence.navigate);
    for (const { navigate } of [match, correspondence]) {
      expect(navigate).toContain("/pair/");
      expect((await world.fetch(navigate)).status).toBe(200);
    }
    expect(JSON.stringify([match, correspondence])).not.toMatch(/Canary|Mimi/);
    const urgencies = services.kept.map(({ urgency }) => urgency).toSorted();
    expect(urgencies).toEqual(["high", "high", "normal", "normal"]);
    expect(() => ofOwner.read(services.kept[0]!.body)).toThrow();
  });

  test("is told once an hour of messages beyond those that are emailed at once, and opens their list", async () => {
    const { slug } = await world.publish();
    const device = createPushDevice();
    await tellOwner(device);
    await world.tick();
    const write = async (nth: number) => {
      const email = `neighbour-${nth}@example.net`;
      await world.tool("send_message", { alert: slug, message: `CanaryWords ${nth}`, email });
      await world.confirm(email);
    };
    for (let nth = 0; nth < 9; nth++) await write(nth);
    await world.pass(HOUR + MINUTE, MINUTE);

    const [, ...told] = services.shownOn(device);
    const digests = told.slice(5);
    expect(told.slice(0, 5).map(({ title }) => title)).toEqual(
      Array.from({ length: 5 }, () => "Someone has written about Mimi"),
    );
    expect(digests.length).toBeGreaterThanOrEqual(1);
    expect(digests.length).toBeLessThanOrEqual(2);
    const manage = await world.linkTo(LOST_CAT.email, "/manage/");
    for (const digest of digests)
      expect(digest).toMatchObject({
        title: "More messages and sightings",
        body: "Lost cat – Mimi",
        navigate: manage,
      });
    expect(JSON.stringify(told)).not.toContain("Canary");
  });

  test("is counted among what is kept about its owner, without its address, and erased with it", async () => {
    await world.publish();
    const devices = [createPushDevice(), createPushDevice()];
    for (const device of devices) await tellOwner(device);
    await world.post("/erase", { email: LOST_CAT.email });
    const erase = await world.linkTo(LOST_CAT.email, "/erase/");

    const page = await world.text(erase);
    await world.post(erase);

    expect(page).toContain("2 devices that get notifications about your alerts");
    for (const { subscription } of devices) {
      expect(page).not.toContain(subscription.endpoint);
      expect(page).not.toContain(subscription.auth);
    }
    for (const device of devices)
      expect(await told(device)).toContain("This device gets no notifications.");
  });
});

describe("what is refused at the door, without a packet", () => {
  const good = createPushDevice().subscription;
  const offCurve = Buffer.alloc(65, 1);
  offCurve[0] = 4;
  test.each([
    ["a foreign host", { endpoint: "https://push.example.org/x" }],
    ["a host that ends like a push service", { endpoint: "https://evilfcm.googleapis.com/x" }],
    ["loopback", { endpoint: "https://127.0.0.1/x" }],
    ["the metadata address of clouds", { endpoint: "https://169.254.169.254/latest" }],
    ["plain http", { endpoint: "http://fcm.googleapis.com/x" }],
    ["a long address", { endpoint: `https://fcm.googleapis.com/${"x".repeat(1_024)}` }],
    ["a key that is no point of the curve", { p256dh: offCurve.toString("base64url") }],
    ["a short secret", { auth: "AAAA" }],
  ])("%s", async (_name, wrong) => {
    const answer = await world.post("/subscribe/device", { ...LYON, ...good, ...wrong });
    await world.tick();
    expect(answer.status).toBe(400);
    expect(services.kept).toEqual([]);
  });

  test("a push service of the operator is accepted once the settings name it", async () => {
    const device = createPushDevice("https://push.example.org/x");
    await world.end();
    const settings = { ...BASE, PUSH_SERVICES: "*.example.net, push.example.org" };
    world = await createWorld(settings, { sendPush: services.send });
    await watch(device);
    await world.tick();
    expect(titles(device)).toHaveLength(1);
  });

  test("more than twenty alerts and areas for one device, and more than LIMIT_SUBSCRIBE", async () => {
    const device = createPushDevice();
    for (let nth = 0; nth < 20; nth++)
      expect((await watch(device, { place: "", lat: `${40 + nth / 10}`, lng: "4" })).status).toBe(
        303,
      );
    expect((await watch(device)).status).toBe(409);

    await world.end();
    world = await createWorld({ LIMIT_SUBSCRIBE: "2/h" }, { sendPush: services.send });
    const answers = [];
    for (let nth = 0; nth < 3; nth++) answers.push((await watch(createPushDevice())).status);
    expect(answers).toEqual([303, 303, 429]);
  });
});

test("the operator sees in the metrics what push services answer, but not the refusals of made-up devices", async () => {
  const gone = createPushDevice();
  const madeUp = createPushDevice();
  const others = [createPushDevice(), createPushDevice()];
  let isKeyWrong = false;
  const answers = createPushServices(({ endpoint }) => {
    if (endpoint === gone.subscription.endpoint) return { kind: "gone" };
    return isKeyWrong || endpoint === madeUp.subscription.endpoint
      ? { kind: "refused", why: "403" }
      : { kind: "sent" };
  });
  await world.end();
  world = await createWorld({ ...BASE, METRICS_PUBLIC: "on" }, { sendPush: answers.send });
  for (const device of [gone, madeUp, ...others]) await watch(device);
  await world.tick();
  isKeyWrong = true;
  await world.publish();
  await world.pass(MINUTE);

  const text = await world.text("/metrics");
  const pushes = [...text.matchAll(/^pet_alert_pushes_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm)];
  expect(pushes.map(([, outcome, count]) => [outcome, count])).toEqual([
    ["sent", "2"],
    ["gone", "1"],
    ["refused", "2"],
  ]);
});

test("no address of a device is in the database, its backups or the log", async () => {
  const device = createPushDevice();
  await watch(device);
  await world.publish();
  await world.tick();
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-copy-"));
  // Nodes on PostgreSQL have no backup of ours.
  if (existsSync(join(world.dataDir, "pet-alert.sqlite"))) {
    await backUp(world.dataDir, join(folder, "backup"));
    expect(bytesIn(folder)).toContain(LOST_CAT.email);
  }
  const { endpoint, auth, p256dh } = device.subscription;
  const stored = world.storedBytes() + bytesIn(folder);
  rmSync(folder, { recursive: true });
  for (const secret of [endpoint, endpoint.slice(-12), auth, p256dh])
    expect(stored.includes(secret)).toBeFalse();
  expect(world.logged.join()).not.toContain("canary");
});
