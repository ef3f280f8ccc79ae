import { searchAll } from "../chaos/client.ts";
import type { Fault } from "../chaos/fault.ts";
import { NEXT_RELEASE } from "../support/next-release.ts";
import { builtProgram, changedProgram } from "./programs.ts";
import { onDatabase, outcomeOf } from "./under-load.ts";

const LOAD_MS = 12_000;

/** Node 0 runs this program; the others bring the next one, which has one more migration, and migrate beside it. */
export const upgrade: Fault = {
  name: "a release beside the one before",
  promise:
    "nodes of two releases serve one database at the same time, and all agree on what is stored",
  async run() {
    const older = await builtProgram();
    const next = await changedProgram(...NEXT_RELEASE);
    const run = await onDatabase(({ url }) => ({
      purpose: "two releases",
      url,
      program: next,
      programs: { 0: older },
      async inflict(service) {
        await Bun.sleep(LOAD_MS);
        const found = await searchAll(service.fetchOf(0));
        return found.length > 0 ? [] : ["the older program has published nothing"];
      },
    }));
    return outcomeOf(run, "this program beside one with a migration more");
  },
};
