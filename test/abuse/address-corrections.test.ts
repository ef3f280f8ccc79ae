import { expect, test } from "bun:test";
import { QUOTAS } from "../../src/core/caps.ts";
import { createWorld, type World } from "../support/world.ts";

const SUBSCRIPTIONS_AN_HOUR = 10;
const ATTACKER = "203.0.113.66";

test("one request reaches no more strangers than it may be corrected", async () => {
  expect(await strangersReached({ requests: 1, corrections: 9 })).toBe(
    1 + QUOTAS.addressCorrections,
  );
});

test("a corrected address counts against its client's limit as a request does", async () => {
  const reached = await strangersReached({ requests: 6, corrections: 2 });

  expect(reached).toBe(SUBSCRIPTIONS_AN_HOUR);
});

test("whoever uses up corrections takes none from anybody else", async () => {
  const world = await createWorld();
  await strangersReachedIn(world, { requests: 6, corrections: 9 });

  const asked = await world.post("/subscribe", { ...ZONE, email: "typo@example.net" });
  const corrected = await world.post(`${asked.headers.get("Location")}/address`, {
    email: "reader@example.net",
  });

  expect(corrected.status).toBe(303);
  expect(await world.emails("reader@example.net")).toHaveLength(1);
  await world.end();
});

const ZONE = { lat: "45.77", lng: "4.83", radiusKm: "5" };
type Tries = { readonly requests: number; readonly corrections: number };

/** Strangers who get an email when one client asks so often and corrects each request's address so often. */
async function strangersReached(tries: Tries): Promise<number> {
  const world = await createWorld();
  try {
    return await strangersReachedIn(world, tries);
  } finally {
    await world.end();
  }
}

async function strangersReachedIn(world: World, { requests, corrections }: Tries): Promise<number> {
  const reached = new Set<string>();
  let named = 0;
  const stranger = () => `stranger-${(named += 1)}@example.org`;
  for (let request = 0; request < requests; request++) {
    const fields = { ...ZONE, lat: String(10 + request), email: stranger() };
    const asked = await world.post("/subscribe", fields, {}, ATTACKER);
    let page = asked.headers.get("Location");
    for (let at = 0; at < corrections && page !== null; at++) {
      // Each address has its email before the next one is named.
      await world.tick();
      const email = stranger();
      const corrected = await world.post(`${page}/address`, { email }, {}, ATTACKER);
      page = corrected.headers.get("Location");
    }
  }
  await world.tick();
  for (const { envelope } of world.sentMail) reached.add(envelope.to);
  return reached.size;
}
