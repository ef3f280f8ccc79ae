import type { Species } from "../../core/alerts/alert.ts";
import type { Size } from "../../core/alerts/fields.ts";

/** Breed or kind, with its usual size and colours, in English. Other languages have theirs in `texts`. */
export type Breed = {
  readonly name: string;
  readonly size: Size;
  readonly colors: readonly string[];
};

type Weighted<Value> = readonly (readonly [value: Value, weight: number])[];

/** Species of lost animals, with weights. */
export const SPECIES_MIX: Weighted<Species> = [
  ["cat", 52],
  ["dog", 38],
  ["bird", 5],
  ["other", 5],
];

const LAB_COLORS = ["black", "yellow", "chocolate brown"];
const TERRIER_COLORS = ["white and tan", "black and tan", "white with brown patches"];
const CAT_COLORS = [
  "black",
  "black",
  "black and white",
  "black and white",
  "brown tabby",
  "brown tabby",
  "brown tabby and white",
  "grey tabby",
  "grey",
  "orange tabby",
  "orange and white",
  "tortoiseshell",
  "calico",
  "white",
];

export const BREEDS: Readonly<Record<Species, Weighted<Breed>>> = {
  dog: [
    [breed("mixed breed", "medium", ["black", "brown", "black and tan", "brindle", "tan"]), 16],
    [breed("mixed breed", "small", ["white", "brown", "black and white", "cream"]), 9],
    [breed("Labrador Retriever", "large", LAB_COLORS), 9],
    [breed("German Shepherd", "large", ["black and tan", "sable", "black"]), 6],
    [breed("Chihuahua", "small", ["fawn", "black and tan", "cream", "brown"]), 6],
    [breed("Jack Russell Terrier", "small", TERRIER_COLORS), 6],
    [breed("Yorkshire Terrier", "small", ["blue and tan", "black and gold"]), 5],
    [breed("Border Collie", "medium", ["black and white", "brown and white", "blue merle"]), 5],
    [breed("Golden Retriever", "large", ["golden", "light golden", "cream"]), 5],
    [breed("Beagle", "medium", ["tricolour", "lemon and white"]), 4],
    [breed("French Bulldog", "small", ["fawn", "brindle", "black", "blue"]), 4],
    [breed("Siberian Husky", "large", ["grey and white", "black and white", "red and white"]), 4],
    [breed("Staffordshire Bull Terrier", "medium", ["brindle", "blue", "black and white"]), 4],
    [breed("Shih Tzu", "small", ["white and gold", "black and white", "grey and white"]), 3],
    [breed("Dachshund", "small", ["red", "black and tan", "chocolate and tan"]), 3],
    [breed("Cocker Spaniel", "medium", ["golden", "black", "chocolate brown"]), 3],
    [breed("Poodle", "small", ["white", "apricot", "black", "silver grey"]), 3],
    [breed("Australian Shepherd", "medium", ["blue merle", "red merle", "black tricolour"]), 3],
    [breed("Boxer", "large", ["fawn", "brindle"]), 2],
    [breed("Bernese Mountain Dog", "xlarge", ["tricolour"]), 1],
    [breed("Great Dane", "xlarge", ["harlequin", "fawn", "blue"]), 1],
  ],
  cat: [
    [breed("domestic shorthair", "small", CAT_COLORS), 60],
    [breed("domestic longhair", "medium", CAT_COLORS), 14],
    [breed("Siamese", "small", ["seal point", "blue point", "lilac point"]), 5],
    [breed("Maine Coon", "large", ["brown tabby", "black smoke", "red tabby", "silver tabby"]), 5],
    [breed("British Shorthair", "medium", ["blue", "lilac", "golden"]), 4],
    [breed("Bengal", "medium", ["brown spotted", "snow spotted"]), 3],
    [breed("Ragdoll", "large", ["seal point", "blue bicolour"]), 3],
    [breed("Persian", "medium", ["white", "cream", "blue"]), 2],
    [breed("Russian Blue", "small", ["blue grey"]), 2],
    [breed("Sphynx", "small", ["pink", "dark grey"]), 1],
  ],
  bird: [
    [breed("budgerigar", "small", ["green and yellow", "blue and white", "yellow"]), 5],
    [breed("cockatiel", "small", ["grey with yellow head", "white with yellow crest"]), 5],
    [breed("lovebird", "small", ["green with peach face", "blue"]), 2],
    [breed("African grey parrot", "medium", ["grey with red tail"]), 2],
    [breed("canary", "small", ["yellow", "orange"]), 1],
  ],
  other: [
    [breed("rabbit", "small", ["white", "brown", "grey", "black and white"]), 5],
    [breed("tortoise", "small", ["brown and yellow shell", "dark brown shell"]), 4],
    [breed("ferret", "small", ["sable", "albino white"]), 2],
    [breed("guinea pig", "small", ["white and brown", "tricolour"]), 1],
  ],
};

function breed(name: string, size: Size, colors: readonly string[]): Breed {
  return { name, size, colors };
}
