import { describe, expect, test } from "bun:test";
import type { Letter } from "../../src/core/letter.ts";
import {
  createPostman,
  PLACES,
  PLACES_A_DOMAIN,
  type PostmanParts,
  SLOW_MS,
} from "../../src/mail/postman.ts";
import { type Delivery, memoryTransport, SMTP_CONNECTIONS } from "../../src/mail/transport.ts";

const START = Date.UTC(2026, 10, 21, 7, 30);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SENT: Delivery = { kind: "sent" };
const LATER: Delivery = { kind: "later", why: "451 not now" };

describe("the postman", () => {
  test("sends due letters and notes it", async () => {
    const world = someWorld({ letters: ["a", "b"] });

    await world.postman.tick(START);

    expect(world.sent()).toEqual(["a", "b"]);
    expect(world.states()).toEqual({ a: "sent", b: "sent" });
  });

  test("names the letter, its reader and its times to the transport", async () => {
    const world = someWorld({ letters: ["a"] });
    world.wait(5_000);

    await world.postman.tick(world.now());

    expect(world.transport.kept[0]?.mail).toMatchObject({
      id: "a",
      to: "reader@a.example.org",
      language: "de",
      createdAt: START,
      sentAt: START + 5_000,
      subject: "About a",
    });
  });

  test("sends more letters in one tick than it has places", async () => {
    const letters = Array.from({ length: PLACES * 5 }, (_, at) => `letter-${at}`);
    const world = someWorld({ letters });

    await world.postman.tick(START);

    expect(world.sent().sort()).toEqual(letters.sort());
  });

  test("has no more letters under way at once than it has places", async () => {
    let underWay = 0;
    let most = 0;
    const world = someWorld({
      letters: Array.from({ length: PLACES * 3 }, (_, at) => `letter-${at}`),
      async answer() {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return SENT;
      },
    });

    await Promise.all([world.postman.tick(START), world.postman.tick(START)]);

    expect(most).toBe(PLACES);
  });

  test("lets no slow letter hold the others, in this tick or the next", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = someWorld({
      letters: ["slow", "a", "b", "c", "d", "e"],
      answer: ({ id }) => (id === "slow" ? slow.promise : SENT),
    });

    const first = world.postman.tick(START);
    await world.closed("e");
    world.post("f");
    await world.postman.tick(START);

    expect(world.sent()).toEqual(["a", "b", "c", "d", "e", "f"]);
    slow.resolve(SENT);
    await first;
    expect(world.states().slow).toBe("sent");
  });

  test("lets letters to one domain that hang hold no others", async () => {
    const hanging = Array.from({ length: PLACES + 2 }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = someWorld({
      letters: [...hanging, "a", "b", "c"],
      domain: (id) => (hanging.includes(id) ? "hangs.example" : `${id}.example.org`),
      answer: ({ id }) => (hanging.includes(id) ? answer.promise : SENT),
    });

    const ticking = world.postman.tick(START);
    await world.closed("c");

    expect(world.sent()).toEqual(["a", "b", "c"]);
    expect(world.asked()).toEqual([...hanging.slice(0, PLACES_A_DOMAIN), "a", "b", "c"]);
    answer.resolve(SENT);
    await ticking;
    expect(world.sent()).toHaveLength(hanging.length + 3);
  });

  test("gives the place of a letter that takes long to another, up to a limit for all", async () => {
    const hanging = Array.from({ length: SMTP_CONNECTIONS + 5 }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = someWorld({
      letters: hanging.slice(0, PLACES),
      answer: ({ id }) => (hanging.includes(id) ? answer.promise : SENT),
    });
    const ticks = [world.postman.tick(START)];
    await world.quiet();
    world.post("good");

    world.wait(SLOW_MS - 1);
    await world.postman.tick(world.now());
    expect(world.sent()).toEqual([]);

    world.wait(1);
    await world.postman.tick(world.now());
    expect(world.sent()).toEqual(["good"]);

    for (const id of hanging.slice(PLACES)) world.post(id);
    for (let round = 0; round < hanging.length; round += 1) {
      ticks.push(world.postman.tick(world.now()));
      await world.quiet();
      world.wait(SLOW_MS);
    }
    expect(world.asked()).toEqual([
      ...hanging.slice(0, PLACES),
      "good",
      ...hanging.slice(PLACES, SMTP_CONNECTIONS),
    ]);
    answer.resolve(SENT);
    await Promise.all(ticks);
  });

  test("never sends a letter that another postman holds", async () => {
    const letters = Array.from({ length: 40 }, (_, at) => `letter-${at}`);
    const world = someWorld({ letters });
    const other = world.another();

    await Promise.all([world.postman.tick(START), other.tick(START), world.postman.tick(START)]);

    expect(world.sent()).toHaveLength(letters.length);
    expect(new Set(world.sent()).size).toBe(letters.length);
  });

  test("takes up letters of a postman that died once their lease is over", async () => {
    const world = someWorld({ letters: ["a"] });
    await world.store.leaseLetters(START, 10 * MINUTE_MS, 1);

    await world.postman.tick(START + 10 * MINUTE_MS - 1);
    expect(world.sent()).toEqual([]);

    await world.postman.tick(START + 10 * MINUTE_MS);
    expect(world.sent()).toEqual(["a"]);
  });
});

describe("when mail cannot go out", () => {
  test("it waits a minute, then twice as long each time up to an hour, and starts over after a success", async () => {
    let answer: Delivery = LATER;
    const world = someWorld({ answer: () => answer });
    const pauses: number[] = [];

    for (let attempt = 0; attempt < 9; attempt += 1) {
      world.post(`letter-${attempt}`);
      await world.postman.tick(world.now());
      const until = world.postman.pausedUntil ?? never();
      pauses.push((until - world.now()) / MINUTE_MS);
      world.wait(until - world.now());
    }

    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    answer = SENT;
    await world.postman.tick(world.now());
    expect(world.postman.pausedUntil).toBeNull();
    answer = LATER;
    world.post("another");
    await world.postman.tick(world.now());
    expect((world.postman.pausedUntil ?? never()) - world.now()).toBe(MINUTE_MS);
  });

  test("no letter is tried before the pause is over, and none is lost", async () => {
    let answer: Delivery = LATER;
    const world = someWorld({ letters: ["a"], answer: () => answer });
    await world.postman.tick(START);
    answer = SENT;
    world.post("b");

    world.wait(MINUTE_MS - 1);
    await world.postman.tick(world.now());
    expect(world.sent()).toEqual([]);

    world.wait(1);
    await world.postman.tick(world.now());
    expect(world.sent().sort()).toEqual(["a", "b"]);
  });

  test("a clock that was far ahead and steps back holds no mail", async () => {
    let answer: Delivery = LATER;
    const world = someWorld({ answer: () => answer });
    world.wait(400 * 24 * HOUR_MS);
    world.post("ahead");
    await world.postman.tick(world.now());
    world.wait(-400 * 24 * HOUR_MS);
    world.post("now");
    answer = SENT;

    await world.postman.tick(world.now());

    expect(world.sent()).toEqual(["now"]);
  });

  test("letters that fail side by side count as one failure", async () => {
    const world = someWorld({ letters: ["a", "b", "c", "d"], answer: () => LATER });

    await world.postman.tick(START);

    expect(world.postman.pausedUntil).toBe(START + MINUTE_MS);
  });

  test("the rest of the outbox is left alone", async () => {
    const letters = Array.from({ length: 50 }, (_, at) => `letter-${at}`);
    const tried: string[] = [];
    const world = someWorld({
      letters,
      answer({ id }) {
        tried.push(id);
        return LATER;
      },
    });

    await world.postman.tick(START);

    expect(tried.length).toBe(PLACES);
  });

  test("a letter that fails every time waits longer than the others", async () => {
    const bad = Array.from({ length: PLACES }, (_, at) => `bad-${at}`);
    const world = someWorld({
      letters: bad,
      answer: ({ id }) => (id.startsWith("bad") ? LATER : SENT),
    });
    await world.postman.tick(START);
    world.wait(MINUTE_MS);
    await world.postman.tick(world.now());
    world.post("good");

    world.wait((world.postman.pausedUntil ?? never()) - world.now());
    await world.postman.tick(world.now());

    expect(world.sent()).toEqual(["good"]);
    expect(world.postman.pausedUntil).toBeNull();
  });
});

describe("one letter's own misfortune", () => {
  test("a refused letter is closed for good, and the others go", async () => {
    const world = someWorld({
      letters: ["bad", "good"],
      answer: ({ id }) => (id === "bad" ? { kind: "refused", why: "550 5.1.1" } : SENT),
    });

    await world.postman.tick(START);

    expect(world.states()).toEqual({ bad: "refused", good: "sent" });
    expect(world.postman.pausedUntil).toBeNull();
    expect(world.logged().join()).toContain("550 5.1.1");
  });

  test("a deferred letter waits alone, longer each time, an hour at most", async () => {
    const world = someWorld({
      letters: ["full"],
      answer: ({ id }) => (id === "full" ? { kind: "deferred", why: "452 4.2.2" } : SENT),
    });
    const waits: number[] = [];

    for (let attempt = 0; attempt < 7; attempt += 1) {
      await world.postman.tick(world.now());
      const waitMs = (world.dueAt("full") ?? never()) - world.now();
      waits.push(waitMs / MINUTE_MS);
      world.wait(waitMs);
    }
    world.post("other");
    await world.postman.tick(world.now());

    expect(waits).toEqual([1, 3, 9, 27, 60, 60, 60]);
    expect(world.sent()).toEqual(["other"]);
    expect(world.postman.pausedUntil).toBeNull();
  });

  test("a letter past its time is given up unsent", async () => {
    const world = someWorld({ letters: ["late"] });
    world.wait(3 * 24 * HOUR_MS);

    await world.postman.tick(world.now());

    expect(world.sent()).toEqual([]);
    expect(world.states()).toEqual({ late: "given_up" });
  });

  test("a letter that cannot be put into words waits an hour for the mended program", async () => {
    const world = someWorld({
      letters: ["broken", "good"],
      compose(letter) {
        if (letter.id === "broken") throw new Error("no words");
        return composed(letter);
      },
    });

    await world.postman.tick(START);

    expect(world.states()).toEqual({ broken: "waiting", good: "sent" });
    expect(world.dueAt("broken")).toBe(START + HOUR_MS);
    expect(world.postman.pausedUntil).toBeNull();
    expect(world.logged().join()).toContain("no words");
  });

  test("a letter that makes the transport throw waits, and the others go", async () => {
    const world = someWorld({
      letters: ["broken", "good"],
      answer({ id }) {
        if (id === "broken") throw new Error("a bug");
        return SENT;
      },
    });

    await world.postman.tick(START);

    expect(world.states()).toEqual({ broken: "waiting", good: "sent" });
  });
});

describe("when the outbox fails", () => {
  test("a letter that went out is noted later, not sent again", async () => {
    const world = someWorld({ letters: ["a"] });
    const { closeLetter } = world.store;
    world.store.closeLetter = () => {
      throw new Error("disk full");
    };
    await world.postman.tick(START);
    expect(world.states()).toEqual({ a: "waiting" });
    world.store.closeLetter = closeLetter;

    world.wait(10 * MINUTE_MS);
    await world.postman.tick(world.now());

    expect(world.sent()).toEqual(["a"]);
    expect(world.states()).toEqual({ a: "sent" });
    expect(world.logged().join()).toContain("disk full");
  });

  test("a letter that went out is not sent again, though its domain is full when its turn comes", async () => {
    const hanging = Array.from({ length: PLACES_A_DOMAIN }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = someWorld({
      letters: ["a"],
      domain: () => "full.example",
      answer: ({ id }) => (id === "a" ? SENT : answer.promise),
    });
    const { closeLetter } = world.store;
    world.store.closeLetter = () => {
      throw new Error("disk full");
    };
    await world.postman.tick(START);
    world.store.closeLetter = closeLetter;

    for (const id of hanging) world.post(id);
    world.wait(10 * MINUTE_MS);
    const ticking = world.postman.tick(world.now());
    await world.quiet();
    answer.resolve(SENT);
    await ticking;

    expect(world.asked()).toEqual(["a", ...hanging]);
    expect(world.states()).toMatchObject({ a: "sent" });
  });

  test("a tick does not throw, and the next one goes on", async () => {
    const world = someWorld({ letters: ["a"] });
    const { leaseLetters } = world.store;
    world.store.leaseLetters = () => {
      throw new Error("disk full");
    };
    await world.postman.tick(START);
    world.store.leaseLetters = leaseLetters;

    await world.postman.tick(START);

    expect(world.sent()).toEqual(["a"]);
  });
});

describe("stopping", () => {
  test("waits for letters under way and starts no more", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = someWorld({
      letters: Array.from({ length: PLACES + 1 }, (_, at) => `letter-${at}`),
      answer: () => slow.promise,
    });
    const ticking = world.postman.tick(START);
    await world.quiet();

    const stopped = world.postman.stop();
    slow.resolve(SENT);
    await stopped;
    await ticking;
    await world.postman.tick(START);

    expect(world.sent()).toHaveLength(PLACES);
    expect(Object.values(world.states()).filter((state) => state === "waiting")).toHaveLength(1);
  });

  test("gives a letter that was cut short back at once", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = someWorld({ letters: ["a"], answer: () => slow.promise });
    const ticking = world.postman.tick(START);

    const stopped = world.postman.stop();
    slow.resolve({ kind: "later", why: "the transport was closed" });
    await Promise.all([stopped, ticking]);

    expect(world.dueAt("a")).toBe(START);
  });
});

