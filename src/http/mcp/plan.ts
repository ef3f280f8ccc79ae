import { PLAN_MESSAGES } from "../../messages/messages.ts";
import { type HelpNearby, helpNames } from "../../core/help.ts";
import { type Plan, planAnimal, type Planned, stepsFor } from "../../core/plan/plan.ts";
import {
  PLAN_ANIMALS,
  PLAN_SOURCES,
  type PlanAnimal,
  type PlanStep,
} from "../../core/plan/steps.ts";
import { ALERT_TYPES, type AlertType } from "../../values/animal.ts";

const SCHEME = "plan://";

export const PLAN_TEMPLATE = {
  uriTemplate: `${SCHEME}{type}/{species}`,
  name: "plan",
  title: "Plan of the first days",
  description: `What to do after an animal was lost or found, step by step, with sources. Type: ${ALERT_TYPES.join(" or ")}; species: ${PLAN_ANIMALS.join(", ")} (horses, cattle, sheep, pigs)`,
  mimeType: "text/markdown",
};

/** Plan of a URI as Markdown; null if it names none. */
export function planOf(uri: string): string | null {
  if (!uri.startsWith(SCHEME)) return null;
  for (const type of ALERT_TYPES)
    for (const animal of PLAN_ANIMALS)
      if (uri === uriOf(type, animal)) return markdown(type, animal);
  return null;
}

/** URI of the plan for an animal. */
export function planUri(animal: Planned): string {
  return uriOf(animal.type, planAnimal(animal));
}

function uriOf(type: AlertType, animal: PlanAnimal): string {
  return `${SCHEME}${type}/${animal}`;
}

const NAMES: Readonly<Record<PlanAnimal, string>> = {
  dog: "dog",
  cat: "cat",
  bird: "bird",
  other: "pet",
  large: "large animal",
};

function markdown(type: AlertType, animal: PlanAnimal): string {
  const name = NAMES[animal];
  const steps = stepsFor(type, animal).map((step) => {
    const { title, text } = PLAN_MESSAGES.en[step.id];
    const source = step.source === null ? "" : ` Source: ${PLAN_SOURCES[step.source].address}`;
    return `- **${title}** (${daysOf(step)}): ${text}${source}`;
  });
  const about = `What to do after a ${name} was ${type}, counted in days from the event. The most urgent steps come first; three to five at a time are enough. The owner's private page, which the email after the confirmation links to, marks them as done and has posters and flyers to print.`;
  return [`# ${type === "lost" ? "Lost" : "Found"} ${name}`, "", about, "", ...steps].join("\n");
}

function daysOf({ fromDay, toDay }: PlanStep): string {
  return toDay === null ? `from day ${fromDay}` : `days ${fromDay} to ${toDay}`;
}

/** Titles named in the answer to a publication. */
const TITLES_MAX = 3;

/** Sentences about the next steps for a new alert: names of people to call, but no numbers, which are on its owner's page. */
export function whatToDoNow(animal: Planned, { now }: Plan, help: HelpNearby): string {
  const titles = now.slice(0, TITLES_MAX).map(({ id }) => PLAN_MESSAGES.en[id].title);
  const names = helpNames(help);
  const call = names.length === 0 ? "" : ` Near there: ${names.join("; ")}.`;
  return `What to do now: ${titles.join("; ")}.${call} All steps: resource ${planUri(animal)}.`;
}
