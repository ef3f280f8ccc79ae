import type { poster as en } from "../en/poster.ts";

export const poster: typeof en = {
  poster: {
    link: "Imprimir un cartel",
    linkHint: "Con código QR y tiras para arrancar. No lleva datos de contacto.",
    title: "Cartel",
    lead: "Imprímalo al 100\u00a0%, en color o en blanco y negro. Cuélguelo a la altura de los ojos, en una funda transparente, cerca del lugar.",
    far: "La hoja grande se lee desde un coche en marcha: cuélguela en los cruces, de cara al tráfico.",
    print: "Imprimir",
    paper: "Papel",
    papers: { a4: "A4", letter: "Carta (EE.\u00a0UU.)" },
    sheet: "Hoja",
    sheets: { tear: "Con tiras para arrancar", far: "Legible desde un coche" },
    preview: "La hoja",
    back: "Volver al aviso",
    on: { lost: (day) => `Se perdió el ${day}`, found: (day) => `Se encontró el ${day}` },
    near: (place) => `Lugar: ${place}`,
    call: { lost: "¿Lo ha visto? Avísenos:", found: "¿Lo conoce? Avísenos:" },
    scan: "Escanee el código o abra esta dirección. Sin cuenta.",
    over: {
      resolved: "Este animal ya está en casa. Por favor, retire sus carteles. ¡Gracias!",
      expired:
        "Este aviso ha terminado. Quien lo publicó puede renovarlo con su enlace privado; entonces volverá a haber cartel.",
    },
  },
  sighting: {
    link: "Lo he visto",
    linkHint: "Diga el lugar y la hora: ayuda enseguida en la búsqueda.",
    list: "Avistamientos",
    unproven: "Comunicado por visitantes; puede tratarse de otro animal.",
    near: (place, km) =>
      km === null ? `en ${place}` : `cerca de ${place}, a unos ${km}\u00a0km del lugar del aviso`,
    alertHere: { lost: "Se perdió aquí", found: "Visto aquí primero" },
    seenHere: "Visto",
    title: "Lo he visto",
    lead: "Gracias por pararse a ayudar.",
    calm: "No lo persiga ni lo llame: un animal asustado huye de los desconocidos. Una foto desde lejos ayuda.",
    place: "¿Dónde lo ha visto?",
    when: "¿Cuándo lo ha visto?",
    now: "Ahora",
    hoursAgo: (hours) => (hours === 1 ? `Hace ${hours} hora` : `Hace ${hours} horas`),
    daysAgo: (days) => (days === 1 ? `Hace ${days} día` : `Hace ${days} días`),
    note: "¿Qué ha visto?",
    noteHint:
      "Hacia dónde fue, si parecía herido. Texto público: se quitan los teléfonos, las direcciones de correo y los enlaces; las direcciones postales, no.",
    email: "Su dirección de correo",
    emailHint:
      "No se muestra nunca. Enviamos allí un enlace; su avistamiento se publica cuando lo confirme con ese enlace.",
    button: "Continuar",
    closed: {
      home: "Este animal ya está en casa, así que nadie tiene que buscarlo.",
      held: "Alguien cuida ya de este animal, así que nadie tiene que buscarlo.",
    },
  },
};
