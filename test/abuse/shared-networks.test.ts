import { expect, test } from "bun:test";
import { PHOTOS_MAX } from "../../src/core/alerts/publication.ts";
import { CAPS } from "../../src/core/caps.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld, form, LOST_CAT, type World } from "../support/world.ts";

const CLAUDE = "160.79.105.20";
const OTHER_PROVIDER = "192.0.2.130";
const HOSTED = { SHARED_EGRESS: "160.79.104.0/21, 192.0.2.128/25" };
const REGULAR = "regular@example.org";
const HALF = CAPS.sharedNetworkEmails.max / 2;

/** Calls the tool as an assistant would; gives its result without what is the caller's own. */
async function subscribe(world: World, from: string, email: string, lat = 10): Promise<string> {
  const answer = await call(world, from, "subscribe_zone", { lat, lng: 4.83, email });
  return answer.replaceAll(/.…@.…/g, "masked");
}

async function call(world: World, from: string, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { "Content-Type": "application/json" };
  return (await world.fetch("/api/mcp", { method: "POST", headers, body }, from)).text();
}

const emailsTo = async (world: World, to: string) => (await world.emails(to)).length;

// One user of an assistant subscribes for invented mailboxes, again and again.
async function emptyThePool() {
  const world = await createWorld(HOSTED);
  await world.post("/subscribe", { lat: "1", lng: "1", radiusKm: "5", email: REGULAR });
  await world.confirm(REGULAR);
  const before = world.sentMail.length;
  const answers = new Set<string>();
  for (let nth = 0; nth < 120; nth++)
    answers.add(await subscribe(world, CLAUDE, `invented${nth}@gmail.com`));
  await world.app.tick();
  const atOnce = world.sentMail.length - before;

  answers.add(await subscribe(world, CLAUDE, REGULAR));
  const regularAtOnce = (await emailsTo(world, REGULAR)) === 2;
  answers.add(await subscribe(world, OTHER_PROVIDER, "elsewhere@example.org"));
  const otherProviderAtOnce = (await emailsTo(world, "elsewhere@example.org")) === 1;
  await call(world, CLAUDE, "publish_alert", { ...LOST_CAT, email: "owner@example.org" });
  const publicationAtOnce = (await emailsTo(world, "owner@example.org")) === 1;
  await world.end();
  return { answers, atOnce, regularAtOnce, otherProviderAtOnce, publicationAtOnce };
}

test("a hundred and twenty calls for invented mailboxes: known mailboxes, publications and other providers get their emails at once, nobody is refused, all answers are alike", async () => {
  const { atOnce, answers, ...found } = await emptyThePool();

  expect(found).toEqual({
    regularAtOnce: true,
    otherProviderAtOnce: true,
    publicationAtOnce: true,
  });
  expect(atOnce).toBe(HALF);
  expect(answers.size).toBe(1);
  expect([...answers][0]).toContain("use the form on our website");
}, 600_000);

// Strangers name a mailbox in call after call; then its reader asks an assistant.
test("however often a mailbox is named, it is not locked out of assistants, and no answer tells whether it was named", async () => {
  const world = await createWorld(HOSTED);
  const answers = new Set<string>();
  for (let nth = 0; nth < 60; nth++) await subscribe(world, CLAUDE, "named@gmail.com", nth);
  for (const email of ["named@gmail.com", "unnamed@gmail.com"])
    answers.add(await subscribe(world, CLAUDE, email, 80));

  expect(answers.size).toBe(1);
  const published = await call(world, CLAUDE, "publish_alert", {
    ...LOST_CAT,
    email: "named@gmail.com",
  });
  expect(published).toContain("pending_confirmation");
  expect((await world.emails("named@gmail.com")).at(-1)?.subject).toContain("confirm your alert");
  await world.end();
});

test("a mailbox confirms as many requests of assistants in an hour as a client may make, and then again", async () => {
  const world = await createWorld(HOSTED);
  const links: string[] = [];
  for (let nth = 0; nth < 6; nth++) {
    await call(world, CLAUDE, "publish_alert", {
      ...LOST_CAT,
      name: `Mimi ${nth}`,
      email: REGULAR,
    });
    links.push(new URL(await world.linkTo(REGULAR, "/confirm/")).pathname);
    if (nth < 5) expect((await world.post(links[nth] ?? "")).status).toBe(200);
  }

  const refused = await world.post(links[5] ?? "");
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "3600"]);
  expect((await subscribe(world, CLAUDE, REGULAR)).includes("pending_confirmation")).toBe(true);
  await world.pass(HOUR, MINUTE);
  expect(await (await world.post(links[5] ?? "")).text()).toContain("Your alert is live");
  await world.end();
});

