import { describe, expect, test } from "bun:test";
import { SEND_SLOTS } from "../../src/mail/outbox-worker.ts";
import { composed, LATER, SENT, createOutboxWorld, START } from "../support/outbox-world.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";

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
