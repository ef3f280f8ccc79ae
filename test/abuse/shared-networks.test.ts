import { expect, test } from "bun:test";
import { PHOTOS_MAX } from "../../src/core/alerts/publication.ts";
import { CAPS } from "../../src/core/caps.ts";
import { without, withoutCaps } from "../chaos/weakened.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld, form, LOST_CAT, type World } from "../support/world.ts";

const CLAUDE = "160.79.105.20";
const OTHER_PROVIDER = "192.0.2.130";
const HOSTED = { SHARED_EGRESS: "160.79.104.0/21, 192.0.2.128/25" };
const REGULAR = "regular@example.org";
const HALF = CAPS.sharedNetworkWrites.max / 2;

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
async function emptyThePool(create: typeof createWorld) {
  const world = await create(HOSTED);
  await world.post("/subscribe", { lat: "1", lng: "1", radiusKm: "5", email: REGULAR });
  await world.confirm(REGULAR);
  const before = world.sentMail.length;
  const answers = new Set<string>();
  for (let nth = 0; nth < 120; nth++)
    answers.add(await subscribe(world, CLAUDE, `invented${nth}@example.net`));
  await world.app.tick();
  const atOnce = world.sentMail.length - before;

  answers.add(await subscribe(world, CLAUDE, REGULAR));
  const regularAtOnce = (await emailsTo(world, REGULAR)) === 2;
  answers.add(await subscribe(world, OTHER_PROVIDER, "elsewhere@example.org"));
  const otherProviderAtOnce = (await emailsTo(world, "elsewhere@example.org")) === 1;
  answers.add(await subscribe(world, CLAUDE, "stranger@example.org"));
  await world.pass(3 * HOUR, MINUTE);
  const strangerInTheEnd = (await emailsTo(world, "stranger@example.org")) === 1;
  await world.end();
  return { answers: answers.size, atOnce, regularAtOnce, otherProviderAtOnce, strangerInTheEnd };
}

test("a hundred and twenty calls for invented mailboxes: known mailboxes and other providers get their emails at once, nobody is refused, all answers are alike", async () => {
  const { atOnce, ...found } = await emptyThePool(createWorld);

  expect(found).toEqual({
    answers: 1,
    regularAtOnce: true,
    otherProviderAtOnce: true,
    strangerInTheEnd: true,
  });
  // Held ones go too, in their turn.
  expect(atOnce).toBeLessThanOrEqual(HALF + 4);
}, 600_000);

test("without a part kept for known mailboxes, theirs waits with the rest", async () => {
  const oneForAll = {
    module: "src/core/limits.ts",
    name: "throttleFor",
    instead: `(...given) => {
      const throttle = original.throttleFor(...given);
      const unknown = throttle?.pool?.unknown;
      return unknown === undefined ? throttle : { pool: { unknown, known: unknown } };
    }`,
  };
  const found = await without([oneForAll], async (copy) =>
    emptyThePool((await copy.worlds()).createWorld),
  );

  expect(found.regularAtOnce).toBe(false);
}, 600_000);

test("without a pool for each network, one provider's user takes the other's share", async () => {
  const onePool = {
    module: "src/core/limits.ts",
    name: "throttleFor",
    instead: `(...given) => {
      const throttle = original.throttleFor(...given);
      if (!throttle?.pool) return throttle;
      const { unknown, known } = throttle.pool;
      return { pool: { unknown: { ...unknown, key: "pool" }, known: { ...known, key: "known" } } };
    }`,
  };
  const found = await without([onePool], async (copy) =>
    emptyThePool((await copy.worlds()).createWorld),
  );

  expect(found.otherProviderAtOnce).toBe(false);
}, 600_000);

test("without its cap, a pool mails a flood at once", async () => {
  const found = await without([withoutCaps("sharedNetworkWrites")], async (copy) =>
    emptyThePool((await copy.worlds()).createWorld),
  );

  expect(found.atOnce).toBeGreaterThan(HALF + 4);
}, 600_000);

test("the whole pool is refused only beyond a thousand writes of a kind an hour, known mailboxes alike", async () => {
  const world = await createWorld(HOSTED);
  const hits = Array.from({ length: CAPS.sharedNetworkRequests.max - 1 }, () => ({
    key: "publish:requests:pool:160.79.104.0/21",
    ...CAPS.sharedNetworkRequests,
  }));
  await world.app.store.countHits(hits, world.now());
  const publish = (email: string) => {
    const fields = { type: "lost", species: "cat", color: "grey", lat: "45.77", lng: "4.83" };
    const { headers, body } = form({ ...fields, email });
    return world.fetch("/publish", { method: "POST", headers, body }, CLAUDE);
  };

  expect((await publish("last@example.org")).status).toBe(303);
  expect((await publish("late@example.org")).status).toBe(429);
  expect(await subscribe(world, CLAUDE, REGULAR)).toContain("pending_confirmation");
  await world.end();
});

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