test("a mailbox that sent three messages of assistants about one alert today is told to come back tomorrow", async () => {
  const world = await createWorld(HOSTED);
  const { slug } = await world.publish();
  const { max } = CAPS.messagesPerAlertAndSender;
  const answers = [];
  for (let nth = 0; nth <= max; nth++) {
    const message = { alert: slug, message: `Seen near the station, ${nth}.`, email: REGULAR };
    await call(world, CLAUDE, "send_message", message);
    const link = new URL(await world.linkTo(REGULAR, "/confirm/")).pathname;
    answers.push(await world.post(link));
  }

  expect(answers.map(({ status }) => status)).toEqual([...Array(max).fill(200), 429]);
  expect(await answers.at(-1)?.text()).toContain(
    "You have reached the daily limit of messages about this alert.",
  );
  await world.end();
});

test("a request of an assistant that got no email gets none by its waiting page either, as long as the pool is full", async () => {
  const world = await createWorld(HOSTED);
  const ask = (email: string) =>
    world.post("/subscribe", { lat: "1", lng: "1", radiusKm: "5", email }, {}, CLAUDE);
  for (let nth = 0; nth < HALF; nth++) await ask(`invented${nth}@gmail.com`);
  const waiting = (await ask("late@gmail.com")).headers.get("Location") ?? "";
  world.jump(2 * MINUTE);

  const again = await world.post(`${waiting}/again`);

  expect(again.status).toBe(303);
  expect(await emailsTo(world, "late@gmail.com")).toBe(0);
  await world.end();
});

test("messages and sightings that a mailbox confirms count together, as those of a client do", async () => {
  const world = await createWorld({ ...HOSTED, LIMIT_MESSAGE: "2/h" });
  const { slug } = await world.publish();
  const send = async (path: string, fields: Record<string, string>) => {
    await world.post(`/alerts/${slug}/${path}`, { ...fields, email: REGULAR }, {}, CLAUDE);
    return (await world.confirm(REGULAR)).status;
  };
  const see = (note: string) => send("sighting", { lat: "45.7638", lng: "4.8412", note });

  const message = await send("contact", { message: "Is she chipped?" });
  const sightings = [await see("By the bridge."), await see("Behind the school.")];
  await world.end();
  expect([message, ...sightings]).toEqual([200, 200, 429]);
});

test("the whole pool is refused only beyond a thousand unconfirmed requests of a kind an hour, known mailboxes alike", async () => {
  const world = await createWorld(HOSTED);
  const publish = (email: string, from = CLAUDE) => {
    const fields = { type: "lost", species: "cat", color: "grey", lat: "45.77", lng: "4.83" };
    const { headers, body } = form({ ...fields, email });
    return world.fetch("/publish", { method: "POST", headers, body }, from);
  };
  const { max } = CAPS.sharedNetworkRequests;
  for (let nth = 0; nth < max; nth++) {
    const answer = await publish(`invented${nth}@gmail.com`);
    if (answer.status !== 303) throw new Error(`${nth}: ${answer.status}`);
  }

  const late = await publish(REGULAR);
  expect(late.status).toBe(429);
  expect(Number(late.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await subscribe(world, CLAUDE, REGULAR)).toContain("pending_confirmation");
  expect((await publish(REGULAR, "198.51.100.7")).status).toBe(303);
  await world.end();
}, 600_000);

test("one user who has an assistant fetch photos all hour keeps no other from publishing, only photos from being fetched", async () => {
  const world = await createWorld(HOSTED);
  const publish = (nth: number) =>
    call(world, CLAUDE, "publish_alert", {
      ...LOST_CAT,
      email: `invented${nth}@example.net`,
      photo_urls: Array.from({ length: PHOTOS_MAX }, (_, at) => `https://127.0.0.1/${nth}/${at}`),
    });
  for (let nth = 0; nth <= (10 * CAPS.photosPerClient.max) / PHOTOS_MAX; nth++) await publish(nth);

  const answer = await publish(1_000);

  expect(answer).toContain("pending_confirmation");
  expect(answer).toContain("Photo 1 of photo_urls is left out: Too many requests.");
  await world.end();
});
