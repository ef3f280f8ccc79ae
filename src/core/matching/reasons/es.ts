import type { ReasonMessages } from "../reasons.ts";

const inDays = (days: number) => (days === 1 ? "1 día" : `${days} días`);

export const es: ReasonMessages = {
  chip: { same: "mismo microchip", different: "microchips distintos" },
  species: "especies distintas",
  distance: {
    near: "a menos de 1 km",
    apart: (km) => `a unos ${km} km`,
    centresApart: (km) => `a unos ${km} km, medidos desde el centro de una localidad`,
    inTown: (town) => `misma localidad: ${town}`,
    aroundTown: (town) => `misma zona: ${town} y alrededores`,
  },
  time: {
    sameDay: "encontrado el mismo día",
    after: (days) => `encontrado ${inDays(days)} después`,
    before: (days) => `encontrado ${inDays(days)} antes de perderse, según las fechas indicadas`,
  },
  coat: {
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
    },
    and: " y ",
    same: (coat) => `mismo color: ${coat}`,
    similar: (one, other) => `colores parecidos: uno ${one}, el otro ${other}`,
    different: (one, other) => `colores distintos: uno ${one}, el otro ${other}`,
  },
  breed: {
    same: "mismo tipo por raza o aspecto",
    similar: "raza o aspecto parecidos",
    different: "raza o aspecto distintos",
  },
  size: {
    values: { small: "pequeño", medium: "mediano", large: "grande", xlarge: "muy grande" },
    same: (size) => `mismo tamaño: ${size}`,
    different: (one, other) => `tamaños distintos: ${one} y ${other}`,
  },
  sex: {
    same: { male: "mismo sexo: macho", female: "mismo sexo: hembra" },
    different: "un macho y una hembra",
  },
  age: {
    values: { baby: "cría", young: "joven", adult: "adulto", senior: "mayor" },
    same: (age) => `misma edad: ${age}`,
    different: (one, other) => `edades distintas: ${one} y ${other}`,
  },
  name: { same: "mismo nombre", different: "nombres distintos" },
  notCompared: "no comparado:",
  fields: {
    distance: "lugar",
    time: "fecha",
    coat: "color",
    breed: "raza",
    size: "tamaño",
    sex: "sexo",
    age: "edad",
    name: "nombre",
  },
};
