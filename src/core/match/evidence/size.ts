import type { Size } from "../../alert.ts";
import { choiceEvidence } from "./choice.ts";

const SIZES: readonly Exclude<Size, "unknown">[] = ["small", "medium", "large", "xlarge"];

/**
 * Size. No study of how two people's sizes agree is known to us. The built-in figures: three animals in four are given
 * their size and nearly all others the next one, because the words have no edges; two steps apart is rare.
 */
export const size = choiceEvidence({
  name: "size",
  values: SIZES,
  of: (alert) => alert.size,
  common: (species) => (species === "dog" ? [34, 30, 30, 6] : [30, 55, 14, 1]),
  told: () => [
    [82, 17, 0.9, 0.1],
    [13, 73, 13.5, 0.5],
    [0.7, 17, 75, 7.3],
    [0.2, 1.8, 33, 65],
  ],
  likeness: (lost, found) =>
    Math.abs(SIZES.indexOf(lost) - SIZES.indexOf(found)) >= 2 ? "different" : "alike",
});
