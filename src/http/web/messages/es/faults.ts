import type { faults as en } from "../en/faults.ts";

export const faults: typeof en = {
  trouble: {
    heading: "Queda algo por revisar",
  },
  fieldFault: {
    missing: "este campo está vacío",
    empty: "este campo está vacío",
    not_valid: "revise este campo",
    other_type: "revise este campo",
    number: "escriba un número",
    whole_number: "escriba un número entero",
    text: "aquí solo puede ir texto",
    twice: "este campo se ha enviado varias veces",
    wordless: "escriba al menos una palabra",
    choice: "elija una de las opciones",

    email: "escriba una sola dirección, por ejemplo nombre@example.org",
    alert_ref: "no corresponde a ningún aviso",
    date: "escriba un día, por ejemplo 2026-11-21",
    time: "escriba un día, por ejemplo 2026-11-21",
    future: "esta fecha está en el futuro",
    second_time: "indique una sola hora",
    too_early: (day) => `no antes del ${day}`,
    chip: "un número de microchip tiene 9, 10 o 15 caracteres",
    country: "escriba dos letras, por ejemplo ES",

    half_position: "elija el lugar otra vez",
    no_centre: "indique también un lugar",
    cursor: "vuelva a empezar la búsqueda: esta página es de otra",
    cursor_of_newest: "vuelva a empezar la búsqueda: esta página es de otra",
    cursor_of_nearest: "vuelva a empezar la búsqueda: esta página es de otra",
    unknown_town: "no hemos encontrado esta localidad; pruebe con la ciudad más cercana",
    town_like: (towns) => `no hemos encontrado esta localidad; quizá ${towns}`,

    found_only: "solo para un animal encontrado",
    lost_cats_only: "solo para un gato perdido",
    photo_gone: "una ya no está aquí; elíjala otra vez",
    at_least: (limit) => `${limit} como mínimo`,
    more_than: (limit) => `más de ${limit}`,
    at_most: (limit) => `${limit} como máximo`,
    longest: (limit) => `${limit} caracteres como máximo`,
    most_entries: (limit) => `${limit} como máximo`,
  },
  fault: {
    title: {
      bad_input: "No ha funcionado",
      forbidden: "No está permitido",
      not_found: "Página no encontrada",
      bad_method: "Así no funciona",
      not_acceptable: "Así no funciona",
      conflict: "Ahora no es posible",
      gone: "Este aviso ya no existe",
      too_large: "Era demasiado grande",
      bad_type: "Así no funciona",
      too_many: "Espere un poco, por favor",
      unavailable: "Volvemos enseguida",
    },
    general: {
      bad_input: "Algo no se ha podido entender. Vuelva atrás y revíselo.",
      forbidden: "Desde aquí no se puede hacer.",
      not_found: "Quizá el enlace está incompleto o la página se ha retirado.",
      bad_method: "Esta dirección no se usa así.",
      not_acceptable: "Esta dirección no se usa así.",
      conflict: "Algo ha cambiado entretanto. Revíselo otra vez.",
      gone: "Esta página se ha retirado.",
      too_large: "Es más de lo que podemos recibir de una vez.",
      bad_type: "Esta dirección no se usa así.",
      too_many: "Demasiadas solicitudes en poco tiempo. Inténtelo más tarde.",
      unavailable: "Inténtelo dentro de unos minutos.",
    },
    because: {
      nothing_here: "Esta página no existe.",
      other_site: "Este formulario se ha enviado desde otro sitio web.",
      forms_only: "Esta dirección no se usa así.",
      form_broken: "Este formulario ha llegado dañado y no se ha podido leer.",

      code_unknown: "Ningún aviso tiene este código corto. Quizá hay un error al escribirlo.",
      alert_unknown: "Este aviso no existe. Quizá falta una parte del enlace.",
      alert_waiting:
        "Este aviso todavía no es público. Aparecerá aquí en cuanto se confirme con el enlace de nuestro correo.",
      alert_unconfirmed:
        "Este aviso nunca se publicó: no se confirmó a tiempo por correo electrónico.",
      alert_removed: "Este aviso lo retiró la persona que lo publicó, o lo retiramos nosotros.",
      alert_changed: "El aviso acaba de cambiar. Mírelo otra vez.",
      alert_ended: "Un aviso que ha terminado ya no se puede cambiar.",
      not_home_yet: "Podrá contarlo cuando el animal esté en casa.",
      animal_home: "Este animal ya está en casa; su aviso no recibe más mensajes.",
      no_owner: "Nadie puede recibir mensajes sobre este aviso: no tiene dueño en este servidor.",
      move_closed: "El aviso no lo permite tal como está ahora.",

      link_dead: "Este enlace ha caducado o está incompleto.",
      link_unknown: "Aquí no conocemos este enlace. Quizá le falta una parte.",
      sent_twice: "Este correo ya se ha enviado dos veces, o ya no hace falta.",
      address_fixed: "La dirección ya no se puede cambiar. Haga una nueva solicitud.",
      sender_sightings_full:
        "Ya ha comunicado tantos avistamientos de este animal como puede una persona en un día. Confirme otra vez mañana.",
      not_at_large: "Nadie tiene que buscar ya a este animal; su aviso no recibe avistamientos.",
      ended_long_ago: "Este aviso terminó hace mucho; no recibe más avistamientos.",
      sender_messages_full:
        "Ya ha enviado tantos mensajes sobre este aviso como puede una persona en un día. Confirme otra vez mañana.",
      its_alert_removed: "El aviso al que se refería se ha retirado.",

      conversation_erased: "Esta conversación se ha borrado.",
      conversation_closed: "Esta conversación se ha cerrado: ya nadie puede escribir en ella.",
      conversation_over:
        "Su conversación sobre este aviso se ha cerrado: a la otra persona ya no le llegan mensajes.",
      nobody_left: "Ya no hay nadie al otro lado de esta conversación.",
      enough_for_today: "Es suficiente por hoy. Podrá seguir mañana.",

      busy: "Están llegando muchas solicitudes en este momento. Inténtelo dentro de un minuto.",
      request_slow: "La solicitud ha llegado demasiado despacio.",

      sign_in: "Inicie sesión, por favor.",
      admin_link_spent: "Este enlace ya se ha usado, o han pasado sus 30 minutos.",

      photo_unknown: "Esta foto no existe.",
      photo_empty: "Una foto es un archivo vacío. Elija otra.",
      photo_broken: "Una foto no se puede leer: el archivo está dañado o incompleto.",
      photo_heic: "No podemos leer fotos HEIC ni AVIF. Envíelas como JPEG, PNG o WebP.",
      photo_type:
        "Uno de los archivos no es una foto que podamos leer. Envíe JPEG, PNG, WebP o GIF.",
      photos_wait:
        "Están llegando muchas fotos en este momento. Vuelva atrás y envíe el formulario otra vez dentro de un minuto: su navegador conserva lo que ha escrito.",
      photos_slow:
        "Las fotos han llegado demasiado despacio. Vuelva atrás y envíe menos o más pequeñas; también puede publicar sin fotos y añadirlas después.",
      photos_not_kept: "Ahora mismo no podemos guardar fotos. Inténtelo dentro de un minuto.",
      photos_too_large: (mb) =>
        `Las fotos pesan demasiado juntas: ${mb} MB como máximo. Elija menos o más pequeñas.`,
      photo_too_large: (mb) => `Una foto pesa más de ${mb} MB.`,
      photo_too_wide: (megapixels) => `Una foto tiene más de ${megapixels} millones de píxeles.`,
      request_too_large: "Es más de lo que podemos recibir de una vez.",
      zones_full: (count) =>
        `Esta dirección ya recibe avisos de ${count} zonas, el máximo. Elimine una y confirme otra vez.`,
      too_often: (minutes) =>
        `Demasiadas solicitudes en poco tiempo. Inténtelo dentro de ${minutes} minuto${minutes === 1 ? "" : "s"}.`,
      too_often_just_now: (seconds) =>
        `Demasiadas solicitudes en poco tiempo. Inténtelo dentro de ${seconds} segundo${seconds === 1 ? "" : "s"}.`,
    },
    bugTitle: "Algo ha salido mal",
    bugText: (request) =>
      `El error ha sido nuestro, no suyo. Ha quedado anotado con el número ${request}; por favor, inténtelo más tarde.`,
    home: "Ver los avisos más recientes",
  },
};
