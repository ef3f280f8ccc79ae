import type { ReasonWords } from "../reasons.ts";
import { type CoatNames, coatPhrase } from "./coat-phrase.ts";

const COAT: CoatNames = {
  colors: {
    black: "noir",
    white: "blanc",
    grey: "gris",
    brown: "brun",
    orange: "roux",
    tan: "fauve",
    green: "vert",
    blue: "bleu",
    yellow: "jaune",
    red: "rouge",
    pink: "rose",
  },
  patterns: {
    pointed: "à pointes foncées",
    calico: "calico (écaille et blanc)",
    tortie: "écaille de tortue",
    merle: "merle",
    brindle: "bringé",
    tabby: "tigré",
    spotted: "tacheté",
    tricolor: "",
    bicolor: "",
    solid: "",
  },
  and: " et ",
};

const SIZES = { small: "petite", medium: "moyenne", large: "grande", xlarge: "très grande" };
const AGES = { baby: "bébé", young: "jeune", adult: "adulte", senior: "senior" };
const SEXES = { male: "mâle", female: "femelle" };

export const fr: ReasonWords = {
  reasons: {
    chip: ({ is }) => (is === "same" ? "même puce" : "puces différentes"),
    species: () => "espèce différente",
    place: (said) => {
      switch (said.is) {
        case "apart":
          return said.km < 1 ? "à moins de 1 km" : `à environ ${said.km} km`;
        case "centres apart":
          return `à environ ${said.km} km, mesurés depuis le centre d’une ville`;
        case "in town":
          return `même ville\u202f: ${said.town}`;
        case "around town":
          return `même secteur\u202f: ${said.town} et environs`;
      }
    },
    time: ({ days }) => {
      if (days === 0) return "trouvé le même jour";
      if (days > 0) return `trouvé ${inDays(days)} après`;
      return `trouvé ${inDays(-days)} avant la perte, d’après les dates données`;
    },
    coat: ({ lost, found, is }) => {
      switch (is) {
        case "same":
          return `même couleur\u202f: ${coatPhrase(lost, COAT)}`;
        case "alike":
          return `couleurs proches\u202f: ${coatPhrase(lost, COAT)}\u202f; ${coatPhrase(found, COAT)}`;
        case "different":
          return `couleurs différentes\u202f: ${coatPhrase(lost, COAT)}\u202f; ${coatPhrase(found, COAT)}`;
      }
    },
    look: ({ is }) => {
      switch (is) {
        case "same":
          return "même type de race ou d’allure";
        case "alike":
          return "race ou allure proche";
        case "different":
          return "race ou allure différente";
      }
    },
    size: ({ lost, found, is }) =>
      is === "same"
        ? `même taille\u202f: ${SIZES[lost]}`
        : `taille différente\u202f: ${SIZES[lost]}, ${SIZES[found]}`,
    sex: ({ lost, is }) => (is === "same" ? `même sexe\u202f: ${SEXES[lost]}` : "sexe différent"),
    age: ({ lost, found, is }) =>
      is === "same"
        ? `même âge\u202f: ${AGES[lost]}`
        : `âge différent\u202f: ${AGES[lost]}, ${AGES[found]}`,
    name: ({ is }) => (is === "same" ? "même nom" : "nom différent"),
  },
  fields: {
    place: "lieu",
    time: "date",
    coat: "couleur",
    look: "race",
    size: "taille",
    sex: "sexe",
    age: "âge",
    name: "nom",
  },
};

function inDays(days: number): string {
  return days === 1 ? "1 jour" : `${days} jours`;
}
