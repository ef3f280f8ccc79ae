import { type AlertType, SPECIES } from "../../values/animal.ts";

/** Published studies that steps refer to. Titles stay in their original language. */
export const PLAN_SOURCES = {
  huang: {
    title:
      "Huang L. et al. (2018): Search Methods Used to Locate Missing Cats and Locations Where Missing Cats Are Found. Animals 8(1):5",
    address: "https://doi.org/10.3390/ani8010005",
  },
  weiss: {
    title:
      "Weiss E., Slater M., Lord L. (2012): Frequency of Lost Dogs and Cats in the United States and the Methods Used to Locate Them. Animals 2(2):301–315",
    address: "https://doi.org/10.3390/ani2020301",
  },
  lordOwners: {
    title:
      "Lord L. et al. (2007): Search and identification methods that owners use to find a lost dog. Journal of the American Veterinary Medical Association 230(2):211–216",
    address: "https://doi.org/10.2460/javma.230.2.211",
  },
  lordFinders: {
    title:
      "Lord L. et al. (2007): Search methods that people use to find owners of lost pets. Journal of the American Veterinary Medical Association 230(12)",
    address:
      "https://experts.arizona.edu/en/publications/search-methods-that-people-use-to-find-owners-of-lost-pets",
  },
  dallas: {
    title:
      "A New Web-Based Tool for RTO-Focused Animal Shelter Data Analysis (2021). Frontiers in Veterinary Science 8:669428",
    address: "https://doi.org/10.3389/fvets.2021.669428",
  },
} as const;
export type PlanSource = keyof typeof PLAN_SOURCES;

/** Things that a step needs: something to print, the search map, or people to call. */
export type PlanNeed = "poster" | "big_poster" | "flyer" | "map" | "help";

/** Animals that have a plan of their own: those of each species, and large ones such as horses and cattle. */
export const PLAN_ANIMALS = [...SPECIES, "large"] as const;
export type PlanAnimal = (typeof PLAN_ANIMALS)[number];

type PlanStepData = {
  readonly id: string;
  readonly side: AlertType;
  readonly animals: readonly PlanAnimal[];
  /** First and last day of the step, counted from the day of the loss or the find; null: until the end. */
  readonly fromDay: number;
  readonly toDay: number | null;
  /** Study that its text refers to; null if it rests on experience. */
  readonly source: PlanSource | null;
  readonly needs: readonly PlanNeed[];
};

const PETS = SPECIES;
const ANY = PLAN_ANIMALS;

/** Every step of the first days, the most urgent first. Texts: `texts/<language>.json`. */
export const PLAN_STEPS = [
  step("search_house", "lost", ["cat"], 0, 1, null),
  step("search_near_cat", "lost", ["cat"], 0, 6, "huang", "map"),
  step("search_wider_cat", "lost", ["cat"], 7, null, "huang", "map"),
  step("stay_there", "lost", ["dog"], 0, 2, null),
  step("search_near_dog", "lost", ["dog"], 0, 6, "weiss", "map"),
  step("search_wider_dog", "lost", ["dog"], 3, null, "dallas", "map"),
  step("search_bird", "lost", ["bird"], 0, 13, null),
  step("search_small", "lost", ["other"], 0, 13, null),
  step("warn_roads", "lost", ["large"], 0, 2, null, "help"),
  step("search_large", "lost", ["large"], 0, 13, null),
  step("ask_farms", "lost", ["large"], 0, null, null),
  step("call_agencies", "lost", ["dog"], 0, null, "lordOwners", "help"),
  step("ask_neighbours", "lost", ["cat"], 0, 13, "huang", "flyer"),
  step("leave_flyers", "lost", ["dog", "bird", "other"], 0, 13, null, "flyer"),
  step("hang_big_posters", "lost", ["dog"], 0, 30, "lordOwners", "big_poster"),
  step("visit_shelters", "lost", PETS, 2, null, "lordOwners", "help"),
  step("borrow_trap", "lost", ["cat"], 3, 90, "weiss", "help"),
  step("leave_food", "lost", ["cat"], 0, 30, null),
  step("call_shelters", "lost", ["cat", "bird", "other"], 0, null, null, "help"),
  step("report_chip", "lost", ["cat", "dog", "large"], 0, 13, null),
  step("hang_posters", "lost", ["cat", "bird", "other", "large"], 0, 30, null, "poster"),
  step("renew_posters", "lost", ANY, 7, null, null, "poster"),
  step("share_again", "lost", ANY, 7, null, null),

  step("keep_safe", "found", PETS, 0, 1, null, "help"),
  step("secure_large", "found", ["large"], 0, 1, null, "help"),
  step("read_chip", "found", ANY, 0, null, null, "help"),
  step("ring_doors_dog", "found", ["dog"], 0, 6, "dallas", "flyer"),
  step("ring_doors", "found", ["cat", "bird", "other"], 0, 6, "lordFinders", "flyer"),
  step("ask_farms_found", "found", ["large"], 0, 6, null),
  step("report_found", "found", ANY, 0, null, "lordFinders", "help"),
  step("keep_two_days", "found", PETS, 0, 2, "lordFinders", "help"),
  step("hang_found_posters", "found", ANY, 0, 30, "lordFinders", "poster"),
  step("true_owner", "found", ANY, 0, null, null),
] as const;

export type PlanStep = PlanStepData & { readonly id: PlanStepId };
export type PlanStepId = (typeof PLAN_STEPS)[number]["id"];
export const PLAN_STEP_IDS = PLAN_STEPS.map(({ id }) => id) as [PlanStepId, ...PlanStepId[]];

function step<const Id extends string>(
  id: Id,
  side: AlertType,
  animals: readonly PlanAnimal[],
  fromDay: number,
  toDay: number | null,
  source: PlanSource | null,
  ...needs: readonly PlanNeed[]
): PlanStepData & { readonly id: Id } {
  return { id, side, animals, fromDay, toDay, source, needs };
}
