import type { ReasonWords } from "../reasons.ts";
import { type CoatNames, coatPhrase } from "./coat-phrase.ts";

const COAT: CoatNames = {
  colors: {
    black: "schwarz",
    white: "weiß",
    grey: "grau",
    brown: "braun",
    orange: "orange",
    tan: "beige",
    green: "grün",
    blue: "blau",
    yellow: "gelb",
    red: "rot",
    pink: "rosa",
  },
  patterns: {
    pointed: "mit dunklen Abzeichen",
    calico: "dreifarbig (Glückskatze)",
    tortie: "schildpatt",
    merle: "merle",
    brindle: "gestromt",
    tabby: "getigert",
    spotted: "gefleckt",
    tricolor: "",
    bicolor: "",
    solid: "",
  },
  and: "-",
};

const SIZES = { small: "klein", medium: "mittelgroß", large: "groß", xlarge: "sehr groß" };
const AGES = { baby: "Jungtier", young: "jung", adult: "ausgewachsen", senior: "alt" };
const SEXES = { male: "männlich", female: "weiblich" };

export const de: ReasonWords = {
  reasons: {
    chip: ({ is }) => (is === "same" ? "gleicher Chip" : "verschiedene Chips"),
    species: () => "andere Tierart",
    place: (said) => {
      switch (said.is) {
        case "apart":
          return said.km < 1 ? "weniger als 1 km entfernt" : `etwa ${said.km} km entfernt`;
        case "centres apart":
          return `etwa ${said.km} km entfernt, gemessen von einer Ortsmitte`;
        case "in town":
          return `beide in ${said.town}`;
        case "around town":
          return `beide in oder bei ${said.town}`;
      }
    },
    time: ({ days }) => {
      if (days === 0) return "am selben Tag gefunden";
      if (days > 0) return `${inDays(days)} später gefunden`;
      return `laut Datum ${inDays(-days)} vor dem Verlust gefunden`;
    },
    coat: ({ lost, found, is }) => {
      switch (is) {
        case "same":
          return `gleiche Farbe: ${coatPhrase(lost, COAT)}`;
        case "alike":
          return `ähnliche Farben: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
        case "different":
          return `andere Farbe: ${coatPhrase(lost, COAT)}; ${coatPhrase(found, COAT)}`;
      }
    },
    look: ({ is }) => {
      switch (is) {
        case "same":
          return "gleicher Typ nach Rasse oder Aussehen";
        case "alike":
          return "Rasse oder Aussehen ähnlich";
        case "different":
          return "Rasse oder Aussehen verschieden";
      }
    },
    size: ({ lost, found, is }) =>
      is === "same"
        ? `gleiche Größe: ${SIZES[lost]}`
        : `andere Größe: ${SIZES[lost]}, ${SIZES[found]}`,
    sex: ({ lost, is }) =>
      is === "same" ? `gleiches Geschlecht: ${SEXES[lost]}` : "anderes Geschlecht",
    age: ({ lost, found, is }) =>
      is === "same"
        ? `gleiches Alter: ${AGES[lost]}`
        : `anderes Alter: ${AGES[lost]}, ${AGES[found]}`,
    name: ({ is }) => (is === "same" ? "gleicher Name" : "anderer Name"),
  },
  fields: {
    place: "Ort",
    time: "Datum",
    coat: "Farbe",
    look: "Rasse",
    size: "Größe",
    sex: "Geschlecht",
    age: "Alter",
    name: "Name",
  },
};

function inDays(days: number): string {
  return days === 1 ? "1 Tag" : `${days} Tage`;
}
