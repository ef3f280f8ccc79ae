import type { manage as en } from "../en/manage.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const manage: typeof en = {
  manage: {
    title: "Gestionar mi aviso",
    private:
      "No comparta la dirección de esta página: cualquiera que la tenga puede cerrar o retirar su aviso.",
    see: "Ver la página pública",
    onlyYou: "Solo usted puede ver esta respuesta.",
    chipTitle: "Un aviso tiene el mismo número de microchip",
    chipText:
      "Solo lo saben usted y quien lo publicó. A veces un número se copia mal, y cualquiera puede indicar uno: compare antes de entregar nada.",
    hidden: "La moderación ha ocultado este aviso. Nadie más lo ve hasta que se restablezca.",
    messages: (count) => `Mensajes (${count})`,
    moreMessages: "Más mensajes",
    firstMessages: "Volver a los primeros mensajes",
    status: {
      active: (day) => `Activo: todo el mundo puede verlo hasta el ${day}.`,
      resolved: () => "Ya está en casa. El aviso está cerrado.",
      expired: () => "Terminado: ya no aparece en las búsquedas.",
    },
    emailsStopped: {
      dead: "Los correos a su dirección nos fueron devueltos, así que dejamos de enviarlos: no le llegan mensajes, avistamientos ni coincidencias. Si su buzón funciona, volvamos a intentarlo.",
      complained:
        "Su proveedor de correo nos comunicó que uno de nuestros correos se marcó como no deseado. Ya no recibe recordatorios ni correos sobre coincidencias; los mensajes le siguen llegando.",
      button: "Volver a enviarme correos",
    },
    done: {
      resolve: "¡Qué alegría! El aviso dice ahora que ya está en casa.",
      renew: "El aviso está renovado.",
      reopen: "El aviso vuelve a estar activo.",
      emails: "Volvemos a enviar correos a su dirección.",
    },
    backHome: { lost: "Mi mascota ha vuelto", found: "Ya está con su familia" },
    move: {
      renew: "Renovar el aviso",
      reopen: "Volver a abrir el aviso",
      remove: "Retirar el aviso",
    },
    moveHint: {
      resolve: "Cierra el aviso con la buena noticia.",
      renew: "El plazo empieza hoy de nuevo.",
      reopen: "Si se cerró por error o el animal se ha perdido otra vez.",
      remove: "Lo borra para siempre.",
    },
    removeTitle: "¿Retirar este aviso?",
    removeText:
      "La página, el texto y todos los mensajes sobre el aviso se borran al instante. No se puede deshacer.",
    removeBetter:
      "Si el animal ha vuelto a casa, es mejor decirlo: las personas que ayudaron a buscarlo se alegrarán.",
    removeButton: "Sí, retirarlo para siempre",
    keep: "No, conservarlo",
    removedTitle: "Su aviso ya no existe",
    removed: "El texto, su dirección de correo y todos los mensajes sobre el aviso se han borrado.",
  },
  conversation: {
    title: "Conversación",
    you: "Usted",
    owner: { owner: "La familia", finder: "La persona que lo encontró", shelter: "El refugio" },
    stranger: "La otra persona",
    gone: "El aviso se ha retirado.",
    homeAgain: "Este animal ya está en casa.",
    removed:
      "«[removed]» sustituye un teléfono, una dirección de correo, un enlace o algo parecido.",
    closed: "Aquí ya no se puede responder.",
    closedByOne: "Esta conversación se ha cerrado.",
    close: "Cerrar esta conversación",
    closeTitle: "¿Cerrar esta conversación?",
    closeText: {
      owner:
        "Nadie podrá escribir más aquí, y la otra persona no podrá volver a escribirle sobre este aviso. Verá que la conversación se ha cerrado. No se puede deshacer.",
      stranger:
        "Nadie podrá escribir más aquí, y usted no podrá volver a escribir sobre este aviso desde la misma dirección. La otra persona verá que la conversación se ha cerrado. No se puede deshacer.",
    },
    closeButton: "Sí, cerrarla",
    keep: "No, dejarla abierta",
    reply: "Su respuesta",
    button: "Enviar",
    hidden: "La otra persona no ve su dirección, y usted no ve la de ella.",
    beware:
      "No envíe nunca dinero por adelantado ni comparta nunca un código, sea cual sea el motivo: es una estafa habitual.",
    erased: "Todos los mensajes se borran 30 días después de que termine el aviso.",
  },
  unsubscribe: {
    zoneTitle: "¿Dejar de recibir correos sobre esta zona?",
    zonesTitle: "¿Dejar de recibir correos sobre estas zonas?",
    zonesText: "También puede parar los correos sobre una sola de ellas:",
    zonesButton: "Pararlos para todas estas zonas",
    zoneAlone: "Parar solo los correos sobre esta zona",
    remindersTitle: "¿Dejar de recibir recordatorios de este aviso?",
    remindersText: "El aviso en sí no cambia. Si no lo renueva, terminará en la fecha prevista.",
    button: "Parar estos correos",
    matchesTitle: "¿Dejar de recibir correos sobre coincidencias con este aviso?",
    matchesText:
      "La página del aviso seguirá mostrando los avisos que podrían ser del mismo animal.",
    allMatchesTitle: "¿Dejar de recibir correos sobre coincidencias con todos sus avisos?",
    allMatchesText:
      "Las páginas de los avisos siguen mostrando los que podrían ser el mismo animal.",
    endedTitle: "Estos correos se han parado",
    ended: "No recibirá ninguno más.",
  },
  erase: {
    link: "Borrar mis datos",
    title: "Borrar sus datos",
    lead: "Indique su dirección de correo. Si tenemos datos suyos, le enviamos un enlace a una página que los muestra y permite borrarlos.",
    send: "Enviarme el enlace",
    sent: (address) =>
      `Si tenemos datos de ${address}, un enlace va de camino. Funciona una sola vez, en las próximas 48 horas.`,
    askTitle: "¿Borrar todos sus datos?",
    ask: (address) => `Estos son los datos que tenemos de ${address}:`,
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
    nothing: "Ya no tenemos datos de su dirección.",
    doneTitle: "Sus datos están borrados",
    done: "Hemos borrado:",
    limitsTitle: "Lo que no se borra",
    limits: {
      unknown:
        "Los avistamientos y las denuncias que usted envió. No se guarda ninguna dirección con ellos: nadie puede saber que son suyos.",
      ended: (days) =>
        `Los avisos que terminaron hace más de ${days} días. Su dirección se borró de ellos entonces.`,
      report: "Para que se retire uno, denúncielo en su página.",
      address:
        "La dirección de la página de un aviso, en la que puede estar el nombre del animal, y su zona de aproximadamente 1\u00a0km: se quedan para que un cartel impreso no lleve nunca a otro animal.",
      arrived: "Los correos que ya llegaron: están en los buzones de quienes los recibieron.",
      backups: (days) =>
        `Las copias de seguridad, hasta que se eliminan. Para que ninguna devuelva lo que usted borró, una huella cifrada de su dirección se queda ${days} días.`,
      marks: (days) =>
        `Otras huellas cifradas de su dirección: las de peticiones confirmadas desaparecen en ${days} días. Una se queda si usted nos pidió no escribir más, o si la moderación bloqueó la dirección, para que podamos cumplirlo.`,
    },
  },
};
