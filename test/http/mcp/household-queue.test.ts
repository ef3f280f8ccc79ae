import { expect, test } from "bun:test";
import { readNetwork } from "../../../src/core/ip-address.ts";
import { createHouseholdQueue } from "../../../src/http/mcp/household-queue.ts";
import { MINUTE } from "../../support/time.ts";

const HOSTED = "160.79.104.5";
const LIMIT = {
  limitRead: { max: 300, windowMs: MINUTE },
  sharedNetworks: [readNetwork("160.79.104.0/21")!],
};
const open = () => createHouseholdQueue(LIMIT, 1e9);

/** Starts work from each address, which ends when told to; the names of those that have begun. */
function start(queue: ReturnType<typeof open>, addresses: readonly string[]) {
  const began: string[] = [];
  const works = addresses.map((address) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = queue({ address }, async () => {
      began.push(address);
      await promise;
    });
    return { end: resolve, done };
  });
  return { began, works };
}

test("one request of a household is worked on at a time; others do not wait for it", async () => {
  const { began, works } = start(open(), [
    "2001:db8:0:a00::1",
    "2001:db8:0:aff::1",
    "2001:db8:0:b00::1",
    "192.0.2.1",
    "192.0.2.1",
    "192.0.2.2",
  ]);
  const first = ["2001:db8:0:a00::1", "2001:db8:0:b00::1", "192.0.2.1", "192.0.2.2"];
  expect(began).toEqual(first);

  works[0]!.end();
  works[1]!.end();
  await works[1]!.done;
  expect(began).toEqual([...first, "2001:db8:0:aff::1"]);

  for (const { end } of works) end();
  await Promise.all(works.map(({ done }) => done));
});

test("work that fails lets the next begin", async () => {
  const queue = open();
  const failed = queue({ address: "192.0.2.1" }, () => Promise.reject(new Error("failed")));
  const next = queue({ address: "192.0.2.1" }, async () => "done");

  expect(failed).rejects.toThrow("failed");
  expect(await next).toBe("done");
});

test("work that waits for another host lets the next begin after a while", async () => {
  const queue = createHouseholdQueue(LIMIT, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = queue({ address: "192.0.2.1" }, () => promise);

  expect(await queue({ address: "192.0.2.1" }, async () => "done")).toBe("done");
  resolve();
  await slow;
});

test.each([
  ["in a network of hosted assistants", open(), HOSTED],
  ["where reads have no limit", createHouseholdQueue({ ...LIMIT, limitRead: null }), "192.0.2.1"],
])("clients %s do not wait for each other", async (_where, queue, address) => {
  const { began, works } = start(queue, [address, address]);

  expect(began).toEqual([address, address]);
  for (const { end } of works) end();
  await Promise.all(works.map(({ done }) => done));
});
