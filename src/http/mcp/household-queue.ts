import { callerHousehold, type Caller } from "../../core/limits.ts";
import { inNetworks } from "../../core/ip-address.ts";
import type { ReadLimit } from "../middleware/rate-limit.ts";

/** Time after which work no longer keeps the household's next from starting: it waits for another host. */
const TURN_MS = 2_000;
const PAUSE_MS_MAX = 50;

/** Runs work, after that of the same household has ended. */
export type HouseholdQueue = <Result>(
  caller: Caller,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Creates a queue that works on one request of a household (an IPv4 address, or a /56 of IPv6) at a time, in the order they came, and leaves
 * as much time to all others between two of them. Clients in the networks of hosted assistants are no household and do
 * not wait; neither does anybody where reads have no limit.
 */
export function createHouseholdQueue(
  { limitRead, sharedNetworks }: Pick<ReadLimit, "limitRead" | "sharedNetworks">,
  turnMs = TURN_MS,
): HouseholdQueue {
  if (limitRead === null) return (_caller, work) => work();
  const lastOf = new Map<string, Promise<void>>();
  return async ({ address }, work) => {
    if (inNetworks(sharedNetworks, address)) return work();
    const household = callerHousehold(address);
    const { promise: mine, resolve: end } = Promise.withResolvers<void>();
    const before = lastOf.get(household);
    const last = before === undefined ? mine : before.then(() => mine);
    lastOf.set(household, last);
    void last.then(() => lastOf.get(household) === last && lastOf.delete(household));
    if (before !== undefined) await before;
    const startedAt = performance.now();
    const timer = setTimeout(end, turnMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      setTimeout(end, Math.min(performance.now() - startedAt, PAUSE_MS_MAX));
    }
  };
}
