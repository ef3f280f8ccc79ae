import { searchAll } from "../chaos/client.ts";
import type { Fault } from "../chaos/fault.ts";
import { NEXT_RELEASE, oneMore } from "../support/next-release.ts";
import { builtProgram, onDatabase, tryAll, weakProgram } from "./with-and-without.ts";

const LOAD_MS = 12_000;

/** A migration that is no addition for the program before it. */
const TAKE_AWAY = oneMore("postgres", {
  name: "taking_away",
  sql: "alter table short_code add column kind text not null",
  programs: 1,
});

/** Node 0 runs this program; the others bring the next one, which has one more migration, and migrate beside it. */
export const upgrade: Fault = {
  name: "a release beside the one before",
  promise:
    "nodes of two releases serve one database at the same time, and all agree on what is stored",
  async run(say) {
    const older = await builtProgram();
    const next = await weakProgram(...NEXT_RELEASE);
    const outcome = await tryAll(
      [["migrations that only add", TAKE_AWAY]],
      (program, isWeak = false) =>
        onDatabase(({ url }) => ({
          purpose: "two releases",
          url,
          program: isWeak ? program : next,
          programs: { 0: older },
          async inflict(service) {
            await Bun.sleep(LOAD_MS);
            const found = await searchAll(service.fetchOf(0));
            return found.length > 0 ? [] : ["the older program has published nothing"];
          },
        })),
      say,
    );
    return { ...outcome, tried: `this program beside one with a migration more, ${outcome.tried}` };
  },
};
