import { expect, test } from "bun:test";
import { createFairQueue } from "../../src/core/fair-queue.ts";

/** Work that says when it begins and ends when it is told to. */
function pieces(count: number) {
  const begun: number[] = [];
  const ends = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const work = (index: number) => async () => {
    begun.push(index);
    await ends[index]?.promise;
    return index;
  };
  return { begun, ends, work };
}

test("work beyond what may run at once waits its turn, first come first served", async () => {
  const run = createFairQueue({ atOnce: 2, waitingMax: 2 });
  const { begun, ends, work } = pieces(4);
  const results = [0, 1, 2, 3].map((index) => run("one", work(index)));

  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test("work beyond what may wait is not begun, and may come again once there is room", async () => {
  const run = createFairQueue({ atOnce: 1, waitingMax: 1 });
  const { begun, ends, work } = pieces(4);
  const kept = [run("one", work(0)), run("one", work(1))];

  const refused = run("one", work(2));

  await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  for (const end of ends) end.resolve();
  await Promise.all(kept);
  expect(await run("one", work(3))).toBe(3);
  expect(begun).toEqual([0, 1, 3]);
});

test("work that fails leaves its place to the next", async () => {
  const run = createFairQueue({ atOnce: 1, waitingMax: 1 });

  const failing = run("one", () => Promise.reject(new Error("no")));
  const next = run("one", async () => "next");

  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("a client with much work delays its own, not that of others", async () => {
  const run = createFairQueue({ atOnce: 1, waitingMax: 8 });
  const { begun, ends, work } = pieces(5);
  const greedy = [0, 1, 2, 3].map((index) => run("greedy", work(index)));

  const other = run("other", work(4));
  for (const end of ends) end.resolve();
  await Promise.all([...greedy, other]);

  expect(begun).toEqual([0, 1, 4, 2, 3]);
});

test("when too much waits, the client with the most of it loses its newest", async () => {
  const run = createFairQueue({ atOnce: 1, waitingMax: 2 });
  const { begun, ends, work } = pieces(5);
  const greedy = [0, 1, 2].map((index) => run("greedy", work(index)));
  const outcomes = Promise.allSettled(greedy);

  const other = run("other", work(3));
  await expect(run("greedy", work(4))).rejects.toMatchObject({ code: "unavailable" });
  for (const end of ends) end.resolve();

  expect(await other).toBe(3);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
  ]);
  expect(begun).toEqual([0, 1, 3]);
});

test("heavy work runs alone, however many pieces may run at once", async () => {
  const run = createFairQueue({ atOnce: 3, waitingMax: 8, weightMax: 10 });
  const { begun, ends, work } = pieces(4);
  const results = [6, 6, 99, 1].map((weight, index) => run("one", work(index), weight));

  expect(begun).toEqual([0]);
  ends[0]?.resolve();
  await results[0];
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});
