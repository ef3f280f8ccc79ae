/**
 * Candidates with the smallest edit distance to a word; none if it exceeds one typing error per `lettersPerTypo` letters,
 * or one in all.
 */
export function closestByEditDistance<Candidate>(
  written: string,
  candidates: readonly Candidate[],
  wordOf: (candidate: Candidate) => string,
  lettersPerTypo: number,
): Candidate[] {
  const distanceMax = Math.max(1, Math.floor(written.length / lettersPerTypo));
  const counted = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(written, wordOf(candidate), distanceMax),
  }));
  const distanceMin = counted.reduce((least, { distance }) => Math.min(least, distance), Infinity);
  return counted.flatMap(({ candidate, distance }) =>
    distance === distanceMin && distance <= distanceMax ? [candidate] : [],
  );
}

/**
 * Optimal string alignment distance (after Damerau 1964): count of letters to substitute, insert, delete or swap with the
 * next one; Infinity if the lengths alone differ by more than `max`.
 */
function editDistance(a: string, b: string, max: number): number {
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
