import { plural } from "../text/terminal-text.ts";
import type { LastResorts } from "./geocode.ts";
import { type Rejection, shorten } from "./rows.ts";

// Lines for the operator about rows of a table.

/** Rejected rows with their line, number and reason. */
export function rejections(rejected: readonly Rejection[]): string[] {
  return rejected.length === 0 ? [] : ["Rejected rows:", ...rejected.map(rowLine)];
}

function rowLine({ line, id, why }: Pick<Rejection, "line" | "id" | "why">): string {
  const number = id === null ? "" : ` (${shorten(id)})`;
  return `Line ${line}${number}: ${why}.`;
}

/** Tells how many rows have no place of their own, and which of them name a town. */
export function lastResorts({ count, unknownTowns }: LastResorts): string[] {
  if (count === 0) return [];
  return [
    `${plural(count, "animal has", "animals have")} no known place and will be put at "place".`,
    ...unknownTowns.map(rowLine),
    ...(unknownTowns.some(({ why }) => why.includes("did you mean"))
      ? ["  Correct these towns, or accept those that are suggested (--accept-towns)."]
      : []),
  ];
}
