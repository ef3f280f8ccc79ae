import { expect, test } from "bun:test";
import { createTurns } from "../../src/photos/turns.ts";

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
  const inTurn = createTurns({ atOnce: 2, waitingMax: 2 });
  const { begun, ends, work } = pieces(4);
  const results = [0, 1, 2, 3].map((index) => inTurn(work(index)));

  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve();
  await results[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test("work beyond what may wait is not begun, and may come again once there is room", async () => {
  const inTurn = createTurns({ atOnce: 1, waitingMax: 1 });
  const { begun, ends, work } = pieces(4);
  const kept = [inTurn(work(0)), inTurn(work(1))];

  const refused = inTurn(work(2));

  await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 10 });
  for (const end of ends) end.resolve();
  await Promise.all(kept);
  expect(await inTurn(work(3))).toBe(3);
  expect(begun).toEqual([0, 1, 3]);
});

test("work that fails leaves its place to the next", async () => {
  const inTurn = createTurns({ atOnce: 1, waitingMax: 1 });

  const failing = inTurn(() => Promise.reject(new Error("no")));
  const next = inTurn(async () => "next");

  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});
