import { LOCALES } from "../../locale.ts";
import type { DistanceDetails } from "../../../matching/evidence/distance.ts";
import { coatText } from "../reasons.ts";
import type { Shared, SummaryMessages } from "../summary.ts";

// Masculine, as "animal", "chien", "chat" and "oiseau" are.
const words: SummaryMessages["words"] = {
  coat: (coat) => coatText(coat, "fr"),
  size: { small: "petit", medium: "de taille moyenne", large: "grand", xlarge: "très grand" },
  sex: { male: "mâle", female: "femelle" },
  age: { baby: "très jeune", young: "jeune", adult: "adulte", senior: "âgé" },
  species: { dog: "un chien", cat: "un chat", bird: "un oiseau", other: "un autre animal" },
};
const sizes = {
  small: "de petite taille",
  medium: "de taille moyenne",
  large: "de grande taille",
  xlarge: "de très grande taille",
};
const also = {
  "similar colours": "aux couleurs proches",
  "same breed": "de race proche",
  "similar breed": "d’un type proche",
  "same name": "portant le même nom",
};
const NOUNS = { dog: "chien", cat: "chat", bird: "oiseau", other: "animal" };

const fields = {
  coat: "la couleur",
  breed: "la race",
  size: "la taille",
  sex: "le sexe",
  age: "l’âge",
  name: "le nom",
};

export const fr: SummaryMessages = {
  likely: "C’est peut-être le même animal\u202f: ",
  unlikely: "C’est probablement un autre animal, mais ce pourrait être le même\u202f: ",
  sameChip:
    "C’est presque certainement le même animal\u202f: les deux alertes portent le même numéro de puce",
  both(species, shared) {
    const { age, sex, size, coat } = shared;
    const isYoung = age === "baby" || age === "young";
    const animal = [
      "un",
      isYoung && words.age[age],
      NOUNS[species],
      sex && words.sex[sex],
      age !== undefined && !isYoung && words.age[age],
      coat && words.coat(coat),
      LOCALES.fr.and([...(size ? [sizes[size]] : []), ...shared.also.map((one) => also[one])]),
    ].filter((part) => part);
    return `les deux alertes décrivent ${animal.join(" ")}${lostAndFound(shared)}`;
  },
  but: (clauses) => `\u202f; mais ${clauses}`,
  andClause: ", et ",
  contrast: (lost, found) =>
    `l’animal perdu est décrit comme ${lost}, alors que l’animal trouvé est décrit comme ${found}`,
  differs: {
    chip: "les numéros de puce diffèrent",
    breed: "la race ou l’apparence diffère",
    name: "les noms diffèrent",
    distance(place) {
      switch (place.kind) {
        case "apart":
          return `les deux lieux sont ${distance(place.km)} l’un de l’autre`;
        case "centres apart":
          return `les deux lieux sont ${distance(place.km)} l’un de l’autre, mesurés depuis le centre d’une ville`;
        case "in town":
          return `des lieux, on ne connaît que la ville (${place.town})`;
        case "around town":
          return `de l’un des lieux, on ne connaît que la ville (${place.town})`;
      }
    },
    time: (days) =>
      days < 0
        ? `d’après les dates indiquées, il a été trouvé ${days === -1 ? "la veille de" : `${-days} jours avant`} la perte`
        : days > 1
          ? `${days} jours se sont écoulés avant la découverte`
          : `il a été trouvé ${later(days)}`,
  },
  words,
  ask: {
    owner: (fields) => `Demandez ${fields} de l’animal à la famille\u202f: l’alerte n’en dit rien.`,
    finder: (fields) =>
      `Demandez ${fields} de l’animal à la personne qui l’a trouvé\u202f: l’alerte n’en dit rien.`,
    shelter: (fields) => `Demandez ${fields} de l’animal au refuge\u202f: l’alerte n’en dit rien.`,
    fields,
  },
  check: {
    fits: (fields) => `Seule l’autre alerte indique ${fields}\u202f: vérifiez si cela correspond.`,
    fields,
  },
};

function lostAndFound({ place, days }: Shared): string {
  if (days === undefined) return place === undefined ? "" : `, perdu et trouvé ${where(place)}`;
  const when = `, perdu, puis trouvé ${later(days)}`;
  return place === undefined ? when : `${when}, ${where(place)}`;
}

function where(place: DistanceDetails): string {
  switch (place.kind) {
    case "apart":
      return `${distance(place.km)} de distance`;
    case "centres apart":
      return `${distance(place.km)} de distance, mesurés depuis le centre d’une ville`;
    case "in town":
      return `dans la même ville (${place.town})`;
    case "around town":
      return `dans le même secteur (${place.town} et environs)`;
  }
}

const distance = (km: number) => (km < 1 ? "à moins de 1 km" : `à environ ${km} km`);

function later(days: number): string {
  if (days === 0) return "le même jour";
  return days === 1 ? "le lendemain" : `${days} jours plus tard`;
}
