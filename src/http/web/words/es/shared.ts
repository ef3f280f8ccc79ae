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
    coordinates: "una posición exacta",
    handle: "un nombre de usuario",
  },

  frame: {
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
  trouble: {
    heading: "Queda algo por revisar",
    entry: (label, message) => `${label}: ${message}`,
  },

  removed: {
    heading: "Hemos quitado algo",
    text: "Los avisos y los mensajes no llevan datos de contacto. Donde ahora pone «[removed]» había:",
    entry: (field, kinds) => `${field}: ${kinds}`,
    fields: {
      name: "Nombre",
      breed: "Raza",
      color: "Color",
      description: "Descripción",
      city: "Localidad",
      message: "Mensaje",
    },
  },
  fault: {
    title: {
      bad_input: "No ha funcionado",
      forbidden: "No está permitido",
      not_found: "Aquí no hay nada",
      bad_method: "Así no funciona",
      not_acceptable: "Así no funciona",
      conflict: "Ahora no es posible",
      gone: "Este aviso ya no existe",
      too_large: "Era demasiado grande",
      bad_type: "Así no funciona",
      too_many: "Espere un poco, por favor",
      unavailable: "Volvemos enseguida",
    },
    goneText: "Lo retiró la persona que lo publicó, o lo retiramos nosotros.",
    bugTitle: "Algo ha salido mal",
    bugText:
      "El error ha sido nuestro, no suyo. Ha quedado anotado; por favor, inténtelo más tarde.",
    home: "Ver los avisos más recientes",
  },
};

/** 7:30 as it follows a day. */
function clock(time: number): string {
  const said = TIME.format(time);
  return `${said.startsWith("1:") ? "a la" : "a las"} ${said}`;
}
