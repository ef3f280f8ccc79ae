/**
 * True if a table is taken for a read. A time later than `releaseAt`, at which a read that begins now would end, was
 * written before the clock was set back.
 */
export function isTaken(takenUntil: number, now: number, releaseAt: number): boolean {
  return takenUntil > now && takenUntil <= releaseAt;
}
