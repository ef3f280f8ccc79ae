import type { Messages } from "../messages.ts";

/** Reports and moderation. */
export const moderation: Pick<Messages, "report" | "admin"> = {
  report: {
    link: "Denunciar este aviso",
    title: "Denunciar este aviso",
    lead: "El equipo de moderación lo revisará. Quien lo publicó no sabrá quién lo denunció.",
    reason: "¿Qué está mal?",
    choose: "Elija una opción",
    reasons: {
      scam: "Es una estafa",
      personal_data: "Muestra datos personales de alguien",
      offensive: "Es ofensivo",
      no_animal: "No trata de un animal perdido o encontrado",
      not_true: "No es verdad",
      other: "Otra cosa",
    },
    text: "¿Qué debe saber el equipo de moderación?",
    textHint: "Solo lo lee el equipo de moderación.",
    button: "Enviar la denuncia",
    thanksTitle: "Gracias por decírnoslo",
    thanks: "El equipo de moderación lo revisará.",
    back: "Volver al aviso",
    conversationLink: "Denunciar esta conversación",
    conversationTitle: "Denunciar esta conversación",
    conversationLead:
      "Si envía la denuncia, el equipo de moderación podrá leer todos los mensajes de esta conversación. No ve ninguna dirección, y la otra persona no se entera.",
    conversationBack: "Volver a la conversación",
  },
  admin: {
    title: "Moderación",
    signIn: "A la moderación se entra con un enlace que llega por correo.",
    signInButton: "Enviarme el enlace",
    over: "Su sesión ha terminado. Vuelva a entrar, por favor.",
    spent: "Este enlace ya se usó o han pasado sus 30 minutos. Pida uno nuevo, por favor.",
    sent: (address) =>
      `Si ${address} es la dirección de alguien del equipo de moderación, el enlace va en camino. Funciona una sola vez, durante 30 minutos.`,
    enterTitle: "Abrir la moderación",
    enter: "La sesión dura 30 minutos en este dispositivo.",
    enterButton: "Abrir la moderación",
    who: (email) => `Sesión de ${email}`,
    signOut: "Cerrar la sesión",
    queue: "Denunciados",
    queueEmpty: "No hay denuncias.",
    odd: "Editados a menudo",
    oddEmpty: "Ningún aviso se edita con una frecuencia extraña.",
    oddLine: (inDay, inWeek) =>
      `Los datos que se usan para buscar coincidencias se han cambiado ${times(inDay)} en un día, ${times(inWeek)} en una semana.`,
    hidden: "Ocultos",
    hiddenEmpty: "Ningún aviso está oculto.",
    log: "Registro de moderación",
    logEmpty: "Nada por ahora.",
    reports: "Denuncias",
    conversation: "La conversación denunciada",
    stranger: "Quien escribió",
    owner: "Quien publicó",
    see: "Abrir la página pública",
    status: {
      active: "Todo el mundo puede verlo.",
      resolved: "Ya está en casa. Lo ve quien tenga su dirección.",
      expired: "Caducado. Lo ve quien tenga su dirección.",
      hidden: "Oculto: solo lo ven quien lo publicó y el equipo de moderación.",
      removed: "Retirado.",
    },
    act: {
      hide: "Ocultarlo",
      restore: "Mostrarlo de nuevo",
      remove: "Retirarlo para siempre",
      block: "Bloquear a quien lo publicó",
      block_writer: "Bloquear a quien escribió",
      dismiss: "Descartar las denuncias",
    },
    hint: {
      hide: "Fuera de todas las páginas y búsquedas hasta que se muestre de nuevo.",
      restore: "Como estaba antes. Quien lo publicó puede volver a usar este sitio.",
      remove: "Borra su texto, sus fotos y sus mensajes.",
      block: "Oculta todos los avisos de esta dirección y pone fin a sus correos.",
      block_writer:
        "Oculta todos los avisos de esta dirección, cierra sus conversaciones y pone fin a sus correos.",
      dismiss: "Cierra las denuncias, quita el aviso de estas listas y lo deja como está.",
    },
    did: {
      hide: "oculto",
      restore: "mostrado de nuevo",
      remove: "retirado",
      block: "dirección de quien publicó bloqueada",
      block_writer: "dirección de quien escribió bloqueada",
      dismiss: "denuncias cerradas",
    },
    done: {
      hide: "El aviso está oculto.",
      restore: "El aviso se muestra de nuevo.",
      remove: "El aviso se ha retirado.",
      block: "La dirección está bloqueada y sus avisos están ocultos.",
      block_writer: "La dirección está bloqueada y sus conversaciones están cerradas.",
      dismiss: "Las denuncias están cerradas, y el aviso ya no está en estas listas.",
    },
    ask: {
      remove: "¿Retirar este aviso para siempre?",
      block: "¿Bloquear la dirección que publicó esto?",
      block_writer: "¿Bloquear la dirección que escribió sobre esto?",
    },
    askText: {
      remove:
        "Su página, su texto y todos los mensajes sobre él se borran al momento. No se puede deshacer.",
      block:
        "Todos los avisos de esta dirección se ocultan, sus conversaciones se cierran y lo que pida ya no recibe correo de confirmación. Al mostrar de nuevo este aviso se levanta el bloqueo.",
      block_writer:
        "Todos los avisos de esta dirección se ocultan, sus conversaciones se cierran y lo que pida ya no recibe correo de confirmación. Aquí no se puede deshacer.",
    },
    yes: { remove: "Sí, retirarlo", block: "Sí, bloquearla", block_writer: "Sí, bloquearla" },
    no: "No, volver",
    line: (moment, who, did, code) => `${moment}: ${who}, ${did}, ${code}`,
  },
};

const times = (count: number) => (count === 1 ? "1 vez" : `${count} veces`);
