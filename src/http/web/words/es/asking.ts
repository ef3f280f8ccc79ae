import type { asking as en } from "../en/asking.ts";

export const asking: typeof en = {
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
    emailHint:
      "Enviamos allí un enlace. Su mensaje sale cuando usted abre ese enlace y pulsa el botón.",
    message: "Su mensaje",
    messageHint: {
      lost: "¿Cuándo y dónde lo ha visto?",
      found:
        "¿Cómo sabe que es el suyo? Describa sus marcas, el collar o costumbres que solo su familia conoce.",
    },
    takenOut: "Los números de teléfono, las direcciones y los enlaces se quitan.",
    button: "Continuar",
    beware: "No envíe nunca dinero por adelantado ni comparta nunca un código que alguien le pida.",
    closed: "Este animal ya está en casa, así que su aviso no recibe más mensajes.",
    nobody: "Nadie atiende este aviso en este servidor, así que nadie leería su mensaje.",
  },
};
