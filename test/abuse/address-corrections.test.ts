import { expect, test } from "bun:test";
import { STOCKS } from "../../src/core/caps.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import { createWorld } from "../support/world.ts";
import { nightlyTest } from "../support/nightly.ts";

type Create = typeof createWorld;

const SUBSCRIPTIONS_AN_HOUR = 10;
const ATTACKER = "203.0.113.66";

test("one request reaches no more strangers than it may be corrected", async () => {
  expect(await strangersReached(createWorld, { requests: 1, corrections: 9 })).toBe(
    1 + STOCKS.addressCorrections,
  );
});

nightlyTest(
  "without that limit one request writes to as many strangers as it is corrected to",
  async () => {
    const unlimited: Weakening = {
      module: "src/core/caps.ts",
      name: "STOCKS",
      instead: "{ ...original.STOCKS, addressCorrections: 1e9 }",
    };

    const reached = await without([unlimited], async (copy) =>
      strangersReached((await copy.worlds()).createWorld, { requests: 1, corrections: 9 }),
    );

    expect(reached).toBe(10);
  },
);

test("a corrected address counts against its client's limit as a request does", async () => {
  const reached = await strangersReached(createWorld, { requests: 6, corrections: 2 });

  expect(reached).toBe(SUBSCRIPTIONS_AN_HOUR);
});

nightlyTest(
  "uncounted corrections reach more strangers than the client's limit allows",
  async () => {
    const uncounted: Weakening = {
      module: "db/rate-limits.ts",
      name: "noteHits",
      instead: "async () => {}",
    };

    const reached = await without([uncounted], async (copy) =>
      strangersReached((await copy.worlds()).createWorld, { requests: 6, corrections: 2 }),
    );

    expect(reached).toBeGreaterThan(SUBSCRIPTIONS_AN_HOUR);
  },
);

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
async function strangersReached(create: Create, tries: Tries): Promise<number> {
  const world = await create();
  try {
    return await strangersReachedIn(world, tries);
  } finally {
    await world.end();
  }
}

async function strangersReachedIn(
  world: Awaited<ReturnType<Create>>,
  { requests, corrections }: Tries,
): Promise<number> {
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
