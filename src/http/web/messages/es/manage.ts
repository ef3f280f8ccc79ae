import type { manage as en } from "../en/manage.ts";

export const manage: typeof en = {
  manage: {
    title: "Gestionar mi aviso",
    private:
      "No comparta la dirección de esta página: cualquiera que la tenga puede cerrar o retirar su aviso.",
    see: "Ver la página pública",
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
    move: {
      resolve: {
        lost: {
          button: "Mi mascota ha vuelto",
          hint: "Cierra el aviso con la buena noticia.",
        },
        found: {
          button: "Ya está con su familia",
          hint: "Cierra el aviso con la buena noticia.",
        },
      },
      renew: {
        lost: {
          button: "Renovar el aviso",
          hint: "Sigue sin aparecer: el plazo empieza hoy de nuevo.",
        },
        found: {
          button: "Renovar el aviso",
          hint: "Nadie lo ha reclamado aún: el plazo empieza hoy de nuevo.",
        },
      },
      reopen: {
        lost: {
          button: "Volver a abrir el aviso",
          hint: "Si se ha perdido otra vez o el aviso se cerró por error.",
        },
        found: { button: "Volver a abrir el aviso", hint: "Si se cerró por error." },
      },
      remove: {
        lost: { button: "Retirar el aviso", hint: "Lo borra para siempre." },
        found: { button: "Retirar el aviso", hint: "Lo borra para siempre." },
      },
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
      "«[removed]» ocupa el lugar de un teléfono, una dirección de correo, un enlace o algo parecido.",
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
    replyHint:
      "Los números de teléfono, las direcciones de correo y los enlaces se quitan; las direcciones postales, no.",
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
    zoneButton: "Parar estos correos",
    remindersButton: "Parar los recordatorios",
    matchesTitle: "¿Dejar de recibir correos sobre coincidencias con este aviso?",
    matchesText:
      "La página del aviso seguirá mostrando los avisos que podrían ser del mismo animal.",
    matchesButton: "Parar estos correos",
    allMatchesTitle: "¿Dejar de recibir correos sobre coincidencias con todos sus avisos?",
    allMatchesText:
      "Las páginas de los avisos siguen mostrando los que podrían ser el mismo animal.",
    allMatchesButton: "Parar estos correos",
    endedTitle: "Estos correos se han parado",
    ended: "No recibirá ninguno más.",
  },
};
