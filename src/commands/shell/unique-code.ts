import { Fault } from "../../core/fault.ts";
import type { Store } from "../../core/service/store.ts";

/** Nearly all of the 31^6 short codes are free, so this many collisions in a row mean a fault. */
const DRAWS_MAX = 100;

/** Draws until the short code is unused, in the store and in `taken`, and adds it to `taken`. Throws `unavailable`. */
export async function withUniqueCode<Drawn>(
  store: Pick<Store, "isShortCodeTaken">,
  taken: Set<string>,
  draw: () => Drawn,
  codeOf: (drawn: Drawn) => string,
): Promise<Drawn> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const drawn = draw();
    const shortCode = codeOf(drawn);
    if (taken.has(shortCode) || (await store.isShortCodeTaken(shortCode))) continue;
    taken.add(shortCode);
    return drawn;
  }
  throw new Fault("unavailable", `No unused short code was found in ${DRAWS_MAX} draws.`);
}
