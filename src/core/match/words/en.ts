import type { ReasonWords } from "../reasons.ts";
import { type CoatNames, coatPhrase } from "./coat-phrase.ts";

const COAT: CoatNames = {
  colors: {
    black: "black",
    white: "white",
    grey: "grey",
    brown: "brown",
    orange: "orange",
    tan: "tan",
    green: "green",
    blue: "blue",
    yellow: "yellow",
    red: "red",
    pink: "pink",
  },
  patterns: {
    pointed: "with points",
    calico: "calico",
    tortie: "tortoiseshell",
    merle: "merle",
    brindle: "brindle",
    tabby: "tabby",
    spotted: "spotted",
    tricolor: "",
    bicolor: "",
    solid: "",
  },
  and: " and ",
};

const SIZES = { small: "small", medium: "medium-sized", large: "large", xlarge: "very large" };
const AGES = { baby: "babies", young: "young", adult: "adult", senior: "old" };

export const en: ReasonWords = {
  reasons: {
    chip: ({ is }) => (is === "same" ? "same microchip" : "different microchips"),
    species: () => "species differs",
    place: (said) => {
      switch (said.is) {
        case "apart":
          return said.km < 1 ? "less than 1 km apart" : `about ${said.km} km apart`;
        case "centres apart":
          return `about ${said.km} km apart, measured from the centre of a town`;
        case "in town":
          return `both in ${said.town}`;
        case "around town":
          return `both in or near ${said.town}`;
      }
    },
    time: ({ days }) => {
      if (days === 0) return "found the same day";
      if (days > 0) return `found ${inDays(days)} after`;
      return `found ${inDays(-days)} before it was lost, by the dates given`;
    },
    coat: ({ lost, found, is }) => {
      switch (is) {
        case "same":
          return `both ${coatPhrase(lost, COAT)}`;
        case "alike":
          return `similar colours: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
        case "different":
          return `colours differ: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
      }
    },
    look: ({ is }) => {
      switch (is) {
        case "same":
          return "same kind by breed or look";
        case "alike":
          return "similar breed or look";
        case "different":
          return "breed or look differs";
      }
    },
    size: ({ lost, found, is }) =>
      is === "same" ? `both ${SIZES[lost]}` : `size differs: ${SIZES[lost]}, ${SIZES[found]}`,
    sex: ({ lost, is }) => (is === "same" ? `both ${lost}` : "sex differs"),
    age: ({ lost, found, is }) =>
      is === "same" ? `both ${AGES[lost]}` : `age differs: ${AGE[lost]}, ${AGE[found]}`,
    name: ({ is }) => (is === "same" ? "same name" : "name differs"),
  },
  fields: {
    place: "place",
    time: "date",
    coat: "colour",
    look: "breed",
    size: "size",
    sex: "sex",
    age: "age",
    name: "name",
  },
};

const AGE = { ...AGES, baby: "baby" };

function inDays(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}
