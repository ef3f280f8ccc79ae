/** Added to every age, so that new bodies are compared by their bytes. */
const AGE_MIN_MS = 1_000;

/** Request body that holds bytes of a budget. */
export type BodyHolder = {
  readonly client: string;
  readonly network: string;
  readonly openedAt: number;
  readonly evict: () => void;
  bytes: number;
  waitedMs: number;
  /** Null while it is not waiting. */
  waitingSince: number | null;
  isRead: boolean;
  isOpen: boolean;
};

/** Bodies that share a limit, and the key that groups them: holder, client or network. */
export type Contenders = {
  readonly holders: readonly BodyHolder[];
  readonly groupOf: (holder: BodyHolder) => unknown;
};

/**
 * Body to evict: the costliest unfinished one of the costliest group; null if no other group costs more than the
 * newcomer's own would. The cost is bytes times age, so a fast upload costs less than one that stalls.
 */
export function costlierThan(
  own: BodyHolder,
  bytes: number,
  contenders: Contenders,
  now: number,
): BodyHolder | null {
  const cost = (holder: BodyHolder) => costOf(holder, holder === own ? bytes : 0, now);
  const groups = Map.groupBy(
    contenders.holders.filter(({ isRead }) => !isRead),
    contenders.groupOf,
  );
  const costs = [...groups].map(([group, holders]) => ({
    group,
    holders,
    cost: holders.reduce((sum, holder) => sum + cost(holder), 0),
  }));
  const costliest = costs.reduce((a, b) => (b.cost > a.cost ? b : a));
  const ownGroup = contenders.groupOf(own);
  const ownCost = costs.find(({ group }) => group === ownGroup)?.cost ?? 0;
  if (costliest.cost <= ownCost) return null;
  return costliest.holders.reduce((a, b) => (cost(b) > cost(a) ? b : a));
}

function costOf(holder: BodyHolder, more: number, now: number): number {
  const ageMs = Math.max(0, now - holder.openedAt - waitOf(holder, now));
  return (holder.bytes + more) * (ageMs + AGE_MIN_MS);
}

/** Milliseconds a body has waited for memory so far. */
export function waitOf({ waitedMs, waitingSince }: BodyHolder, now: number): number {
  return waitedMs + (waitingSince === null ? 0 : now - waitingSince);
}
