import fc from "fast-check";
import { isNightly } from "./nightly.ts";

const VARIABLE = "TEST_SEED";
const SEEDS = 2 ** 31;
const given = process.env[VARIABLE];

/** Seed of the random choices of this run: that of the environment variable TEST_SEED, or one that is drawn. */
export const SEED = given === undefined ? Math.floor(Math.random() * SEEDS) : Number(given);
if (!Number.isInteger(SEED)) throw new Error(`${VARIABLE} must be a whole number, not ${given}.`);

const again = `run it again with ${VARIABLE}=${SEED}`;
console.log(`Random choices: ${again}.`);

fc.configureGlobal({
  seed: SEED,
  reporter(details) {
    const report = fc.defaultReportMessage(details);
    if (report !== undefined) throw new Error(`${report}\n\nTo see it again, ${again}.`);
  },
});

/** Runs of a property that takes long: all of them at night, a quarter by day. */
export const runs = (all: number): number => (isNightly ? all : Math.ceil(all / 4));

/** fast-check, whose properties draw by that seed. */
export { fc };
