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
    [89, 10, 0.8, 0.2],
    [5, 75, 19.5, 0.5],
    [0.3, 10, 82, 7.7],
    [0.1, 1.9, 20, 78],
  ],
  likeness: (lost, found) =>
    Math.abs(AGES.indexOf(lost) - AGES.indexOf(found)) >= 2 ? "different" : "alike",
});
