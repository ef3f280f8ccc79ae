import type { Size } from "../../alert.ts";
import { choiceEvidence } from "./choice.ts";

const SIZES: readonly Exclude<Size, "unknown">[] = ["small", "medium", "large", "xlarge"];

/**
 * Size. No study of how two people's sizes agree is known to us. The built-in figures: seven in ten animals are given
 * their size and one in four the next one, because the words have no edges; two steps apart is rare.
 */
export const size = choiceEvidence({
  name: "size",
  values: SIZES,
  of: (alert) => alert.size,
  common: (species) => (species === "dog" ? [34, 30, 30, 6] : [30, 55, 14, 1]),
  told: () => [
    [78, 20, 1.8, 0.2],
    [14, 70, 15, 1],
    [1, 20, 70, 9],
    [0.5, 3, 36.5, 60],
  ],
  likeness: (lost, found) =>
    Math.abs(SIZES.indexOf(lost) - SIZES.indexOf(found)) >= 2 ? "different" : "alike",
});