type Row = { letter: Letter; dueAt: number; state: string };

/** A postman with an outbox of its own, a transport that answers as told and a clock that is pushed. */
function someWorld(
  options: {
    letters?: readonly string[];
    answer?: (mail: { id: string }) => Delivery | Promise<Delivery>;
    compose?: PostmanParts["compose"];
    /** Of a letter's reader. */
    domain?: (id: string) => string;
  } = {},
) {
  let now = START;
  const logged: string[] = [];
  const waiters = new Map<string, () => void>();
  const rows = new Map<string, Row>();
  const asked: string[] = [];
  const { answer = () => SENT, domain = (id) => `${id}.example.org` } = options;
  const transport = memoryTransport({
    answer(mail) {
      asked.push(mail.id);
      return answer(mail);
    },
  });
  const store: PostmanParts["store"] = {
    async leaseLetters(at, leaseMs, limit, domainsToLeave = []) {
      const due = [...rows.values()].filter(
        (row) =>
          row.state === "waiting" &&
          row.dueAt <= at &&
          !domainsToLeave.some((domain) => row.letter.to.endsWith(`@${domain}`)),
      );
      const taken = due.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, limit);
      for (const row of taken) row.dueAt = at + leaseMs;
      return taken.map(({ letter }) => letter);
    },
    async closeLetter(id, outcome) {
      (rows.get(id) ?? never()).state = outcome;
      waiters.get(id)?.();
    },
    async postponeLetter(id, dueAt) {
      (rows.get(id) ?? never()).dueAt = dueAt;
    },
  };
  const postman = () =>
    createPostman({
      isSteady: async () => true,
      store,
      transport,
      compose: options.compose ?? composed,
      clock: () => now,
      log: (text, error) => logged.push(`${text} ${error instanceof Error ? error.message : ""}`),
      told: () => {},
    });
  const post = (id: string) =>
    rows.set(id, { letter: letter(id, domain(id), now), dueAt: now, state: "waiting" });
  for (const id of options.letters ?? []) post(id);
  return {
    store,
    transport,
    postman: postman(),
    another: postman,
    post,
    now: () => now,
    wait(ms: number) {
      now += ms;
    },
    closed: (id: string) => new Promise<void>((resolve) => waiters.set(id, resolve)),
    sent: () => transport.kept.map(({ mail }) => mail.id),
    /** Letters the transport was given, in order. */
    asked: () => asked,
    /** Resolves when all that can go on without an answer or the clock went on. */
    quiet: () => new Promise<void>((resolve) => setImmediate(resolve)),
    states: () => Object.fromEntries([...rows].map(([id, { state }]) => [id, state])),
    dueAt: (id: string) => rows.get(id)?.dueAt,
    logged: () => logged,
  };
}

function letter(id: string, domain: string, createdAt: number): Letter {
  return {
    id,
    to: `reader@${domain}`,
    language: "de",
    content: {
      kind: "confirm",
      action: "zone",
      shortCode: null,
      sealedToken: "t",
      expiresAt: createdAt,
    },
    createdAt,
    giveUpAt: createdAt + 3 * 24 * HOUR_MS,
  };
}

function composed({ id }: Letter) {
  return {
    subject: `About ${id}`,
    text: "Hello\n",
    html: "<p>Hello</p>\n",
    link: "https://pets.example.org/",
    unsubscribeUrl: null,
  };
}

function never(): never {
  throw new Error("the test's own material is missing");
}
