import { bySpecies, capitalize, LOCALES } from "../../core/locale.ts";
import type { EmailMessages } from "./messages.ts";

const NUMBER = new Intl.NumberFormat("es");

const YOUR_PETS = { dog: "su perro", cat: "su gato", bird: "su ave", other: "su mascota" };
const LOST_PETS = {
  dog: "su perro perdido",
  cat: "su gato perdido",
  bird: "su ave perdida",
  other: "su mascota perdida",
};
const THE_PETS = { dog: "el perro", cat: "el gato", bird: "el ave", other: "la mascota" };
const THESE_PETS = { dog: "este perro", cat: "este gato", bird: "esta ave", other: "esta mascota" };

export const es: EmailMessages = {
  ...LOCALES.es,
  subject: (title, headline, code) => `${title}: ${headline} (${code})`,
  copyAddress: "Si el botón no funciona, copie esta dirección en su navegador:",
  neverACode:
    "Nunca pedimos códigos. Si alguien le pide uno, por correo, por mensaje o por teléfono, no responda.",
  beware:
    "No envíe nunca dinero por adelantado ni comparta nunca un código, sea cual sea el motivo. Nosotros nunca pedimos ni lo uno ni lo otro.",
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
      subject: () => "Confirme su zona",
      title: "Falta un paso para recibir los avisos de su zona",
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
    ends: (hours, moment) =>
      `El enlace funciona una sola vez, durante ${hours === 1 ? "1 hora" : `${hours} horas`}: hasta el ${moment}.`,
    ignore: "Si no ha pedido nada, no tiene que hacer nada: no se publicará ni se enviará nada.",
    notMe: "No he sido yo: dejar de recibir estos correos",
  },

  confirmations: {
    subject: (count) => `Confirme ${count} solicitudes`,
    title: (count) => `Tiene ${count} solicitudes por confirmar`,
    opening: (site) =>
      `Estas solicitudes se hicieron en ${site} con esta dirección de correo. Algunas pueden ser suyas; otras pueden ser de otra persona.`,
    next: "Abra la página de cada solicitud que sea suya y pulse el botón de esa página. Puede ignorar las demás.",
    ends: (hours, moment) =>
      `Cada enlace funciona una vez, durante ${hours === 1 ? "1 hora" : `${hours} horas`}: hasta el ${moment}.`,
  },

  live: {
    title: "Su aviso está publicado",
    opening: {
      lost: bySpecies(
        LOST_PETS,
        (pet) =>
          `Todo el mundo puede ver ya el aviso de ${pet}. Esperamos que vuelva pronto a casa.`,
      ),
      found: bySpecies(
        THESE_PETS,
        (pet) =>
          `Todo el mundo puede ver ya su aviso. Gracias por ayudar a ${pet} a volver a casa.`,
      ),
    },
    share: "Compártalo tanto como pueda. Estos enlaces son públicos:",
    page: "La página del aviso",
    shortLink: "Enlace corto, para mensajes y carteles",
    qr: "Código QR, para carteles",
    manage: "El enlace de abajo abre su página privada. En ella puede:",
    actions: [
      "leer y responder mensajes",
      "modificar el aviso y sus fotos",
      "indicar que el animal ha vuelto a casa",
      "renovar el aviso antes de que termine",
      "retirar el aviso",
    ],
    button: "Gestionar mi aviso",
    keepPrivate:
      "No comparta este correo: cualquiera que tenga este enlace puede modificar, cerrar o retirar su aviso.",
    ends: (day) =>
      `El aviso estará publicado hasta el ${day}. Le escribiremos antes de que termine.`,
  },

  link: {
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
    title: "Su acceso a la moderación",
    opening: (site) => `Ha pedido abrir las páginas de moderación de ${site}.`,
    button: "Abrir la moderación",
    ends: (moment) =>
      `El enlace funciona una sola vez, durante 30 minutos: hasta el ${moment}. Cualquiera que lo tenga puede moderar: no comparta este correo.`,
  },

  erase: {
    title: "Borrar sus datos",
    opening: (site) =>
      `Alguien, seguramente usted, ha pedido borrar todos los datos que ${site} guarda de esta dirección de correo.`,
    next: "Abra la página de abajo para ver qué datos hay. No se borra nada hasta que pulse el botón de esa página.",
    button: "Ver qué se borraría",
    keepPrivate:
      "Cualquiera que tenga este enlace puede borrar sus avisos: no comparta este correo.",
    ignore:
      "¿No lo ha pedido usted? No tiene que hacer nada: no se borra nada y el enlace solo llega a esta dirección.",
  },

  message: {
    title: "Mensaje nuevo",
    fromStranger: {
      lost: bySpecies(LOST_PETS, (pet) => `Alguien le ha escrito sobre ${pet}.`),
      found: bySpecies(THE_PETS, (pet) => `Alguien le ha escrito sobre ${pet} que ha encontrado.`),
    },
    fromOwner: {
      lost: bySpecies(THESE_PETS, (pet) => `La persona que busca a ${pet} le ha escrito.`),
      found: bySpecies(THESE_PETS, (pet) => `La persona que encontró a ${pet} le ha escrito.`),
    },
    writes: (name) => `${name} le escribe:`,
    unnamed: "El mensaje:",
    button: "Leer y responder",
    hidden:
      "Por favor, responda en esa página: las respuestas a este correo no se entregan. La otra persona no ve su dirección, y usted no ve la suya.",
    beware:
      "No envíe nunca dinero por adelantado ni comparta nunca un código: pedir un «código de verificación» es una estafa habitual.",
    removed: "«[removed]» sustituye los datos de contacto que hemos quitado.",
    alert: "El aviso:",
  },

  sighting: {
    subject: "Avistamiento",
    title: "Puede que alguien haya visto a su animal",
    opening: "Alguien ha publicado un avistamiento en la página de su aviso.",
    seen: (town, km, moment) => {
      const where =
        km === null
          ? `Visto en ${town}`
          : `Visto cerca de ${town}, a unos ${NUMBER.format(km)}\u00a0km del lugar de su aviso`;
      return `${where}, el ${moment}.`;
    },
    adds: "Añade:",
    unproven:
      "Puede ser otro animal. Todo el mundo puede ver el avistamiento en la página del aviso.",
    button: "Ver el avistamiento",
  },

  digest: {
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
    subjectMany: (count) => `${count} avisos nuevos en su zona`,
    titleOne: "Nuevo en su zona",
    opening: "Novedades en su zona:",
    openingNamed: (label) => `Novedades en su zona «${label}»:`,
    openingMany: "Novedades en sus zonas:",
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
    title: "Posible coincidencia",
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
    title: (days) => `Su aviso termina en ${days === 1 ? "1 día" : `${days} días`}`,
    opening: {
      lost: bySpecies(
        YOUR_PETS,
        (pet) => `¿${capitalize(pet)} sigue sin aparecer? Renueve el aviso: es solo un momento.`,
      ),
      found: bySpecies(
        THE_PETS,
        (pet) =>
          `¿${capitalize(pet)} que encontró sigue esperando a su familia? Renueve el aviso: es solo un momento.`,
      ),
    },
    orEnd:
      "¿Ya está en casa? ¡Qué alegría! Indíquelo en la misma página para que nadie siga buscando.",
    ends: (moment) => `Si no hace nada, el aviso termina el ${moment}.`,
    button: "Renovar o cerrar mi aviso",
    unsubscribe: "No recibir más recordatorios de este aviso",
  },
};
