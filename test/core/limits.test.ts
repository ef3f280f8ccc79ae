import { describe, expect, test } from "bun:test";
import { callerBucket, addressBytes, inNetworks, readNetwork } from "../../src/core/ip-address.ts";
import { createTaskQueue } from "../../src/core/task-queue.ts";

describe("addresses", () => {
  test.each([
    ["192.0.2.1", [192, 0, 2, 1]],
    ["::ffff:192.0.2.1", [192, 0, 2, 1]],
    ["::1", [...Array<number>(15).fill(0), 1]],
    ["2001:db8::8:800:200c:417a", [32, 1, 13, 184, 0, 0, 0, 0, 0, 8, 8, 0, 32, 12, 65, 122]],
    ["fe80::1%eth0", [254, 128, ...Array<number>(13).fill(0), 1]],
  ])("%s is read", (text, bytes) => {
    expect([...(addressBytes(text) ?? [])]).toEqual(bytes);
  });

  test.each(["", "256.1.1.1", "1.2.3", "1::2::3", "1:2:3:4:5:6:7:8:9", "1".repeat(100)])(
    "%p is none",
    (text) => {
      expect(addressBytes(text)).toBeNull();
    },
  );

  test("a caller is all of an IPv4 address and the first half of an IPv6 address", () => {
    expect(callerBucket("2001:db8:0:1::1")).toBe(callerBucket("2001:db8:0:1:ffff:ffff:ffff:ffff"));
    expect(callerBucket("2001:db8:0:1::1")).not.toBe(callerBucket("2001:db8:0:2::1"));
    expect(callerBucket("192.0.2.1")).not.toBe(callerBucket("192.0.2.2"));
    expect(callerBucket(null)).toBe(callerBucket("nonsense"));
  });

  test("a network holds its addresses and no neighbour's", () => {
    const network = readNetwork("160.79.104.0/21");
    const holds = (address: string) => inNetworks(network === null ? [] : [network], address);

    expect(["160.79.104.0", "160.79.111.255", "::ffff:160.79.105.1"].map(holds)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["160.79.103.255", "160.79.112.0", "::1", "nonsense"].map(holds)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(
      inNetworks(
        [readNetwork("2001:db8::/33") ?? { bytes: new Uint8Array(), prefix: 0 }],
        "2001:db8:7fff::1",
      ),
    ).toBe(true);
  });
});

/** Tasks that note when they begin and end when they are told to. */
function tasks(count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const task = (index: number) => async () => {
    begun.push(index);
    await ends[index]?.promise;
    return index;
  };
  return { begun, ends, task };
}

test("tasks beyond those that may run at once wait, first come first served", async () => {
  const run = createTaskQueue({ atOnce: 2, perNetwork: 4, waitingMax: 2 });
  const { begun, ends, task } = tasks(4);
  const results = [0, 1, 2, 3].map((index) => run("one", task(index)));

  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test("networks take turns, however many tasks of one came first", async () => {
  const run = createTaskQueue({ atOnce: 1, perNetwork: 4, waitingMax: 9 });
  const { begun, ends, task } = tasks(7);
  const results = ["A", "A", "A", "A", "B", "B", "C"].map((network, at) => run(network, task(at)));

  for (const end of ends) end.resolve();
  await Promise.all(results);
  expect(begun).toEqual([0, 1, 4, 6, 2, 5, 3]);
});

test("a network with its share is refused while others are not, and may come again", async () => {
  const run = createTaskQueue({ atOnce: 1, perNetwork: 2, waitingMax: 9 });
  const { ends, task } = tasks(5);
  const kept = [run("one", task(0)), run("one", task(1))];

  const refused = run("one", task(2));
  const other = run("other", task(3));

  await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  for (const end of ends) end.resolve();
  expect(await Promise.all([...kept, other])).toEqual([0, 1, 3]);
  expect(await run("one", task(4))).toBe(4);
});

test("tasks beyond those that may wait are refused", async () => {
  const run = createTaskQueue({ atOnce: 1, perNetwork: 9, waitingMax: 1 });
  const { begun, ends, task } = tasks(3);
  const kept = [run("one", task(0)), run("two", task(1))];

  await expect(run("three", task(2))).rejects.toMatchObject({ code: "unavailable" });

  for (const end of ends) end.resolve();
  await Promise.all(kept);
  expect(begun).toEqual([0, 1]);
});

test("a task that fails leaves its place to the next", async () => {
  const run = createTaskQueue({ atOnce: 1, perNetwork: 2, waitingMax: 1 });

  const failing = run("one", () => Promise.reject(new Error("no")));
  const next = run("one", async () => "next");

  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});
