import { SPECIES } from "../../core/alert.ts";

/** A conversation a person may start from: what it needs, and the words it begins with. */
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
  readonly words: (given: Readonly<Record<string, string>>) => string;
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

export const PROMPTS: readonly Prompt[] = [
  {
    name: "find_my_lost_pet",
    title: "Look for my lost pet",
    description: "Searches found alerts near a place for an animal that is missed.",
    arguments: [species, place, looks],
    words: (given) =>
      `My ${given["species"] ?? "pet"} is missing near ${given["place"] ?? "here"}. ${given["looks"] ?? ""} Please search the found alerts around that place and show me the ones that could be mine, with distance and date.`,
  },
  {
    name: "report_a_lost_pet",
    title: "Report a lost pet",
    description: "Gathers what an alert needs and publishes it.",
    arguments: [species, place, looks],
    words: (given) =>
      `I want to publish an alert: my ${given["species"] ?? "pet"} got lost near ${given["place"] ?? "here"}. ${given["looks"] ?? ""} Please ask me for what is missing (colour, day, my e-mail address for the confirmation), look first whether it was found already, then publish it.`,
  },
  {
    name: "i_found_a_pet",
    title: "Report a found pet",
    description: "Looks for the owner of a found animal, and publishes a found alert.",
    arguments: [species, place, looks],
    words: (given) =>
      `I found a ${given["species"] ?? "pet"} near ${given["place"] ?? "here"}. ${given["looks"] ?? ""} Please search the lost alerts around that place; if none fits, help me publish a found alert.`,
  },
];

/** Values of a prompt's argument that begin with what was typed. */
export function completions(promptName: string, argumentName: string, typed: string): string[] {
  const argument = PROMPTS.find(({ name }) => name === promptName)?.arguments.find(
    ({ name }) => name === argumentName,
  );
  return (argument?.values ?? []).filter((value) => value.startsWith(typed.toLowerCase()));
}
