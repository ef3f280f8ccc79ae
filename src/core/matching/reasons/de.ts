import type { ReasonMessages } from "../reasons.ts";

const inDays = (days: number) => (days === 1 ? "1 Tag" : `${days} Tage`);

export const de: ReasonMessages = {
  chip: { same: "gleicher Chip", different: "verschiedene Chips" },
  species: "verschiedene Tierarten",
  distance: {
    near: "weniger als 1 km entfernt",
    apart: (km) => `etwa ${km} km entfernt`,
    centresApart: (km) => `etwa ${km} km entfernt, von der Ortsmitte aus gemessen`,
    inTown: (town) => `beide in ${town}`,
    aroundTown: (town) => `beide in oder bei ${town}`,
  },
  time: {
    sameDay: "am selben Tag gefunden",
    after: (days) => `${inDays(days)} später gefunden`,
    before: (days) => `nach den angegebenen Daten ${inDays(days)} vor dem Verlust gefunden`,
  },
  coat: {
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
    },
    and: "-",
    same: (coat) => `gleiche Farbe: ${coat}`,
    similar: (one, other) => `ähnliche Farben: einmal ${one}, einmal ${other}`,
    different: (one, other) => `verschiedene Farben: einmal ${one}, einmal ${other}`,
  },
  breed: {
    same: "gleicher Typ nach Rasse oder Aussehen",
    similar: "ähnlich nach Rasse oder Aussehen",
    different: "verschieden nach Rasse oder Aussehen",
  },
  size: {
    values: { small: "klein", medium: "mittelgroß", large: "groß", xlarge: "sehr groß" },
    same: (size) => `gleiche Größe: ${size}`,
    different: (one, other) => `verschieden groß: ${one} und ${other}`,
  },
  sex: {
    same: { male: "gleiches Geschlecht: männlich", female: "gleiches Geschlecht: weiblich" },
    different: "einmal männlich, einmal weiblich",
  },
  age: {
    values: { baby: "sehr jung", young: "jung", adult: "ausgewachsen", senior: "alt" },
    same: (age) => `gleiches Alter: ${age}`,
    different: (one, other) => `verschieden alt: ${one} und ${other}`,
  },
  name: { same: "gleicher Name", different: "verschiedene Namen" },
  notCompared: "nicht verglichen:",
  fields: {
    distance: "Ort",
    time: "Datum",
    coat: "Farbe",
    breed: "Rasse",
    size: "Größe",
    sex: "Geschlecht",
    age: "Alter",
    name: "Name",
  },
};
