import type { Age } from "../../alerts/alert.ts";
import { choiceEvidence } from "./choice.ts";

const AGES: readonly Exclude<Age, "unknown">[] = ["baby", "young", "adult", "senior"];

/**
 * Age. We know of no study of ages estimated by lay people. Built-in figures: a baby is recognised as one, and grown
 * animals are often placed one step up or down.
 */
export const age = choiceEvidence({
  name: "age",
  values: AGES,
  of: (alert) => alert.age,
  prior: () => [12, 22, 50, 16],
  chosen: () => [
    [89, 10, 0.8, 0.2],
    [5, 75, 19.5, 0.5],
    [0.3, 10, 82, 7.7],
    [0.1, 1.9, 20, 78],
  ],
  similarity: (lost, found) =>
    Math.abs(AGES.indexOf(lost) - AGES.indexOf(found)) >= 2 ? "different" : "similar",
});
