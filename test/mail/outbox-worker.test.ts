import { describe, expect, test } from "bun:test";
import { SEND_SLOTS, SEND_SLOTS_PER_DOMAIN, SLOW_MS } from "../../src/mail/outbox-worker.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";
import { SMTP_CONNECTIONS } from "../../src/mail/smtp.ts";
import { composed, createOutboxWorld, LATER, SENT, START } from "../support/outbox-world.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";

describe("the outbox worker", () => {
  test("sends due emails and notes it", async () => {
    const world = createOutboxWorld({ emails: ["a", "b"] });

    await world.worker.tick(START);

    expect(world.sent()).toEqual(["a", "b"]);
    expect(world.states()).toEqual({ a: "sent", b: "sent" });
  });

  test("names the email, its reader and its times to the transport", async () => {
    const world = createOutboxWorld({ emails: ["a"] });
    world.wait(5_000);

    await world.worker.tick(world.now());

    expect(world.transport.kept[0]?.mail).toMatchObject({
      id: "a",
      to: "reader@a.example.org",
      language: "de",
      createdAt: START,
      sentAt: START + 5_000,
      subject: "About a",
    });
  });

  test("has no more emails under way at once than it has places", async () => {
    let underWay = 0;
    let most = 0;
    const world = createOutboxWorld({
      emails: Array.from({ length: SEND_SLOTS * 3 }, (_, at) => `email-${at}`),
      async answer() {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return SENT;
      },
    });

    await Promise.all([world.worker.tick(START), world.worker.tick(START)]);

    expect(most).toBe(SEND_SLOTS);
  });

  test("lets no slow email hold the others, in this tick or the next", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails: ["slow", "a", "b", "c", "d", "e"],
      answer: ({ id }) => (id === "slow" ? slow.promise : SENT),
    });

    const first = world.worker.tick(START);
    await world.closed("e");
    await world.quiet();
    world.post("f");
    await world.worker.tick(START);

    expect(world.sent()).toEqual(["a", "b", "c", "d", "e", "f"]);
    slow.resolve(SENT);
    await first;
    expect(world.states().slow).toBe("sent");
  });

  test("lets emails to one domain that hang hold no others", async () => {
    const hanging = Array.from({ length: SEND_SLOTS + 2 }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails: [...hanging, "a", "b", "c"],
      domain: (id) => (hanging.includes(id) ? "hangs.example" : `${id}.example.org`),
      answer: ({ id }) => (hanging.includes(id) ? answer.promise : SENT),
    });

    const ticking = world.worker.tick(START);
    await world.closed("c");

    expect(world.sent()).toEqual(["a", "b", "c"]);
    expect(world.asked()).toEqual([...hanging.slice(0, SEND_SLOTS_PER_DOMAIN), "a", "b", "c"]);
    answer.resolve(SENT);
    await ticking;
    expect(world.sent()).toHaveLength(hanging.length + 3);
  });

  test("gives the place of an email that takes long to another, up to a limit for all", async () => {
    const hanging = Array.from({ length: SMTP_CONNECTIONS + 5 }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails: hanging.slice(0, SEND_SLOTS),
      answer: ({ id }) => (hanging.includes(id) ? answer.promise : SENT),
    });
    const ticks = [world.worker.tick(START)];
    await world.quiet();
    world.post("good");

    world.wait(SLOW_MS - 1);
    await world.worker.tick(world.now());
    expect(world.sent()).toEqual([]);

    world.wait(1);
    await world.worker.tick(world.now());
    expect(world.sent()).toEqual(["good"]);

    for (const id of hanging.slice(SEND_SLOTS)) world.post(id);
    for (let round = 0; round < hanging.length; round += 1) {
      ticks.push(world.worker.tick(world.now()));
      await world.quiet();
      world.wait(SLOW_MS);
    }
    expect(world.asked()).toEqual([
      ...hanging.slice(0, SEND_SLOTS),
      "good",
      ...hanging.slice(SEND_SLOTS, SMTP_CONNECTIONS),
    ]);
    answer.resolve(SENT);
    await Promise.all(ticks);
  });

  test("never sends an email that another worker holds", async () => {
    const emails = Array.from({ length: 40 }, (_, at) => `email-${at}`);
    const world = createOutboxWorld({ emails });
    const other = world.another();

    await Promise.all([world.worker.tick(START), other.tick(START), world.worker.tick(START)]);

    expect(world.sent()).toHaveLength(emails.length);
    expect(new Set(world.sent()).size).toBe(emails.length);
  });
});

