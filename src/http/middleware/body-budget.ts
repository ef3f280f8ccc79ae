import { callerBucket, callerNetwork } from "../../core/limits.ts";
import type { Clock } from "../../core/ports.ts";
import { type BodyHolder, costlierThan, type Contenders, waitOf } from "./body-cost.ts";

/** Limit on the bytes of request bodies in memory. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

/** Part of the budget that one request body holds. */
export type BodyShare = {
  /**
   * Reserves this many more bytes. Waits while other bodies have been read completely, as their bytes are freed soon.
   * False if there is no room, or the body was evicted meanwhile.
   */
  take(bytes: number): Promise<boolean>;
  /** Milliseconds spent waiting in `take` so far. */
  waitedMs(): number;
  /** Marks the body as read completely: it is answered soon and no longer evicted. */
  settle(): void;
  /** Frees all bytes. */
  close(): void;
};

/**
 * Counts bytes as they arrive; a Content-Length reserves nothing. When the budget is full, a newcomer is not refused
 * because of others: the network whose unfinished bodies have held the most for the longest has one of them evicted.
 */
export function createBodyBudget(
  max: { readonly bytes: number; readonly perClient: number; readonly perNetwork: number },
  clock: Clock,
) {
  const holders = new Set<BodyHolder>();
  /** Wakes the bodies that wait for memory. */
  const waiting = new Set<() => void>();

  function close(holder: BodyHolder): void {
    if (!holders.delete(holder)) return;
    holder.isOpen = false;
    // All waiting bodies try again, in the order they came.
    const woken = [...waiting];
    waiting.clear();
    for (const wake of woken) wake();
  }

  async function wait(own: BodyHolder): Promise<void> {
    const since = clock();
    own.waitingSince = since;
    await new Promise<void>((wake) => waiting.add(wake));
    own.waitedMs += clock() - since;
    own.waitingSince = null;
  }

  /** Bodies of the first limit that this many bytes would exceed; null if there is room. */
  function contendersFor(own: BodyHolder, bytes: number): Contenders | null {
    const all = [...holders];
    const ofNetwork = all.filter(({ network }) => network === own.network);
    const ofClient = ofNetwork.filter(({ client }) => client === own.client);
    if (total(ofClient) + bytes > max.perClient)
      return { holders: ofClient, groupOf: (holder) => holder };
    if (total(ofNetwork) + bytes > max.perNetwork)
      return { holders: ofNetwork, groupOf: ({ client }) => client };
    if (total(all) + bytes > max.bytes) return { holders: all, groupOf: ({ network }) => network };
    return null;
  }

  async function take(own: BodyHolder, bytes: number): Promise<boolean> {
    while (own.isOpen) {
      const contenders = contendersFor(own, bytes);
      if (contenders === null) {
        own.bytes += bytes;
        return true;
      }
      const costliest = costlierThan(own, bytes, contenders, clock());
      if (costliest !== null) {
        close(costliest);
        costliest.evict();
      } else if (contenders.holders.some(({ isRead }) => isRead)) await wait(own);
      else return false;
    }
    return false;
  }

  return {
    /** Opens a share for a body from this address; `evict` is called when others need its memory more. */
    open(address: string | null, evict: () => void): BodyShare {
      const holder: BodyHolder = {
        client: callerBucket(address),
        network: callerNetwork(address),
        openedAt: clock(),
        evict,
        bytes: 0,
        waitedMs: 0,
        waitingSince: null,
        isRead: false,
        isOpen: true,
      };
      holders.add(holder);
      return {
        take: (bytes) => take(holder, bytes),
        waitedMs: () => waitOf(holder, clock()),
        settle: () => void (holder.isRead = true),
        close: () => close(holder),
      };
    },
    /** Bytes held now. */
    held: () => total([...holders]),
  };
}

function total(holders: readonly BodyHolder[]): number {
  return holders.reduce((sum, { bytes }) => sum + bytes, 0);
}
