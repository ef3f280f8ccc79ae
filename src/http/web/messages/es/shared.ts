import type { shared as en } from "../en/shared.ts";

const DAY = new Intl.DateTimeFormat("es-ES", { dateStyle: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("es-ES", { timeStyle: "short", timeZone: "UTC" });
const COUNTRY = new Intl.DisplayNames(["es-ES"], { type: "region" });
const LIST = new Intl.ListFormat("es-ES", { type: "conjunction" });

export const shared: typeof en = {
  language: "es",
  ownName: "Español",
  day: (time) => DAY.format(typeof time === "number" ? time : Date.parse(time)),
  moment: (time) => `${DAY.format(time)} ${clock(time)} (UTC)`,
  country: (code) => COUNTRY.of(code) ?? code,
  place: (city, country) => `${city}, ${country}`,
  named: (headline, name) => `${headline}: ${name}`,
  pageTitle: (title, site) => `${title} – ${site}`,
  errorTitle: (title) => `Por favor, revise: ${title}`,
  and: (items) => LIST.format(items),

  type: { lost: "Perdido", found: "Encontrado" },
  species: { dog: "Perro", cat: "Gato", bird: "Ave", other: "Otro animal" },
  headline: {
    lost: {
      dog: "Perro perdido",
      cat: "Gato perdido",
      bird: "Ave perdida",
      other: "Mascota perdida",
    },
    found: {
      dog: "Perro encontrado",
      cat: "Gato encontrado",
      bird: "Ave encontrada",
      other: "Mascota encontrada",
    },
  },
  size: {
    small: "pequeño",
    medium: "mediano",
    large: "grande",
    xlarge: "muy grande",
    unknown: "no se sabe",
  },
  sex: { male: "macho", female: "hembra", unknown: "no se sabe" },
  age: {
    baby: "cría",
    young: "joven",
    adult: "adulto",
    senior: "mayor",
    unknown: "no se sabe",
  },
  custody: {
    finder: "con la persona que lo encontró",
    shelter: "en un refugio",
    vet: "en una clínica veterinaria",
    seen_only: "visto, pero no recogido",
    unknown: "no se sabe",
  },
  contactKind: {
    phone: "un número de teléfono",
    email: "una dirección de correo",
    link: "un enlace",
    coordinates: "una ubicación exacta",
    handle: "un nombre de usuario",
    payment: "una cuenta o cartera para pagos",
  },

  layout: {
    findMine: "Mis avisos",
    menu: "Menú principal",
    skip: "Ir al contenido",
    languages: "Idioma",
    about: "Información",
    privacy: "Información y privacidad",
    api: "API",
    footer: (site) => `${site} es un directorio público de animales perdidos y encontrados.`,
  },
  field: {
    name: "Nombre",
    breed: "Raza",
    color: "Color",
    size: "Tamaño",
    sex: "Sexo",
    age: "Edad",
    description: "Descripción",
    eventDate: "Fecha",
    custody: "Dónde está ahora",
    optional: "(opcional)",
  },
  map: {
    label: "Mapa de los avisos",
    pick: "Mapa: toque dónde ocurrió",
    zoomIn: "Acercar",
    zoomOut: "Alejar",
    touchHint: "Mueva el mapa con dos dedos.",
    noTiles: "El mapa no se puede cargar ahora mismo. Todo funciona también sin él.",
    locate: "Usar mi ubicación",
    asking: "Buscando su ubicación…",
    denied: "Ubicación no autorizada. Escriba la localidad.",
    failed: "No se ha podido encontrar su ubicación. Escriba la localidad.",
  },
  placeField: {
    town: "Localidad",
    typed: "Nombre de una localidad o de un lugar.",
    orMap:
      "O toque el mapa. El lugar exacto no se guarda nunca: todos ven una zona de aproximadamente 1 km.",
  },

  removed: {
    heading: "Hemos quitado algo",
    text: "Quitamos de los avisos y los mensajes los teléfonos, las direcciones de correo, los enlaces y cosas parecidas. Donde ahora pone «[removed]» había:",
    entry: (field, kinds) => `${field}: ${kinds}`,
    fields: {
      name: "Nombre",
      breed: "Raza",
      color: "Color",
      description: "Descripción",
      city: "Localidad",
      message: "Mensaje",
      note: "Nota",
    },
  },
};

/** 7:30 as it follows a day. */
function clock(time: number): string {
  const said = TIME.format(time);
  return `${said.startsWith("1:") ? "a la" : "a las"} ${said}`;
}
