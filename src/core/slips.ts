/** How many slips a word may have: one in so many letters, and one always. */
type Leniency = { readonly lettersPerSlip: number };

/** Those whose word someone may have meant who wrote this one: all with the fewest slips, none where all have too many. */
export function fewestSlips<Candidate>(
  written: string,
  candidates: readonly Candidate[],
  wordOf: (candidate: Candidate) => string,
  { lettersPerSlip }: Leniency,
): Candidate[] {
  const slipsMax = Math.max(1, Math.floor(written.length / lettersPerSlip));
  const counted = candidates.map((candidate) => ({
    candidate,
    slips: slipsBetween(written, wordOf(candidate), slipsMax),
  }));
  const slipsMin = counted.reduce((least, { slips }) => Math.min(least, slips), Infinity);
  return counted.flatMap(({ candidate, slips }) =>
    slips === slipsMin && slips <= slipsMax ? [candidate] : [],
  );
}

/**
 * Letters to change, add, drop or swap with the next one to make one word of the other, no letter twice (optimal string
 * alignment, after Damerau 1964), or Infinity past `max`.
 */
function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? twoAbove[column - 2]! + 1 : Infinity;
      current.push(Math.min(changed, swapped, above[column]! + 1, current[column - 1]! + 1));
    }
    [twoAbove, above] = [above, current];
  }
  return above[b.length]!;
}
