import type { erase as en } from "../en/erase.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const erase: typeof en = {
  erase: {
    link: "Borrar todo lo que hay sobre usted",
    title: "Borrar todo lo que hay sobre usted",
    lead: "Indique su dirección de correo. Si tenemos datos suyos, le enviamos un enlace a una página que los muestra y permite borrarlos.",
    email: "Su dirección de correo",
    send: "Enviarme el enlace",
    sentTitle: "Mire su correo",
    sent: (address) =>
      `Si guardamos algo con ${address}, un enlace va de camino. Funciona una sola vez, en las próximas 48 horas.`,
    askTitle: "¿Borrar todo esto?",
    ask: (address) => `Esto es lo que guardamos con ${address}:`,
    parts: {
      alerts: (count) => counted(count, "aviso", "avisos"),
      photos: (count) => counted(count, "foto", "fotos"),
      sightings: (count) =>
        counted(count, "avistamiento de su animal", "avistamientos de sus animales"),
      conversations: (count) => counted(count, "conversación", "conversaciones"),
      messages: (count) => counted(count, "mensaje", "mensajes"),
      zones: (count) => counted(count, "zona de avisos", "zonas de avisos"),
      requests: (count) =>
        counted(count, "petición que espera confirmación", "peticiones que esperan confirmación"),
      letters: (count) =>
        counted(count, "correo que aún no se ha enviado", "correos que aún no se han enviado"),
      moderation: (count) =>
        counted(count, "rastro de su trabajo de moderación", "rastros de su trabajo de moderación"),
    },
    forGood:
      "Todo se borra al instante, las conversaciones también para quienes escribieron con usted. No se puede deshacer.",
    button: "Sí, borrarlo todo",
    keep: "No, conservarlo",
    until: (moment) => `El enlace funciona hasta el ${moment}.`,
    nothingTitle: "No hay nada que borrar",
    nothing: "Ya no guardamos nada con su dirección.",
    doneTitle: "Está borrado",
    done: "Esto guardábamos con su dirección, y está borrado:",
    limitsTitle: "Lo que no se borra",
    limits: {
      unknown:
        "Los avistamientos y las denuncias que usted envió. No se guarda ninguna dirección con ellos: nadie puede saber que son suyos.",
      ended: (days) =>
        `Los avisos que terminaron hace más de ${days} días. Su dirección se borró de ellos entonces.`,
      report: "Para que se retire uno, denúncielo en su página.",
      address:
        "La dirección de la página de un aviso, en la que puede estar el nombre del animal, y su área de más o menos 1\u00a0km: se quedan para que un cartel impreso no lleve nunca a otro animal.",
      arrived: "Los correos que ya llegaron: están en los buzones de quienes los recibieron.",
      backups: (days) =>
        `Las copias de seguridad, hasta que se eliminan. Para que ninguna devuelva lo que usted borró, una huella cifrada de su dirección se queda ${days} días.`,
      marks: (days) =>
        `Otras huellas cifradas de su dirección: las de peticiones confirmadas desaparecen en ${days} días. Una se queda si usted nos pidió no escribir más, o si la moderación bloqueó la dirección, para que siga siendo así.`,
    },
  },
};
