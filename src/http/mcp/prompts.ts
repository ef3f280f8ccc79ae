import { planUri } from "./plan.ts";
import { type AlertType, SPECIES } from "../../values/animal.ts";

/** Prompt template: its arguments and the message it starts a conversation with. */
export type Prompt = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
    readonly values?: readonly string[];
  }[];
  readonly text: (args: Readonly<Record<string, string>>) => string;
};

const species = { name: "species", description: "Kind of animal", required: true, values: SPECIES };
const place = {
  name: "place",
  description: "Town, quarter or address near which it happened",
  required: true,
};
const looks = {
  name: "looks",
  description: "Name, colour, breed, size, markings",
  required: false,
};

/** Resource with the plan for the animal that was named. */
function planIn(type: AlertType, args: Readonly<Record<string, string>>): string {
  const { species = "", looks = "" } = args;
  const known = SPECIES.find((one) => one === species) ?? "other";
  return planUri({ type, species: known, breed: `${species} ${looks}` });
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: "find_my_lost_pet",
    title: "Look for my lost pet",
    description: "Searches found alerts near a place for a missing animal.",
    arguments: [species, place, looks],
    text: (args) =>
      `My ${args["species"] ?? "pet"} is missing near ${args["place"] ?? "here"}. ${args["looks"] ?? ""} Please search the found alerts around that place and show me the ones that could be mine, with distance and date. Then tell me what to do now, by the resource ${planIn("lost", args)}.`,
  },
  {
    name: "report_a_lost_pet",
    title: "Report a lost pet",
    description: "Collects the details of an alert and publishes it.",
    arguments: [species, place, looks],
    text: (args) =>
      `I want to publish an alert: my ${args["species"] ?? "pet"} went missing near ${args["place"] ?? "here"}. ${args["looks"] ?? ""} Please ask me for what is missing (colour, day, my e-mail address for the confirmation), check first whether someone has already found it, then publish it, and tell me what to do now, by the resource ${planIn("lost", args)}.`,
  },
  {
    name: "i_found_a_pet",
    title: "Report a found pet",
    description: "Looks for the owner of a found animal, and publishes a found alert.",
    arguments: [species, place, looks],
    text: (args) =>
      `I found a ${args["species"] ?? "pet"} near ${args["place"] ?? "here"}. ${args["looks"] ?? ""} Please search the lost alerts around that place; if none matches, help me publish a found alert. Tell me what to do now, by the resource ${planIn("found", args)}.`,
  },
];

/** Values of a prompt's argument that start with the typed text. */
export function completions(promptName: string, argumentName: string, typed: string): string[] {
  const argument = PROMPTS.find(({ name }) => name === promptName)?.arguments.find(
    ({ name }) => name === argumentName,
  );
  return (argument?.values ?? []).filter((value) => value.startsWith(typed.toLowerCase()));
}
