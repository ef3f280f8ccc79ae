import type { confirm as en } from "../en/confirm.ts";

export const confirm: typeof en = {
  confirm: {
    publish: {
      title: "Su aviso, tal como aparecerá",
      lead: "Todavía no hay nada público. Revíselo y publíquelo al final de la página.",
      preview: "Vista previa",
      edit: "Cambiar algo antes",
      remote: (town: string, km: number) =>
        `El marcador está a ${km} km de la población más cercana, ${town}, quizá en el mar. Si es un error, muévalo en «Cambiar algo antes».`,
      farFromCity: (city: string, town: string, km: number) =>
        `El aviso indica ${city}, pero el marcador está a ${km} km de allí, cerca de ${town}. Si está mal puesto, muévalo en «Cambiar algo antes».`,
      nameHint: "Déjelo vacío si no lo sabe.",
      button: "Publicar este aviso",
      doneTitle: "Su aviso está publicado",
      doneText: "Todo el mundo puede verlo ya.",
      endedTitle: "Su aviso se publicó",
      goneTitle: "Su aviso se ha retirado",
      gone: "Se publicó cuando usted lo confirmó y después se retiró.",
      see: "Ver el aviso",
      manage: "Gestionar mi aviso",
      manageText:
        "Ahí puede indicar que el animal ha vuelto a casa, renovar el aviso o retirarlo. No comparta este enlace: cualquiera que lo tenga puede hacer lo mismo. También está en su correo.",
      manageByEmail:
        "El enlace privado para gestionar el aviso está en el correo «Su aviso está publicado». Esta página solo lo muestra durante una hora después de la confirmación.",
    },
    message: {
      title: "Su mensaje, tal como se enviará",
      lead: {
        owner: "Es para la familia de este animal:",
        finder: "Es para la persona que lo encontró:",
        shelter: "Es para el refugio:",
      },
      from: (name) => `De ${name}`,
      unnamed: "Sin nombre",
      hidden:
        "Su dirección no se comparte. Las respuestas le llegan por correo a través de nosotros.",
      button: "Enviar este mensaje",
      doneTitle: "Su mensaje está en camino",
      doneText: "Si hay respuesta, la recibirá por correo.",
      see: "Volver al aviso",
    },
    zone: {
      title: "Correos sobre esta zona",
      lead: "Le escribiremos cuando aparezca un aviso nuevo aquí:",
      where: "Dónde",
      button: "Recibir estos correos",
      full: "Ya recibe avisos de tantas zonas como permite una dirección. Elimine primero una de estas; después vuelva a esta página y confirme:",
      doneTitle: "Su zona está activa",
      doneText: "Le escribiremos cuando aparezca allí un aviso nuevo.",
      end: "Dejar de recibir estos correos",
      endByEmail: "Cada correo sobre esta zona termina con un enlace para dejar de recibirlos.",
      goneTitle: "Estos avisos han terminado",
      gone: "Usted confirmó esta zona y después se detuvieron sus correos.",
    },
    sighting: {
      title: "Su avistamiento, tal como aparecerá",
      lead: {
        told: "Aparecerá en la página de este aviso, y quien lo publicó lo recibirá por correo:",
        untold: "Aparecerá en la página de este aviso:",
      },
      hidden: "Su dirección no se comparte. El lugar se muestra con una precisión de 1\u00a0km.",
      button: "Publicar este avistamiento",
      doneTitle: "Gracias: su avistamiento está publicado",
      doneText: "Ya aparece en la página del aviso, para todas las personas que buscan.",
    },
    othersTitle: "También espera su confirmación",
    others:
      "Estas peticiones se hicieron con su dirección, por usted o por otra persona. No ocurre nada si no las confirma.",
    other: {
      publish: (code) => `Un aviso (${code})`,
      message: (code) => `Un mensaje sobre el aviso ${code}`,
      zone: () => "Los avisos de una zona",
      sighting: (code) => `Un avistamiento para el aviso ${code}`,
    },
    until: (moment) => `Puede usar esta página hasta el ${moment}.`,
    notMe: "Yo no he pedido esto",
    expiredTitle: "Este enlace ha caducado",
    expired:
      "Los enlaces de nuestros correos funcionan durante 48 horas. No se ha publicado ni enviado nada.",
    expiredNext: "Si todavía lo desea, pídalo otra vez: recibirá un enlace nuevo.",
    disowned: {
      title: "No va a ocurrir nada",
      text: "Nos ha dicho que no fue usted. Hemos borrado la petición.",
    },
  },
  notMe: {
    title: "¿No ha pedido usted esto?",
    text: "Alguien nos dio su dirección, quizá por error. Si pulsa el botón, borramos la petición y no le enviamos más correos de confirmación.",
    ignore: "También puede no hacer nada: sin usted no se publica ni se envía nada.",
    button: "No he sido yo: parar estos correos",
    late: "Esta petición ya se ha confirmado. Aun así, puede parar todos los demás correos de confirmación.",
    stopped: {
      title: "Hecho: no recibirá más correos como este",
      text: "Hemos borrado la petición y no enviaremos más correos de confirmación a esta dirección.",
    },
    stoppedLate: {
      title: "Hecho: no recibirá más correos como este",
      text: "No enviaremos más correos de confirmación a esta dirección. Lo que ya se confirmó sigue como está.",
    },
    change:
      "¿Quiere usted publicar, escribir o recibir avisos de una zona? Entonces permita de nuevo nuestros correos.",
    allow: "Permitir estos correos",
    allowedTitle: "Estos correos vuelven a estar permitidos",
    allowed: "Lo que se pidió antes sigue borrado. Si lo desea, pídalo otra vez.",
  },
};
