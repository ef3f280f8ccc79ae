import type { EmailMessages } from "./messages.ts";

const DAY = new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("es");
/** 07:30 as it follows a day. */
const clock = (time: string) => `${time.startsWith("01") ? "a la" : "a las"} ${time} (UTC)`;

export const es: EmailMessages = {
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
    `Enviado por ${site}, directorio público de animales perdidos y encontrados. No responda a este correo: las respuestas no se leen.`,

  confirm: {
    publish: {
      subject: (code) => `Confirme su aviso (${code})`,
      title: "Falta un paso para publicar su aviso",
      opening: (site, code) =>
        `Alguien, seguramente usted, quiere publicar el aviso ${code} en ${site} y ha indicado esta dirección de correo.`,
      next: "Abra la página que figura abajo para ver el aviso tal como aparecerá, cámbielo si lo desea y pulse el botón de esa página.",
      button: "Ver y confirmar mi aviso",
    },
    message: {
      subject: (code) => `Confirme su mensaje (aviso ${code})`,
      title: "Falta un paso para enviar su mensaje",
      opening: (site, code) =>
        `Alguien, seguramente usted, quiere enviar un mensaje sobre el aviso ${code} en ${site} y ha indicado esta dirección de correo.`,
      next: "Abra la página que figura abajo para ver el mensaje tal como se enviará y pulse el botón de esa página.",
      button: "Ver y confirmar mi mensaje",
    },
    zone: {
      subject: () => "Confirme su zona de avisos",
      title: "Falta un paso para activar su zona",
      opening: (site) =>
        `Alguien, seguramente usted, quiere que ${site} envíe a esta dirección de correo los avisos nuevos de una zona.`,
      next: "Abra la página que figura abajo para ver la zona y pulse el botón de esa página.",
      button: "Ver y confirmar mi zona",
    },
    sighting: {
      subject: (code) => `Confirme su avistamiento (aviso ${code})`,
      title: "Falta un paso para publicar su avistamiento",
      opening: (site, code) =>
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

  confirmations: {
    subject: (count) => `Confirme ${count} solicitudes`,
    title: (count) => `Tiene ${count} solicitudes por confirmar`,
    opening: (site) =>
      `Estas solicitudes se hicieron en ${site} con esta dirección de correo. Algunas pueden ser suyas; otras pueden ser de otra persona.`,
    next: "Abra la página de cada solicitud que sea suya y pulse el botón de esa página. Puede ignorar las demás.",
    ends: (hours, day, time) =>
      `Cada enlace funciona una vez, durante ${hours === 1 ? "1 hora" : `${hours} horas`}: hasta el ${day} ${clock(time)}.`,
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
    share: "Compártalo tanto como pueda. Estos enlaces son públicos:",
    page: "La página del aviso",
    shortLink: "Enlace corto, para mensajes y carteles",
    qr: "Código QR, para carteles",
    manage: "El enlace de abajo abre su página privada. En ella puede:",
    actions: {
      lost: [
        "leer y responder mensajes",
        "modificar el aviso y sus fotos",
        "indicar que su mascota ha vuelto a casa",
        "renovar el aviso antes de que termine",
        "retirar el aviso",
      ],
      found: [
        "leer y responder mensajes",
        "modificar el aviso y sus fotos",
        "indicar que el animal ha vuelto a casa",
        "renovar el aviso antes de que termine",
        "retirar el aviso",
      ],
    },
    button: "Gestionar mi aviso",
    keepPrivate:
      "No comparta este correo: cualquiera que tenga este enlace puede modificar, cerrar o retirar su aviso.",
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
    subjectMany: (count) => `Sus enlaces privados: ${count} avisos`,
    titleMany: "Sus enlaces privados",
    openingMany:
      "Ha vuelto a pedir los enlaces privados de sus avisos. Aquí los tiene, empezando por el aviso más reciente.",
    keepPrivateMany:
      "No comparta este correo: cualquiera que tenga estos enlaces puede modificar, cerrar o retirar sus avisos.",
    part: (part, parts, count) =>
      `Esta es la parte ${part} de ${parts}: tiene ${count} avisos, demasiados para un solo correo.`,
    nextPart: "Recibir la parte siguiente",
  },

  admin: {
    subject: "Su acceso a la moderación",
    title: "Su acceso a la moderación",
    opening: (site) => `Ha pedido abrir las páginas de moderación de ${site}.`,
    button: "Abrir la moderación",
    ends: (day, time) =>
      `El enlace funciona una sola vez, en los próximos 30 minutos: hasta el ${day} ${clock(time)}. Quien lo tenga puede moderar: no comparta este correo.`,
    ignore:
      "¿No lo ha pedido usted? No tiene que hacer nada: el enlace solo llega a esta dirección.",
  },

  erase: {
    subject: "Borrar todo lo que hay sobre usted",
    title: "Borrar todo lo que hay sobre usted",
    opening: (site) =>
      `Alguien, seguramente usted, ha pedido borrar todo lo que ${site} guarda con esta dirección de correo.`,
    next: "Abra la página de abajo para ver qué datos hay. No se borra nada hasta que pulse el botón de esa página.",
    button: "Ver qué se borraría",
    ends: (day, time) =>
      `El enlace funciona una sola vez, en las próximas 48 horas: hasta el ${day} ${clock(time)}. Quien lo tenga puede borrar sus avisos: no comparta este correo.`,
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
      "Por favor, responda en esa página: las respuestas a este correo no se entregan. La otra persona no ve su dirección, y usted no ve la suya.",
    beware:
      "No envíe nunca dinero por adelantado ni comparta nunca un código: pedir un «código de verificación» es una estafa habitual.",
    removed: "«[removed]» sustituye los datos de contacto, que quitamos de los mensajes.",
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
      "No envíe nunca dinero por adelantado ni comparta nunca un código, sea cual sea el motivo.",
  },

  digest: {
    subject: (headline, code) => `Más mensajes y avistamientos: ${headline} (${code})`,
    title: "Más mensajes y avistamientos",
    opening:
      "Hoy ha recibido muchos correos sobre este aviso, así que ahora enviamos los mensajes y avistamientos nuevos juntos, como máximo una vez por hora.",
    moreOfOne: (count) =>
      count === 1
        ? "1 mensaje anterior en esta conversación."
        : `${NUMBER.format(count)} mensajes anteriores en esta conversación.`,
    moreConversations: (count) =>
      count === 1 ? "Y 1 conversación más." : `Y ${NUMBER.format(count)} conversaciones más.`,
    moreSightings: (count) =>
      count === 1 ? "Y 1 avistamiento más." : `Y ${NUMBER.format(count)} avistamientos más.`,
    button: "Ver todas las conversaciones",
    buttonAlert: "Ver el aviso",
  },

  zone: {
    subjectOne: (headline, code) => `Nuevo en su zona: ${headline} (${code})`,
    subjectMany: (count) => `${count} avisos nuevos en su zona`,
    titleOne: "Un aviso nuevo en su zona",
    opening: "Novedades en su zona:",
    openingNamed: (label) => `Novedades en su zona «${label}»:`,
    openingMany: "Novedades en sus zonas:",
    circle: (km, town) => `${NUMBER.format(km)}\u00a0km alrededor de ${town}`,
    moreZones: (count) => (count === 1 ? "1 zona más" : `${NUMBER.format(count)} zonas más`),
    seen: "¿Sabe algo? Escriba desde la página del aviso: cualquier pista ayuda.",
    more: (count) => (count === 1 ? "Y 1 aviso más." : `Y ${count} avisos más.`),
    buttonOne: "Ver el aviso",
    buttonMany: "Ver todos los avisos",
    why: "Recibe este correo porque se suscribió a los avisos de esta zona.",
    whyMany: "Recibe este correo porque se suscribió a los avisos de estas zonas.",
    unsubscribe: "Dejar de recibir correos sobre esta zona",
    unsubscribeOne: (zone) => `Dejar de recibir correos sobre: ${zone}`,
    unsubscribeAll: "Dejar de recibir correos sobre todas estas zonas",
  },

  match: {
    subject: (headline, code) => `Posible coincidencia: ${headline} (${code})`,
    title: "Una posible coincidencia para su aviso",
    opening: {
      lost: "Alguien ha encontrado un animal que podría ser el suyo:",
      found: "Alguien busca un animal que podría ser el que usted encontró:",
    },
    score: (percent) =>
      `Hay alrededor de un ${percent}\u00a0% de probabilidad de que sea el mismo animal. Por favor, compruébelo usted.`,
    reasons: "Razones a favor y en contra:",
    yours: "Su aviso:",
    button: "Comparar los dos",
    notMine:
      "Si no es el mismo animal, dígalo en esa página: ninguno de los dos volverá a recibir correos sobre ello.",
    beware:
      "Pregunte por un detalle que solo la persona adecuada pueda conocer. No envíe nunca dinero por adelantado ni comparta nunca un código.",
    unsubscribe: "No recibir más correos sobre coincidencias con este aviso",
  },

  matchDigest: {
    subject: (count) =>
      count === 1
        ? "1 posible coincidencia más para sus avisos"
        : `${count} posibles coincidencias más para sus avisos`,
    opening:
      "Ya ha recibido los correos de hoy sobre posibles coincidencias por separado. Estas se han encontrado desde entonces, las más probables primero:",
    pair: (percent, headline, code) =>
      `Alrededor de un ${percent}\u00a0% de probabilidad de que sea el animal de su aviso: ${headline} (${code}).`,
    more: (count) =>
      count === 1
        ? "Recibirá 1 coincidencia más en el próximo correo de este tipo."
        : `Recibirá ${count} coincidencias más en los próximos correos de este tipo, uno al día como máximo.`,
    unsubscribe: "No recibir más correos sobre coincidencias con ninguno de mis avisos",
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
      lost: "¿Su mascota ha vuelto a casa? ¡Qué alegría! Indíquelo en la misma página para que nadie siga buscando.",
      found:
        "¿El animal ha vuelto a casa? ¡Qué alegría! Indíquelo en la misma página para que nadie siga buscando.",
    },
    ends: (day, time) => `Si no hace nada, el aviso termina el ${day} ${clock(time)}.`,
    button: "Renovar o cerrar mi aviso",
    keepPrivate:
      "No comparta este correo: cualquiera que tenga este enlace puede modificar, cerrar o retirar su aviso.",
    unsubscribe: "No recibir más recordatorios de este aviso",
  },
};
