import { expect, test } from "bun:test";
import { createBodyBudget } from "../../../src/http/middleware/request-body.ts";

const MAX = { bytes: 100, perClient: 100, perNetwork: 100 };

/** Budget of a hundred bytes, its clock, and the addresses whose bodies were evicted. */
function open() {
  const clock = { now: 0 };
  const budget = createBodyBudget(MAX, () => clock.now);
  const evicted: string[] = [];
  const from = (address: string) => budget.open(address, () => evicted.push(address));
  return { clock, budget, evicted, from };
}

test("a completely read body is not evicted: a newcomer waits until it is answered", async () => {
  const { budget, evicted, from } = open();
  const old = from("192.0.2.1");
  await old.take(100);
  old.settle();

  const taken = from("198.51.100.1").take(50);
  expect(budget.held()).toBe(100);
  old.close();

  expect(await taken).toBe(true);
  expect({ evicted, held: budget.held() }).toEqual({ evicted: [], held: 50 });
});

test("time spent waiting for memory does not make a body more likely to be evicted", async () => {
  const { clock, evicted, from } = open();
  const read = from("192.0.2.1");
  await read.take(80);
  read.settle();
  const patient = from("198.51.100.1");
  await patient.take(20);
  const taken = patient.take(20);
  clock.now += 60_000;
  read.close();
  expect(await taken).toBe(true);
  expect(patient.waitedMs()).toBe(60_000);

  const stalling = from("203.0.113.1");
  await stalling.take(60);
  clock.now += 10_000;
  const newcomer = from("203.0.114.1");
  await newcomer.take(1);

  expect(evicted).toEqual(["203.0.113.1"]);
});
