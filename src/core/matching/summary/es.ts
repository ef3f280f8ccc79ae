import { LOCALES } from "../../locale.ts";
import type { DistanceDetails } from "../../../matching/evidence/distance.ts";
import { coatText } from "../reasons.ts";
import type { Shared, SummaryMessages } from "../summary.ts";

// Masculine, as "animal", "perro" and "gato" are.
const words: SummaryMessages["words"] = {
  coat: (coat) => coatText(coat, "es"),
  size: { small: "pequeño", medium: "mediano", large: "grande", xlarge: "muy grande" },
  sex: { male: "macho", female: "hembra" },
  age: { baby: "muy joven", young: "joven", adult: "adulto", senior: "mayor" },
  species: { dog: "un perro", cat: "un gato", bird: "un ave", other: "otro animal" },
};
const sizes = {
  small: "de tamaño pequeño",
  medium: "de tamaño mediano",
  large: "de tamaño grande",
  xlarge: "de tamaño muy grande",
};
const also = {
  "similar colours": "de colores parecidos",
  "same breed": "de raza parecida",
  "similar breed": "de un tipo parecido",
  "same name": "con el mismo nombre",
};
const NOUNS = { dog: "un perro", cat: "un gato", bird: "un ave", other: "un animal" };

const fields = {
  coat: "el color",
  breed: "la raza",
  size: "el tamaño",
  sex: "el sexo",
  age: "la edad",
  name: "el nombre",
};

export const es: SummaryMessages = {
  likely: "Puede que sea el mismo animal: ",
  unlikely: "Probablemente sea otro animal, aunque podría ser el mismo: ",
  sameChip:
    "Es casi seguro que se trata del mismo animal: los dos avisos tienen el mismo número de microchip",
  both(species, shared) {
    const { sex, age, coat, size } = shared;
    const gendered = species === "bird" ? feminine : (word: string) => word;
    const animal = [
      NOUNS[species],
      sex && words.sex[sex],
      age && gendered(words.age[age]),
      coat && gendered(words.coat(coat)),
      LOCALES.es.and([...(size ? [sizes[size]] : []), ...shared.also.map((one) => also[one])]),
    ].filter((part) => part);
    const parts = whenAndWhere(shared);
    const fate =
      parts === "" ? "" : `, ${gendered("perdido")} y ${gendered("encontrado")} ${parts}`;
    return `los dos avisos describen ${animal.join(" ")}${fate}`;
  },
  but: (clauses) => `; pero ${clauses}`,
  andClause: ", y ",
  contrast: (lost, found) =>
    `el animal perdido se describe como ${lost}, mientras que el encontrado se describe como ${found}`,
  differs: {
    chip: "los números de microchip no coinciden",
    breed: "la raza o el aspecto no coinciden",
    name: "los nombres no coinciden",
    distance(place) {
      switch (place.kind) {
        case "apart":
          return `los dos lugares están ${distance(place.km)} uno del otro`;
        case "centres apart":
          return `los dos lugares están ${distance(place.km)} uno del otro, medidos desde el centro de una localidad`;
        case "in town":
          return `de los lugares solo se conoce la localidad (${place.town})`;
        case "around town":
          return `de uno de los lugares solo se conoce la localidad (${place.town})`;
      }
    },
    time: (days) =>
      days < 0
        ? `según las fechas indicadas, se encontró ${days === -1 ? "el día" : `${-days} días`} antes de perderse`
        : days > 1
          ? `pasaron ${days} días hasta que se encontró`
          : `se encontró ${later(days)}`,
  },
  words,
  ask: {
    owner: (fields) => `Pregunte a la familia por ${fields}: el aviso no lo dice.`,
    finder: (fields) => `Pregunte a quien lo encontró por ${fields}: el aviso no lo dice.`,
    shelter: (fields) => `Pregunte al refugio por ${fields}: el aviso no lo dice.`,
    fields,
  },
  check: {
    fits: (fields) => `Solo el otro aviso indica ${fields}: compruebe si encaja.`,
    fields,
  },
};

/** Feminine of masculine adjectives: "negro y blanco", "negra y blanca". */
function feminine(masculine: string): string {
  return masculine.replace(/o(?![\p{L}])/gu, "a");
}

function whenAndWhere({ place, days }: Shared): string {
  const when = days === undefined ? [] : [later(days)];
  const at = place === undefined ? [] : [where(place)];
  return [...when, ...at].join(", ");
}

function where(place: DistanceDetails): string {
  switch (place.kind) {
    case "apart":
      return `${distance(place.km)} de distancia`;
    case "centres apart":
      return `${distance(place.km)} de distancia, medidos desde el centro de una localidad`;
    case "in town":
      return `en la misma localidad (${place.town})`;
    case "around town":
      return `en la misma zona (${place.town} y alrededores)`;
  }
}

function distance(km: number): string {
  if (km < 1) return "a menos de 1 km";
  return km === 1 ? "a cerca de 1 km" : `a unos ${km} km`;
}

function later(days: number): string {
  if (days === 0) return "el mismo día";
  return days === 1 ? "al día siguiente" : `${days} días después`;
}
