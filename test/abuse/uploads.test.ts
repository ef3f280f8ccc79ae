import { describe, expect, test } from "bun:test";
import { STOCKS } from "../../src/core/caps.ts";
import { jpeg } from "../support/picture.ts";
import { createWorld, LOST_CAT, upload, type World } from "../support/world.ts";
import { type Weakening, without } from "../chaos/weakened.ts";

type Create = typeof createWorld;

const MIB = 1024 * 1024;
const SECOND = 1_000;
const BOUNDARY = "--x\r\n";

/** A form with photos whose sender decides when how much of its body comes. */
function sender(world: World, from: string, declared: number | null = null) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let queue: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void (queue = controller),
    cancel: () => void (isOpen = false),
  });
  const headers = {
    "Content-Type": "multipart/form-data; boundary=x",
    ...(declared === null ? {} : { "Content-Length": String(declared) }),
  };
  const status = world
    .fetch("/publish", { method: "POST", headers, body }, from)
    .then(async (answer) => {
      finish();
      return `${answer.status} ${answer.headers.get("Retry-After") ?? ""}`.trim();
    });
  return {
    status,
    /** Sends so many bytes and lets the service read them. */
    async send(bytes: number) {
      const chunk = 64 * 1024;
      for (let left = bytes; left > 0 && isOpen; left -= chunk) {
        queue.enqueue(Buffer.alloc(Math.min(chunk, left), BOUNDARY));
        await turns();
      }
    },
    end() {
      if (isOpen) queue.close();
    },
    isAnswered: () => Promise.race([finished.then(() => true), turns().then(() => false)]),
  };
}

/** Lets what is under way in this process go on. */
async function turns(): Promise<void> {
  for (let left = 5; left > 0; left -= 1) await new Promise((next) => setImmediate(next));
}

/** Publishes as a person does, with a photo of their own. */
async function publishAsPerson(world: World, from = "192.0.2.77"): Promise<number> {
  const { type, species, color, email } = LOST_CAT;
  const given = { type, species, color, email, place: "Lyon" };
  const trailer = Buffer.alloc(7_000_000);
  const photo = Buffer.concat([await jpeg({ width: 640, height: 480 }), trailer]);
  const form = { method: "POST", ...upload(given, [photo]) };
  return (await world.fetch("/publish", form, from)).status;
}

/** Publishes without a photo, by the same form. */
async function publishWithoutPhoto(world: World): Promise<number> {
  const { type, species, color } = LOST_CAT;
  const given = { type, species, color, email: "other@example.org", place: "Lyon" };
  return (await world.fetch("/publish", { method: "POST", ...upload(given) }, "192.0.2.78")).status;
}

const network = (number: number) => `198.51.${100 + number}.7`;

describe("uploads that trickle", () => {
  const attack = async (create: Create, count: number, address: (at: number) => string) => {
    const world = await create();
    const tricklers = Array.from({ length: count }, (_, at) => sender(world, address(at), 8e6));
    for (const one of tricklers) await one.send(1_000);
    const person = await publishAsPerson(world);
    const neighbour = await publishAsPerson(world, address(0));
    await world.pass(21 * SECOND, SECOND);
    const after = await Promise.all(tricklers.map(({ isAnswered }) => isAnswered()));
    for (const one of tricklers) one.end();
    const answers = new Set(await Promise.all(tricklers.map(({ status }) => status)));
    const held = world.app.bodyBytes();
    await world.end();
    return { person, neighbour, cut: after.filter(Boolean).length, answers: [...answers], held };
  };
  const everywhere = (at: number) => network(at % 100);

  test.each([
    ["24 of one address", 24, () => network(1)],
    ["24 of many addresses", 24, everywhere],
    ["200 of many addresses", 200, everywhere],
    ["200 of one IPv6 network", 200, (at: number) => `2001:db8:0:${at.toString(16)}::1`],
  ])("%s keep nobody from publishing with a photo and are cut off", async (_, count, address) => {
    expect(await attack(createWorld, count, address)).toEqual({
      person: 303,
      // Of their own address, too.
      neighbour: 303,
      cut: count,
      answers: ["503 15"],
      held: 0,
    });
  });

  test("would go on for ever without a slowest pace", async () => {
    const patient: Weakening = {
      module: "src/core/caps.ts",
      name: "BODY_PACE",
      instead: "{ ...original.BODY_PACE, bytesPerSecondMin: 0 }",
    };
    const facts = await without([patient], async (copy) =>
      attack((await copy.worlds()).createWorld as Create, 24, everywhere),
    );

    expect(facts.cut).toBe(0);
  });
});