describe("while emails go out quickly", () => {
  const emails = Array.from({ length: 200 }, (_, at) => `email-${at}`);

  test("those taken ahead are due again when one hangs", async () => {
    const hanging = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails,
      answer: ({ id }) => (Number(id.slice("email-".length)) >= 100 ? hanging.promise : SENT),
    });
    const first = world.worker.tick(START);
    await world.closed("email-99");
    await world.quiet();
    world.wait(2_000);
    const second = world.worker.tick(world.now());
    await world.quiet();

    const due = emails.filter(
      (id) => world.states()[id] === "waiting" && world.dueAt(id)! <= world.now(),
    );
    expect(due).toHaveLength(emails.length - 100 - SEND_SLOTS);
    hanging.resolve(SENT);
    await Promise.all([first, second]);
  });
});

describe("when the outbox fails", () => {
  test("an email that went out is noted later, not sent again", async () => {
    const world = createOutboxWorld({ emails: ["a"] });
    const { closeEmails } = world.store;
    world.store.closeEmails = async () => {
      throw new Error("disk full");
    };
    await world.worker.tick(START);
    expect(world.states()).toEqual({ a: "waiting" });
    world.store.closeEmails = closeEmails;

    world.wait(10 * MINUTE);
    await world.worker.tick(world.now());

    expect(world.sent()).toEqual(["a"]);
    expect(world.states()).toEqual({ a: "sent" });
    expect(world.logged().join()).toContain("disk full");
  });

  test("an email that went out is not sent again, though its domain is full when its turn comes", async () => {
    const hanging = Array.from({ length: SEND_SLOTS_PER_DOMAIN }, (_, at) => `hangs-${at}`);
    const answer = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails: ["a"],
      domain: () => "full.example",
      answer: ({ id }) => (id === "a" ? SENT : answer.promise),
    });
    const { closeEmails } = world.store;
    world.store.closeEmails = async () => {
      throw new Error("disk full");
    };
    await world.worker.tick(START);
    world.store.closeEmails = closeEmails;

    for (const id of hanging) world.post(id);
    world.wait(10 * MINUTE);
    const ticking = world.worker.tick(world.now());
    await world.quiet();
    answer.resolve(SENT);
    await ticking;

    expect(world.asked()).toEqual(["a", ...hanging]);
    expect(world.states()).toMatchObject({ a: "sent" });
  });
});

describe("stopping", () => {
  test("waits for emails under way and starts no more", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({
      emails: Array.from({ length: SEND_SLOTS + 1 }, (_, at) => `email-${at}`),
      answer: () => slow.promise,
    });
    const ticking = world.worker.tick(START);
    await world.quiet();

    const stopped = world.worker.stop();
    slow.resolve(SENT);
    await stopped;
    await ticking;
    await world.worker.tick(START);

    expect(world.sent()).toHaveLength(SEND_SLOTS);
    expect(Object.values(world.states()).filter((state) => state === "waiting")).toHaveLength(1);
  });

  test("gives an email that was cut short back at once", async () => {
    const slow = Promise.withResolvers<Delivery>();
    const world = createOutboxWorld({ emails: ["a"], answer: () => slow.promise });
    const ticking = world.worker.tick(START);

    const stopped = world.worker.stop();
    slow.resolve({ kind: "later", why: "the transport was closed" });
    await Promise.all([stopped, ticking]);

    expect(world.dueAt("a")).toBe(START);
  });
});

