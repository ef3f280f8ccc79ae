import type { ReasonMessages } from "../reasons.ts";

const inDays = (days: number) => (days === 1 ? "1 jour" : `${days} jours`);

export const fr: ReasonMessages = {
  chip: { same: "même puce", different: "puces différentes" },
  species: "espèces différentes",
  distance: {
    near: "à moins de 1 km",
    apart: (km) => `à environ ${km} km`,
    centresApart: (km) => `à environ ${km} km, mesurés depuis le centre d’une ville`,
    inTown: (town) => `même ville\u202f: ${town}`,
    aroundTown: (town) => `même secteur\u202f: ${town} et environs`,
  },
  time: {
    sameDay: "trouvé le même jour",
    after: (days) => `trouvé ${inDays(days)} après`,
    before: (days) => `trouvé ${inDays(days)} avant la perte, d’après les dates indiquées`,
  },
  coat: {
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
    },
    and: " et ",
    same: (coat) => `même couleur\u202f: ${coat}`,
    similar: (one, other) => `couleurs proches\u202f: l’un ${one}, l’autre ${other}`,
    different: (one, other) => `couleurs différentes\u202f: l’un ${one}, l’autre ${other}`,
  },
  breed: {
    same: "même type de race ou d’apparence",
    similar: "race ou apparence proche",
    different: "race ou apparence différente",
  },
  size: {
    values: { small: "petite", medium: "moyenne", large: "grande", xlarge: "très grande" },
    same: (size) => `même taille\u202f: ${size}`,
    different: (one, other) => `tailles différentes\u202f: ${one} et ${other}`,
  },
  sex: {
    same: { male: "même sexe\u202f: mâle", female: "même sexe\u202f: femelle" },
    different: "un mâle et une femelle",
  },
  age: {
    values: { baby: "bébé", young: "jeune", adult: "adulte", senior: "âgé" },
    same: (age) => `même âge\u202f: ${age}`,
    different: (one, other) => `âges différents\u202f: ${one} et ${other}`,
  },
  name: { same: "même nom", different: "noms différents" },
  notCompared: "non comparé\u202f:",
  fields: {
    distance: "lieu",
    time: "date",
    coat: "couleur",
    breed: "race",
    size: "taille",
    sex: "sexe",
    age: "âge",
    name: "nom",
  },
};