describe("an upload that is fast enough, but never ends,", () => {
  const attack = async (create: Create) => {
    const world = await create();
    const endless = sender(world, network(1), 8 * MIB);
    const honest = sender(world, network(2), 4_000 * 100);
    for (let seconds = 0; seconds < 100; seconds += 1) {
      await Promise.all([endless.send(4_000), honest.send(4_000)]);
      await world.pass(SECOND);
    }
    honest.end();
    const read = await honest.status;
    for (let seconds = 0; seconds < 21; seconds += 1) {
      await endless.send(4_000);
      await world.pass(SECOND);
    }
    const isCut = await endless.isAnswered();
    endless.end();
    await endless.status;
    await world.end();
    return { read, isCut };
  };

  test("is cut off after two minutes; a slow phone's photo of 400 KB has arrived by then", async () => {
    expect(await attack(createWorld)).toEqual({ read: "400", isCut: true });
  });

  test("would go on without that limit", async () => {
    const endless: Weakening = {
      module: "src/core/caps.ts",
      name: "BODY_PACE",
      instead: "{ ...original.BODY_PACE, msMax: 1e12 }",
    };
    const facts = await without([endless], async (copy) =>
      attack((await copy.worlds()).createWorld as Create),
    );

    expect(facts.isCut).toBe(false);
  });
});

describe("uploads that come fast and then stall", () => {
  const attack = async (create: Create, count: number, address: (at: number) => string) => {
    const world = await create();
    const stalled: ReturnType<typeof sender>[] = [];
    let mostHeld = 0;
    for (let at = 0; at < count; at += 1) {
      const one = sender(world, address(at), 8e6);
      stalled.push(one);
      await one.send(7.9e6);
      mostHeld = Math.max(mostHeld, world.app.bodyBytes());
      await world.pass(SECOND);
    }
    const person = await publishAsPerson(world);
    const photoless = await publishWithoutPhoto(world);
    for (const one of stalled) one.end();
    await Promise.all(stalled.map(({ status }) => status));
    const held = world.app.bodyBytes();
    await world.end();
    return { person, photoless, mostHeld, held };
  };
  const fromMany = (create: Create) => attack(create, 24, network);

  test("hold no more than the budget, and make room for a person who comes later", async () => {
    const { mostHeld, ...facts } = await fromMany(createWorld);

    expect(facts).toEqual({ person: 303, photoless: 303, held: 0 });
    expect(mostHeld).toBeGreaterThan(STOCKS.uploadBytes / 2);
    expect(mostHeld).toBeLessThanOrEqual(STOCKS.uploadBytes + STOCKS.requestBytes);
  });

  test.each([
    ["one address", () => network(1), STOCKS.uploadBytesPerClient + STOCKS.requestBytesPerClient],
    [
      "one IPv6 network",
      (at: number) => `2001:db8:0:${at.toString(16)}::1`,
      STOCKS.uploadBytesPerNetwork + STOCKS.requestBytesPerNetwork,
    ],
  ])("from %s have a small share of the budget", async (_, address, share) => {
    const { mostHeld, ...facts } = await attack(createWorld, 12, address);

    expect(facts).toEqual({ person: 303, photoless: 303, held: 0 });
    expect(mostHeld).toBeLessThanOrEqual(share);
  });

  test("would take as much memory as they like without the budget", async () => {
    const unbounded: Weakening = {
      module: "src/core/caps.ts",
      name: "STOCKS",
      instead:
        "{ ...original.STOCKS, uploadBytes: 1e12, uploadBytesPerClient: 1e12, uploadBytesPerNetwork: 1e12 }",
    };
    const facts = await without([unbounded], async (copy) =>
      fromMany((await copy.worlds()).createWorld as Create),
    );

    expect(facts.mostHeld).toBeGreaterThan(24 * 7.5e6);
  });

  test("would keep everybody from sending photos if newcomers were not given room", async () => {
    const stubborn: Weakening = {
      module: "src/http/middleware/body-cost.ts",
      name: "costlierThan",
      instead: "() => null",
    };
    const facts = await without([stubborn], async (copy) =>
      fromMany((await copy.worlds()).createWorld as Create),
    );

    expect(facts.person).toBe(503);
  });
});

describe("a declared length", () => {
  test("reserves nothing, however large", async () => {
    const world = await createWorld();
    const liars = Array.from({ length: 200 }, (_, at) => sender(world, network(at % 50), 8 * MIB));
    for (const one of liars) await one.send(1);

    expect(world.app.bodyBytes()).toBeLessThanOrEqual(200 * 16 * 1024);

    for (const one of liars) one.end();
    await Promise.all(liars.map(({ status }) => status));
    await world.end();
  });

  test("beyond what a form may hold is refused before anything is read", async () => {
    const world = await createWorld();
    const huge = sender(world, network(1), 9 * MIB);

    expect(await huge.status).toBe("413");
    await world.end();
  });
});
