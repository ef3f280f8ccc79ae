import type { AlertType, Size, Species } from "../../values/animal.ts";
import type { Description } from "../alerts/alert.ts";
import { isLargeAnimal } from "../alerts/animal-kind.ts";
import { DAY_MS } from "../duration.ts";
import {
  PLAN_STEP_IDS,
  PLAN_STEPS,
  type PlanAnimal,
  type PlanSource,
  type PlanStep,
  type PlanStepId,
} from "./steps.ts";
import { z } from "zod";

/** Most steps to do now: more would be a list, not a plan. */
const NOW_MAX = 5;

/** Plan of one alert for one day. */
export type Plan = {
  /** Steps to do now, the most urgent first; at most five. */
  readonly now: readonly PlanStep[];
  /** Steps for when these are done. */
  readonly next: readonly PlanStep[];
  readonly done: readonly PlanStep[];
};

/** Owner's mark on a step of the plan: done, or not done after all. */
export const planMarkInput = z.object({
  step: z.enum(PLAN_STEP_IDS),
  done: z.enum(["yes", "no"]),
});
export type PlanMark = z.infer<typeof planMarkInput>;

/** Facts that a plan depends on. */
export type Planned = Pick<Description, "type" | "species"> & {
  readonly breed?: string | undefined;
  readonly size?: Size | undefined;
};

/** Animal whose plan an alert has. */
export function planAnimal(about: Omit<Planned, "type">): PlanAnimal {
  return isLargeAnimal(about) ? "large" : about.species;
}

/** Steps for an animal, lost or found, on any day. */
export function stepsFor(side: AlertType, animal: PlanAnimal): PlanStep[] {
  return PLAN_STEPS.filter((step) => step.side === side && step.animals.includes(animal));
}

/** Plan for an alert at a time. Steps whose days are over are left out unless they were done. */
export function planAt(
  alert: Planned & Pick<Description, "eventDate">,
  done: readonly PlanStepId[],
  now: number,
): Plan {
  const day = Math.max(0, Math.floor((now - Date.parse(alert.eventDate)) / DAY_MS));
  const steps = stepsFor(alert.type, planAnimal(alert));
  const open = steps.filter(({ id, ...step }) => !done.includes(id) && isFor(step, day));
  return {
    now: open.slice(0, NOW_MAX),
    next: open.slice(NOW_MAX),
    done: steps.filter(({ id }) => done.includes(id)),
  };
}

/** True for alerts whose publishers need no plan: animals that a shelter has taken in. */
export function isInShelter({ type, custody }: Pick<Description, "type" | "custody">): boolean {
  return type === "found" && custody === "shelter";
}

function isFor({ fromDay, toDay }: Pick<PlanStep, "fromDay" | "toDay">, day: number): boolean {
  return day >= fromDay && (toDay === null || day <= toDay);
}

/** Circle to search, around the place where the animal was lost. */
export type SearchRing = {
  readonly metres: number;
  /** Percentage of such animals that were found within it; null if the study has no figure. */
  readonly percent: number | null;
};

export type SearchRings = { readonly rings: readonly SearchRing[]; readonly source: PlanSource };

/**
 * Circles to search for a lost animal, the smallest first; null for species of which no study tells. Cats: Huang et al.
 * 2018. Dogs: stray dogs of Dallas in 2019, of which 42% were found within a block, here 150 m. The last circle has no
 * figure: it is where the others may be.
 */
export function searchRings(species: Species): SearchRings | null {
  switch (species) {
    case "cat":
      return { rings: ringsOf([50, 50], [500, 75], [1_600, null]), source: "huang" };
    case "dog":
      return { rings: ringsOf([150, 42], [1_600, 70], [10_000, null]), source: "dallas" };
    case "bird":
    case "other":
      return null;
  }
}

function ringsOf(...rings: readonly (readonly [number, number | null])[]): SearchRing[] {
  return rings.map(([metres, percent]) => ({ metres, percent }));
}
