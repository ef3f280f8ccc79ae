import { expect, test } from "bun:test";
import { createTaskQueue } from "../../src/core/task-queue.ts";

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
