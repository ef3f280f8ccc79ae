import type { Size } from "../../alerts/alert.ts";
import { choiceEvidence } from "./choice.ts";

const SIZES: readonly Exclude<Size, "unknown">[] = ["small", "medium", "large", "xlarge"];

/**
 * Size. We know of no study of how well two people agree on size. Built-in figures: about three animals in four get
 * their own size and nearly all others the next one, because the words have no sharp limits; two steps apart is rare.
 */
export const size = choiceEvidence({
  name: "size",
  values: SIZES,
  of: (alert) => alert.size,
  prior: (species) => (species === "dog" ? [34, 30, 30, 6] : [30, 55, 14, 1]),
  chosen: () => [
    [82, 17, 0.9, 0.1],
    [13, 73, 13.5, 0.5],
    [0.7, 17, 75, 7.3],
    [0.2, 1.8, 33, 65],
  ],
  similarity: (lost, found) =>
    Math.abs(SIZES.indexOf(lost) - SIZES.indexOf(found)) >= 2 ? "different" : "similar",
});
