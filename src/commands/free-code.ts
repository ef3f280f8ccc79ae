import { Fault } from "../core/fault.ts";
import type { Store } from "../core/store.ts";

/** Of 31^6 short codes nearly all are free: this many taken ones in a row mean that something is wrong. */
const DRAWS_MAX = 100;

/** Draws until the short code of it is free, here and in the store, and takes it. Throws `unavailable` where none is. */
export async function withFreeCode<Drawn>(
  store: Pick<Store, "codeTaken">,
  taken: Set<string>,
  draw: () => Drawn,
  codeOf: (drawn: Drawn) => string,
): Promise<Drawn> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const drawn = draw();
    const shortCode = codeOf(drawn);
    if (taken.has(shortCode) || (await store.codeTaken(shortCode))) continue;
    taken.add(shortCode);
    return drawn;
  }
  throw new Fault("unavailable", `No free short code came up in ${DRAWS_MAX} draws.`);
}
