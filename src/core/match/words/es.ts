import type { ReasonWords } from "../reasons.ts";
import { type CoatNames, coatPhrase } from "./coat-phrase.ts";

const COAT: CoatNames = {
  colors: {
    black: "negro",
    white: "blanco",
    grey: "gris",
    brown: "marrón",
    orange: "naranja",
    tan: "canela",
    green: "verde",
    blue: "azul",
    yellow: "amarillo",
    red: "rojo",
    pink: "rosa",
  },
  patterns: {
    pointed: "con puntas oscuras",
    calico: "cálico (tricolor)",
    tortie: "carey",
    merle: "merle",
    brindle: "bardino",
    tabby: "atigrado",
    spotted: "moteado",
    tricolor: "",
    bicolor: "",
    solid: "",
  },
  and: " y ",
};

const SIZES = { small: "pequeño", medium: "mediano", large: "grande", xlarge: "muy grande" };
const AGES = { baby: "cría", young: "joven", adult: "adulto", senior: "mayor" };
const SEXES = { male: "macho", female: "hembra" };

export const es: ReasonWords = {
  reasons: {
    chip: ({ is }) => (is === "same" ? "mismo microchip" : "microchips distintos"),
    species: () => "especie distinta",
    place: (said) => {
      switch (said.is) {
        case "apart":
          return said.km < 1 ? "a menos de 1 km" : `a unos ${said.km} km`;
        case "centres apart":
          return `a unos ${said.km} km, medidos desde el centro de una localidad`;
        case "in town":
          return `misma localidad: ${said.town}`;
        case "around town":
          return `misma zona: ${said.town} y alrededores`;
      }
    },
    time: ({ days }) => {
      if (days === 0) return "encontrado el mismo día";
      if (days > 0) return `encontrado ${inDays(days)} después`;
      return `encontrado ${inDays(-days)} antes de perderse, según las fechas dadas`;
    },
    coat: ({ lost, found, is }) => {
      switch (is) {
        case "same":
          return `mismo color: ${coatPhrase(lost, COAT)}`;
        case "alike":
          return `colores parecidos: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
        case "different":
          return `colores distintos: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
      }
    },
    look: ({ is }) => {
      switch (is) {
        case "same":
          return "mismo tipo de raza o aspecto";
        case "alike":
          return "raza o aspecto parecido";
        case "different":
          return "raza o aspecto distinto";
      }
    },
    size: ({ lost, found, is }) =>
      is === "same"
        ? `mismo tamaño: ${SIZES[lost]}`
        : `tamaño distinto: ${SIZES[lost]}, ${SIZES[found]}`,
    sex: ({ lost, is }) => (is === "same" ? `mismo sexo: ${SEXES[lost]}` : "sexo distinto"),
    age: ({ lost, found, is }) =>
      is === "same" ? `misma edad: ${AGES[lost]}` : `edad distinta: ${AGES[lost]}, ${AGES[found]}`,
    name: ({ is }) => (is === "same" ? "mismo nombre" : "nombre distinto"),
  },
  fields: {
    place: "lugar",
    time: "fecha",
    coat: "color",
    look: "raza",
    size: "tamaño",
    sex: "sexo",
    age: "edad",
    name: "nombre",
  },
};

function inDays(days: number): string {
  return days === 1 ? "1 día" : `${days} días`;
}
