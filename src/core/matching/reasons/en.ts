import type { ReasonMessages } from "../reasons.ts";

const inDays = (days: number) => (days === 1 ? "1 day" : `${days} days`);

export const en: ReasonMessages = {
  chip: { same: "same microchip", different: "different microchips" },
  species: "different species",
  distance: {
    near: "less than 1 km apart",
    apart: (km) => `about ${km} km apart`,
    centresApart: (km) => `about ${km} km apart, measured from the centre of a town`,
    inTown: (town) => `both in ${town}`,
    aroundTown: (town) => `both in or near ${town}`,
  },
  time: {
    sameDay: "found the same day",
    after: (days) => `found ${inDays(days)} later`,
    before: (days) => `found ${inDays(days)} before it was lost, according to the dates given`,
  },
  coat: {
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
    },
    and: " and ",
    same: (coat) => `both ${coat}`,
    similar: (one, other) => `similar colours: one ${one}, one ${other}`,
    different: (one, other) => `different colours: one ${one}, one ${other}`,
  },
  breed: {
    same: "same type by breed or appearance",
    similar: "similar breed or appearance",
    different: "different breed or appearance",
  },
  size: {
    values: { small: "small", medium: "medium-sized", large: "large", xlarge: "very large" },
    same: (size) => `both ${size}`,
    different: (one, other) => `different sizes: one ${one}, one ${other}`,
  },
  sex: { same: { male: "both male", female: "both female" }, different: "one male, one female" },
  age: {
    values: { baby: "very young", young: "young", adult: "adult", senior: "old" },
    same: (age) => `both ${age}`,
    different: (one, other) => `different ages: one ${one}, one ${other}`,
  },
  name: { same: "same name", different: "different names" },
  notCompared: "not compared:",
  fields: {
    distance: "place",
    time: "date",
    coat: "colour",
    breed: "breed",
    size: "size",
    sex: "sex",
    age: "age",
    name: "name",
  },
};
