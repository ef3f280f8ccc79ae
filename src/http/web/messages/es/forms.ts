import type { forms as en } from "../en/forms.ts";

export const forms: typeof en = {
  contact: {
    // Not "su familia": with usted that would be the reader's own.
    title: {
      owner: "Escribir a la familia",
      finder: "Escribir a quien lo encontró",
      shelter: "Escribir al refugio",
    },
    hidden: {
      owner:
        "La familia recibe su nombre y su mensaje, pero no su dirección. Las respuestas le llegan por correo a través de nosotros.",
      finder:
        "La persona que lo encontró recibe su nombre y su mensaje, pero no su dirección. Las respuestas le llegan por correo a través de nosotros.",
      shelter:
        "El refugio recibe su nombre y su mensaje, pero no su dirección. Las respuestas le llegan por correo a través de nosotros.",
    },
    name: "Su nombre",
    email: "Su dirección de correo",
    emailHint: "Enviamos allí un enlace. Su mensaje se envía cuando lo confirme con ese enlace.",
    message: "Su mensaje",
    messageHint: {
      lost: "¿Cuándo y dónde lo ha visto?",
      found:
        "¿Cómo sabe que es el suyo? Describa sus marcas, el collar o costumbres que solo su familia conoce.",
    },
    takenOut:
      "Los números de teléfono, las direcciones de correo y los enlaces se quitan; las direcciones postales, no.",
    button: "Continuar",
    beware: "No envíe nunca dinero por adelantado ni comparta nunca un código que alguien le pida.",
    closed: "Este animal ya está en casa, así que su aviso no recibe más mensajes.",
    nobody: "Nadie atiende este aviso en este servidor, así que nadie leería su mensaje.",
  },
  subscribe: {
    title: "Recibir avisos de una zona",
    lead: "Le escribimos cuando aparece allí un aviso nuevo. Puede dejarlo en cualquier momento.",
    which: "Hay varios lugares con ese nombre. ¿Cuál?",
    radius: "Radio",
    species: "Animal",
    anySpecies: "Todos",
    type: "Perdido o encontrado",
    anyType: "Los dos",
    label: "Un nombre para esta zona",
    labelHint: "Solo lo ve usted, en nuestros correos. Por ejemplo: Casa.",
    email: "Su dirección de correo",
    emailHint:
      "Enviamos allí un enlace. Los correos solo empiezan cuando usted confirma con ese enlace.",
    button: "Continuar",
  },
  embed: {
    more: (site) => `Todas las alertas en ${site}`,
    wrong: "Esta lista no se puede mostrar: su dirección tiene un error.",
    title: "Para su propia web",
    text: "Muestre en sus páginas las alertas más recientes cerca de su ciudad. Copie esto y ponga el nombre de su ciudad. La lista no usa cookies ni scripts:",
    filters: "También es posible:",
    docs: "Todas las direcciones, con sus parámetros y ejemplos:",
  },
};
