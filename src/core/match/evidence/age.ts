import type { Age } from "../../alert.ts";
import { choiceEvidence } from "./choice.ts";

const AGES: readonly Exclude<Age, "unknown">[] = ["baby", "young", "adult", "senior"];

/**
 * Age. No study of lay people's ages is known to us. The built-in figures: a baby is seen to be one, and grown animals
 * are often put one step up or down.
 */
export const age = choiceEvidence({
  name: "age",
  values: AGES,
  of: (alert) => alert.age,
  common: () => [12, 22, 50, 16],
  told: () => [
    [84, 14, 1.8, 0.2],
    [7, 62, 30, 1],
    [0.5, 17, 71, 11.5],
    [0.2, 4, 37, 58.8],
  ],
  likeness: (lost, found) =>
    Math.abs(AGES.indexOf(lost) - AGES.indexOf(found)) >= 2 ? "different" : "alike",
});
