import { LOCALES } from "../../../../core/locale.ts";
import type { shared as en } from "../en/shared.ts";

export const shared: typeof en = {
  ...LOCALES.es,
  language: "es",
  ownName: "Español",
  named: (headline, name) => `${headline}: ${name}`,
  errorTitle: (title) => `Por favor, revise: ${title}`,
  continue: "Continuar",

  type: { lost: "Perdido", found: "Encontrado" },
  species: { dog: "Perro", cat: "Gato", bird: "Ave", other: "Otro animal" },
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
  goesOutside: { never: "nunca", sometimes: "a veces", often: "a menudo", unknown: "no se sabe" },
  contactKind: {
    phone: "un número de teléfono",
    email: "una dirección de correo",
    link: "un enlace",
    coordinates: "una ubicación exacta",
    handle: "un nombre de usuario",
    payment: "datos de pago",
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
    goesOutside: "¿Su gato sale a la calle?",
    goesOutsideHint:
      "No se muestra nunca. A un gato que no sale se le suele encontrar más cerca de casa.",
    city: "Localidad",
    message: "Mensaje",
    note: "Nota",
    email: "Su dirección de correo",
    species: "Animal",
    anySpecies: "Todos",
    type: "Perdido o encontrado",
    anyType: "Los dos",
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
    typed: "Localidad, barrio o código postal.",
    orMap:
      "O toque el mapa. El lugar exacto no se guarda nunca: todos ven una zona de aproximadamente 1 km.",
  },

  removed: {
    heading: "Hemos quitado algo",
    text: "Quitamos de los avisos y los mensajes los teléfonos, las direcciones de correo, los enlaces y cosas parecidas. Donde ahora pone «[removed]» había:",
    hint: "Se quitan los teléfonos, las direcciones de correo y los enlaces; las direcciones postales, no.",
    publicHint:
      "Es público: se quitan los teléfonos, las direcciones de correo y los enlaces; las direcciones postales, no, así que no ponga la suya.",
  },
};
