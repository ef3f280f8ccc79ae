import type { Words } from "./words.ts";

const DAY = new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("es");
/** 07:30 as it follows a day. */
const clock = (time: string) => `${time.startsWith("01") ? "a la" : "a las"} ${time} (UTC)`;

export const es: Words = {
  day: (time) => DAY.format(time),
  headline: {
    lost: {
      dog: "perro perdido",
      cat: "gato perdido",
      bird: "ave perdida",
      other: "mascota perdida",
    },
    found: {
      dog: "perro encontrado",
      cat: "gato encontrado",
      bird: "ave encontrada",
      other: "mascota encontrada",
    },
  },
  copyAddress: "Si el botón no funciona, copie esta dirección en su navegador:",
  neverACode:
    "Nunca pedimos códigos. Si alguien le pide uno, por correo, por mensaje o por teléfono, no responda.",
  footer: (site) =>
    `Enviado por ${site}, directorio público de animales perdidos y encontrados. Nadie lee las respuestas a este correo.`,

  confirm: {
    publish: {
      subject: (code) => `Confirme su aviso (${code})`,
      title: "Falta un paso para publicar su aviso",
      asked: (site, code) =>
        `Alguien, seguramente usted, quiere publicar el aviso ${code} en ${site} y ha indicado esta dirección de correo.`,
      next: "Abra la página que figura abajo para ver el aviso tal como aparecerá, cámbielo si lo desea y pulse el botón de esa página.",
      button: "Ver y confirmar mi aviso",
    },
    message: {
      subject: (code) => `Confirme su mensaje (aviso ${code})`,
      title: "Falta un paso para enviar su mensaje",
      asked: (site, code) =>
        `Alguien, seguramente usted, quiere enviar un mensaje sobre el aviso ${code} en ${site} y ha indicado esta dirección de correo.`,
      next: "Abra la página que figura abajo para ver el mensaje tal como se enviará y pulse el botón de esa página.",
      button: "Ver y confirmar mi mensaje",
    },
    zone: {
      subject: () => "Confirme su zona de avisos",
      title: "Falta un paso para vigilar su zona",
      asked: (site) =>
        `Alguien, seguramente usted, quiere que ${site} escriba a esta dirección de correo cuando haya avisos nuevos en una zona.`,
      next: "Abra la página que figura abajo para ver la zona y pulse el botón de esa página.",
      button: "Ver y confirmar mi zona",
    },
    sighting: {
      subject: (code) => `Confirme su avistamiento (aviso ${code})`,
      title: "Falta un paso para comunicar su avistamiento",
      asked: (site, code) =>
        `Alguien, seguramente usted, quiere indicar en ${site} dónde se vio al animal del aviso ${code} y ha dado esta dirección de correo.`,
      next: "Abra la página que figura abajo para ver el avistamiento tal como aparecerá y pulse el botón de esa página.",
      button: "Ver y confirmar mi avistamiento",
    },
    nothingYet: "No ocurre nada hasta que usted pulse el botón de esa página.",
    ends: (hours, day, time) =>
      `El enlace funciona una sola vez, durante ${hours === 1 ? "1 hora" : `${hours} horas`}: hasta el ${day} ${clock(time)}.`,
    ignore: "Si no ha pedido nada, no tiene que hacer nada: no se publicará ni se enviará nada.",
    notMe: "No he sido yo: dejar de recibir estos correos",
  },

  live: {
    subject: (headline, code) => `Su aviso está publicado: ${headline} (${code})`,
    title: "Su aviso está publicado",
    opening: {
      lost: {
        dog: "Todo el mundo puede ver ya el aviso de su perro perdido. Esperamos que vuelva pronto a casa.",
        cat: "Todo el mundo puede ver ya el aviso de su gato perdido. Esperamos que vuelva pronto a casa.",
        bird: "Todo el mundo puede ver ya el aviso de su ave perdida. Esperamos que vuelva pronto a casa.",
        other:
          "Todo el mundo puede ver ya el aviso de su mascota perdida. Esperamos que vuelva pronto a casa.",
      },
      found: {
        dog: "Todo el mundo puede ver ya el aviso del perro que ha encontrado. Gracias por ayudarlo a volver a casa.",
        cat: "Todo el mundo puede ver ya el aviso del gato que ha encontrado. Gracias por ayudarlo a volver a casa.",
        bird: "Todo el mundo puede ver ya el aviso del ave que ha encontrado. Gracias por ayudarla a volver a casa.",
        other:
          "Todo el mundo puede ver ya el aviso de la mascota que ha encontrado. Gracias por ayudarla a volver a casa.",
      },
    },
    share: "Compártalo tanto como pueda. Estas direcciones son públicas:",
    page: "La página del aviso",
    shortLink: "Enlace corto, para mensajes y carteles",
    qr: "Código QR, para carteles",
    manage: "El enlace de abajo abre una página que es solo para usted. En ella puede:",
    moves: {
      lost: [
        "indicar que su mascota ha vuelto a casa",
        "renovar el aviso antes de que termine",
        "retirar el aviso",
      ],
      found: [
        "indicar que el animal ha vuelto a casa",
        "renovar el aviso antes de que termine",
        "retirar el aviso",
      ],
    },
    button: "Gestionar mi aviso",
    keepPrivate:
      "No comparta este correo: cualquiera que tenga este enlace puede cerrar o retirar su aviso.",
    ends: (day) =>
      `El aviso estará publicado hasta el ${day}. Le escribiremos antes de que termine.`,
    beware:
      "No envíe nunca dinero por adelantado ni comparta nunca un código, sea cual sea el motivo. Nosotros nunca pedimos ni lo uno ni lo otro.",
  },

  link: {
    subject: (headline, code) => `Su enlace privado: ${headline} (${code})`,
    title: "Su enlace privado",
    opening: "Ha vuelto a pedir el enlace privado de su aviso. Aquí lo tiene.",
    button: "Gestionar su aviso",
    ignore:
      "¿No lo ha pedido usted? No tiene que hacer nada: el enlace solo llega a esta dirección.",
  },

  admin: {
    subject: "Su acceso a la moderación",
    title: "Su acceso a la moderación",
    opening: (site) => `Ha pedido abrir las páginas de moderación de ${site}.`,
    button: "Abrir la moderación",
    ends: (day, time) =>
      `El enlace funciona una sola vez, en los próximos 30 minutos: hasta el ${day} ${clock(time)}. Quien lo tenga puede moderar: guarde este correo para usted.`,
    ignore:
      "¿No lo ha pedido usted? No tiene que hacer nada: el enlace solo llega a esta dirección.",
  },

  erase: {
    subject: "Borrar todo lo que hay sobre usted",
    title: "Borrar todo lo que hay sobre usted",
    opening: (site) =>
      `Alguien, seguramente usted, ha pedido borrar todo lo que ${site} guarda con esta dirección de correo.`,
    next: "Abra la página de abajo para ver qué hay. No se borra nada hasta que pulse el botón de esa página.",
    button: "Ver qué se borraría",
    ends: (day, time) =>
      `El enlace funciona una sola vez, en las próximas 48 horas: hasta el ${day} ${clock(time)}. Quien lo tenga puede borrar sus avisos: guarde este correo para usted.`,
    ignore:
      "¿No lo ha pedido usted? No tiene que hacer nada: no se borra nada y el enlace solo llega a esta dirección.",
  },

  message: {
    subject: (headline, code) => `Mensaje nuevo: ${headline} (${code})`,
    title: "Tiene un mensaje nuevo",
    fromStranger: {
      lost: {
        dog: "Alguien le ha escrito sobre su perro perdido.",
        cat: "Alguien le ha escrito sobre su gato perdido.",
        bird: "Alguien le ha escrito sobre su ave perdida.",
        other: "Alguien le ha escrito sobre su mascota perdida.",
      },
      found: {
        dog: "Alguien le ha escrito sobre el perro que ha encontrado.",
        cat: "Alguien le ha escrito sobre el gato que ha encontrado.",
        bird: "Alguien le ha escrito sobre el ave que ha encontrado.",
        other: "Alguien le ha escrito sobre la mascota que ha encontrado.",
      },
    },
    fromOwner: {
      lost: {
        dog: "La persona que busca a este perro le ha escrito.",
        cat: "La persona que busca a este gato le ha escrito.",
        bird: "La persona que busca a esta ave le ha escrito.",
        other: "La persona que busca a esta mascota le ha escrito.",
      },
      found: {
        dog: "La persona que encontró a este perro le ha escrito.",
        cat: "La persona que encontró a este gato le ha escrito.",
        bird: "La persona que encontró a esta ave le ha escrito.",
        other: "La persona que encontró a esta mascota le ha escrito.",
      },
    },
    writes: (name) => `${name} le escribe:`,
    unnamed: "El mensaje:",
    button: "Leer y responder",
    hidden:
      "Por favor, responda en esa página: una respuesta a este correo no llega a nadie. La otra persona no ve su dirección, y usted no ve la suya.",
    beware:
      "No envíe nunca dinero por adelantado ni comparta nunca un código: pedir un «código de verificación» es una estafa habitual.",
    alert: "El aviso:",
  },

  sighting: {
    subject: (headline, code) => `Avistamiento: ${headline} (${code})`,
    title: "Puede que alguien haya visto a su animal",
    opening: "Alguien ha dejado un avistamiento en la página de su aviso.",
    seen: (town, km, day, time) => {
      const where =
        km === null
          ? `Visto en ${town}`
          : `Visto cerca de ${town}, a unos ${NUMBER.format(km)}\u00a0km del lugar de su aviso`;
      return `${where}, el ${day} ${clock(time)}.`;
    },
    adds: "Añade:",
    unproven:
      "Puede ser otro animal. Todo el mundo puede ver el avistamiento en la página del aviso.",
    button: "Ver el avistamiento",
    beware:
      "No envíe nunca dinero por adelantado ni comunique ningún código, sea cual sea el motivo.",
  },

  zone: {
    subjectOne: (headline, code) => `Nuevo en su zona: ${headline} (${code})`,
    subjectMany: (count) => `${count} avisos nuevos en su zona`,
    titleOne: "Un aviso nuevo en su zona",
    opening: "Hay novedades en la zona que vigila.",
    openingNamed: (label) => `Hay novedades en su zona «${label}».`,
    seen: "¿Sabe algo? Escriba desde la página del aviso: cualquier pista ayuda.",
    more: (count) => (count === 1 ? "Y 1 aviso más." : `Y ${count} avisos más.`),
    buttonOne: "Ver el aviso",
    buttonMany: "Ver todos los avisos",
    why: "Recibe este correo porque nos pidió que vigiláramos esta zona.",
    unsubscribe: "Dejar de vigilar esta zona",
  },

  match: {
    subject: (headline, code) => `Posible coincidencia: ${headline} (${code})`,
    title: "Una posible coincidencia para su aviso",
    opening: {
      lost: "Alguien ha encontrado un animal que podría ser el suyo:",
      found: "Alguien busca un animal que podría ser el que usted encontró:",
    },
    score: (percent) =>
      `De cada 100 coincidencias como esta, unas ${percent} son realmente el mismo animal. Por favor, compruébelo usted.`,
    reasons: "Indicios a favor y en contra:",
    yours: "Su aviso:",
    button: "Comparar los dos",
    notMine:
      "Si no es el mismo animal, dígalo en esa página: ninguno de los dos volverá a recibir correos sobre ello.",
    beware:
      "Pregunte por un detalle que solo la persona adecuada pueda conocer. No envíe nunca dinero por adelantado ni comparta nunca un código.",
    unsubscribe: "No recibir más correos sobre coincidencias con este aviso",
  },

  reminder: {
    subject: (days, headline, code) =>
      `Su aviso termina en ${days === 1 ? "1 día" : `${days} días`}: ${headline} (${code})`,
    title: (days) => `Su aviso termina en ${days === 1 ? "1 día" : `${days} días`}`,
    opening: {
      lost: {
        dog: "¿Su perro sigue sin aparecer? Renueve el aviso: es solo un momento.",
        cat: "¿Su gato sigue sin aparecer? Renueve el aviso: es solo un momento.",
        bird: "¿Su ave sigue sin aparecer? Renueve el aviso: es solo un momento.",
        other: "¿Su mascota sigue sin aparecer? Renueve el aviso: es solo un momento.",
      },
      found: {
        dog: "¿El perro que encontró sigue esperando a su familia? Renueve el aviso: es solo un momento.",
        cat: "¿El gato que encontró sigue esperando a su familia? Renueve el aviso: es solo un momento.",
        bird: "¿El ave que encontró sigue esperando a su familia? Renueve el aviso: es solo un momento.",
        other:
          "¿La mascota que encontró sigue esperando a su familia? Renueve el aviso: es solo un momento.",
      },
    },
    orEnd: {
      lost: "¿Su mascota ha vuelto a casa? ¡Qué alegría! Indíquelo en la misma página para que nadie busque en vano.",
      found:
        "¿El animal ha vuelto a casa? ¡Qué alegría! Indíquelo en la misma página para que nadie busque en vano.",
    },
    ends: (day, time) => `Si no hace nada, el aviso termina el ${day} ${clock(time)}.`,
    button: "Renovar o cerrar mi aviso",
    keepPrivate:
      "No comparta este correo: cualquiera que tenga este enlace puede cerrar o retirar su aviso.",
    unsubscribe: "No recibir más recordatorios de este aviso",
  },
};
