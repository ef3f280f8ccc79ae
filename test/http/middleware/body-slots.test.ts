import { expect, test } from "bun:test";
import { createBodySlots, type IncomingBody } from "../../../src/http/middleware/body-slots.ts";

/** Slots for four bodies, three of them of one network, and the names of those that gave way. */
function open() {
  const slots = createBodySlots({ all: 4, perNetwork: 3 }, "photos_wait");
  const gaveWay: string[] = [];
  return {
    gaveWay,
    take(name: string, network: string, pace: number, isComplete = false) {
      const body: IncomingBody = {
        async *chunks() {},
        cancel() {},
        abort: () => void gaveWay.push(name),
        isComplete: () => isComplete,
        pace: () => pace,
      };
      return slots.take(network, body);
    },
  };
}

test("the slowest body of the network with the most of them gives way", () => {
  const { gaveWay, take } = open();
  take("slowest of all", "A", 1);
  take("fast", "B", 9);
  take("slow", "B", 5);
  take("faster", "B", 10);

  take("newcomer", "C", 0);

  expect(gaveWay).toEqual(["slow"]);
});

test("a network that has its share makes room for itself", () => {
  const { gaveWay, take } = open();
  take("first", "A", 3);
  take("second", "A", 2);
  take("third", "A", 4);

  take("fourth", "A", 0);

  expect(gaveWay).toEqual(["second"]);
});

test("a body that has arrived does not give way, and a newcomer comes again once it is answered", () => {
  const { gaveWay, take } = open();
  const free = [1, 2, 3, 4].map((nth) => take(`done ${nth}`, `network ${nth}`, 1, true));

  expect(() => take("newcomer", "A", 0)).toThrow("receiving many photos");
  free[0]?.();
  take("newcomer", "A", 0);

  expect(gaveWay).toEqual([]);
});
