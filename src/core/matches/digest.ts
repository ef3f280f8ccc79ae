import { ownersInTurn } from "../people/mailbox-spelling.ts";

/** Likely pair waiting for its reader's digest. */
type WaitingPair = {
  readonly score: number;
  /** Address of the other alert's owner. */
  readonly otherEmail: string | null;
};

/**
 * Pairs that a digest shows, best first: equal chips (score 100), then the other alerts' owners in turn. `waiting` must
 * be sorted, best first.
 */
export function pairsForDigest<Pair extends WaitingPair>(
  waiting: readonly Pair[],
  limit: number,
): readonly Pair[] {
  const chosen = new Set(
    ownersInTurn(waiting, ({ score, otherEmail }) => ({ score, email: otherEmail })).slice(
      0,
      limit,
    ),
  );
  return waiting.filter((pair) => chosen.has(pair));
}
