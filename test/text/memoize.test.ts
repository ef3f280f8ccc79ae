import { expect, test } from "bun:test";
import { memoize } from "../../src/text/memoize.ts";

test("a text is read once, and a long one each time, so that nobody fills the memory with it", () => {
  const asked: string[] = [];
  const lengthOf = memoize(10, (text) => {
    asked.push(text);
    return text.length;
  });
  const long = "a".repeat(10_000);

  expect(["tabby", "tabby", long, long].map(lengthOf)).toEqual([5, 5, 10_000, 10_000]);
  expect(asked).toEqual(["tabby", long, long]);
});

test("what is read may be null", () => {
  let times = 0;
  const nothing = memoize(10, () => {
    times++;
    return null;
  });

  expect([nothing("x"), nothing("x"), times]).toEqual([null, null, 1]);
});