describe("when mail cannot go out", () => {
  test("it waits a minute, then twice as long each time up to an hour, and starts over after a success", async () => {
    let answer: Delivery = LATER;
    const world = createOutboxWorld({ answer: () => answer });
    const pauses: number[] = [];

    for (let attempt = 0; attempt < 9; attempt += 1) {
      world.post(`email-${attempt}`);
      await world.worker.tick(world.now());
      const until = world.worker.pausedUntil!;
      pauses.push((until - world.now()) / MINUTE);
      world.wait(until - world.now());
    }

    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    answer = SENT;
    await world.worker.tick(world.now());
    expect(world.worker.pausedUntil).toBeNull();
    answer = LATER;
    world.post("another");
    await world.worker.tick(world.now());
    expect(world.worker.pausedUntil! - world.now()).toBe(MINUTE);
  });

  test("no email is tried before the pause is over, and none is lost", async () => {
    let answer: Delivery = LATER;
    const world = createOutboxWorld({ emails: ["a"], answer: () => answer });
    await world.worker.tick(START);
    answer = SENT;
    world.post("b");

    world.wait(MINUTE - 1);
    await world.worker.tick(world.now());
    expect(world.sent()).toEqual([]);

    world.wait(1);
    await world.worker.tick(world.now());
    expect(world.sent().sort()).toEqual(["a", "b"]);
  });

  test("a clock that was far ahead and steps back holds no mail", async () => {
    let answer: Delivery = LATER;
    const world = createOutboxWorld({ answer: () => answer });
    world.wait(400 * DAY);
    world.post("ahead");
    await world.worker.tick(world.now());
    world.wait(-400 * DAY);
    world.post("now");
    answer = SENT;

    await world.worker.tick(world.now());

    expect(world.sent()).toEqual(["now"]);
  });

  test("an email that fails every time waits longer than the others", async () => {
    const bad = Array.from({ length: SEND_SLOTS }, (_, at) => `bad-${at}`);
    const world = createOutboxWorld({
      emails: bad,
      answer: ({ id }) => (id.startsWith("bad") ? LATER : SENT),
    });
    await world.worker.tick(START);
    world.wait(MINUTE);
    await world.worker.tick(world.now());
    world.post("good");

    world.wait(world.worker.pausedUntil! - world.now());
    await world.worker.tick(world.now());

    expect(world.sent()).toEqual(["good"]);
    expect(world.worker.pausedUntil).toBeNull();
  });
});

describe("one email's own misfortune", () => {
  test("a refused email is closed for good, and the others go", async () => {
    const world = createOutboxWorld({
      emails: ["bad", "good"],
      answer: ({ id }) => (id === "bad" ? { kind: "refused", why: "550 5.1.1" } : SENT),
    });

    await world.worker.tick(START);

    expect(world.states()).toEqual({ bad: "refused", good: "sent" });
    expect(world.worker.pausedUntil).toBeNull();
    expect(world.logged().join()).toContain("550 5.1.1");
  });

  test("a deferred email waits alone, longer each time, an hour at most", async () => {
    const world = createOutboxWorld({
      emails: ["full"],
      answer: ({ id }) => (id === "full" ? { kind: "deferred", why: "452 4.2.2" } : SENT),
    });
    const waits: number[] = [];

    for (let attempt = 0; attempt < 7; attempt += 1) {
      await world.worker.tick(world.now());
      const waitMs = world.dueAt("full")! - world.now();
      waits.push(waitMs / MINUTE);
      world.wait(waitMs);
    }
    world.post("other");
    await world.worker.tick(world.now());

    expect(waits).toEqual([1, 3, 9, 27, 60, 60, 60]);
    expect(world.sent()).toEqual(["other"]);
    expect(world.worker.pausedUntil).toBeNull();
  });

  test("an email past its time is given up unsent", async () => {
    const world = createOutboxWorld({ emails: ["late"] });
    world.wait(3 * DAY);

    await world.worker.tick(world.now());

    expect(world.sent()).toEqual([]);
    expect(world.states()).toEqual({ late: "given_up" });
  });

  test("an email that cannot be put into words waits an hour for the mended program", async () => {
    const world = createOutboxWorld({
      emails: ["broken", "good"],
      compose(email) {
        if (email.id === "broken") throw new Error("no words");
        return composed(email);
      },
    });

    await world.worker.tick(START);

    expect(world.states()).toEqual({ broken: "waiting", good: "sent" });
    expect(world.dueAt("broken")).toBe(START + HOUR);
    expect(world.worker.pausedUntil).toBeNull();
    expect(world.logged().join()).toContain("no words");
  });

  test("an email that makes the transport throw waits, and the others go", async () => {
    const world = createOutboxWorld({
      emails: ["broken", "good"],
      answer({ id }) {
        if (id === "broken") throw new Error("a bug");
        return SENT;
      },
    });

    await world.worker.tick(START);

    expect(world.states()).toEqual({ broken: "waiting", good: "sent" });
  });
});
