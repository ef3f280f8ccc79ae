import type { Box } from "../values/point.ts";
import type { Places } from "./format.ts";
import { UNITS_PER_DEGREE } from "./kd-tree.ts";

/** Part of the people left out on each side: those of Hawaii would stretch the United States over an ocean. */
const LEFT_OUT = 0.01;

/**
 * Rectangle in which nearly all people of a country live, to show it on a map; null for a country without places. A
 * country on both sides of the date line gets the whole width of the map. Takes about 2 ms.
 */
export function inhabitedBox(places: Places, country: number): Box | null {
  const indexes: number[] = [];
  for (let index = 0; index < places.count; index++)
    if (places.country[index] === country && places.parent[index] === index) indexes.push(index);
  if (indexes.length === 0) return null;
  const [south, north] = bounds(indexes, places.lat, places.population);
  const [west, east] = bounds(indexes, places.lng, places.population);
  return { west, south, east, north };
}

/** Values in degrees between which all but a small part of the people live. */
function bounds(
  indexes: number[],
  values: Int32Array,
  population: Uint32Array,
): readonly [number, number] {
  const sorted = indexes.toSorted((a, b) => values[a]! - values[b]!);
  // A place of unknown population counts, too.
  const peopleOf = (index: number) => population[index]! + 1;
  const people = sorted.reduce((sum, index) => sum + peopleOf(index), 0);
  const valueAt = (part: number) => {
    let passed = 0;
    const found = sorted.find((index) => (passed += peopleOf(index)) >= part * people);
    return values[found ?? sorted.at(-1)!]! / UNITS_PER_DEGREE;
  };
  return [valueAt(LEFT_OUT), valueAt(1 - LEFT_OUT)];
}
