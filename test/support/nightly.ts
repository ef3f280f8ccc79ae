import { test } from "bun:test";

/** True in `.ci/nightly`, which also runs what takes too long for every run of the tests. */
export const isNightly = process.env["NIGHTLY"] === "1";

/** The same `test` at night; by day one that adds no test. */
export function atNight(its: typeof test): typeof test {
  const addNone = () => {};
  return isNightly
    ? its
    : (Object.assign(addNone, { each: () => addNone }) as unknown as typeof test);
}

/** All of them at night; by day the first, or as many as are said. */
export function fewByDay<One>(all: readonly One[], count = 1): readonly One[] {
  return isNightly ? all : all.slice(0, count);
}

/** `test` at night. */
export const nightlyTest = atNight(test);
