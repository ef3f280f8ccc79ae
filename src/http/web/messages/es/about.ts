import type { about as en } from "../en/about.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const about: typeof en = {
  about: {
    title: "Sobre este servicio",
    lead: (site) =>
      `${site} es un directorio público de animales perdidos y encontrados. Es gratuito y no pide ninguna cuenta.`,
    contents: "En esta página",
    how: "Cómo funciona",
    howItems: [
      "Quien publica, escribe o se suscribe recibe primero un correo. No ocurre nada hasta que esa persona confirma con el enlace.",
      "Los mensajes pasan por nosotros. Nadie ve la dirección de la otra persona.",
      "Los números de teléfono, las direcciones de correo, los enlaces, los nombres de usuario y los datos de pago se quitan de los textos públicos y de los mensajes. Las direcciones postales, no: no ponga la suya.",
      "Los avisos de animales perdidos y encontrados se comparan. Si dos pueden ser del mismo animal, las dos personas reciben un correo.",
    ],
    first: "Qué hacer primero",
    firstLead:
      "La mayoría de los animales perdidos aparecen, muchas veces cerca de casa. Estos pasos han ayudado a otras personas; empiece por el primero.",
    guides: {
      cat: {
        title: "Su gato ha desaparecido",
        steps: [
          "Busque primero dentro de casa: armarios, cajones, debajo de las camas, detrás de los aparatos, el sótano, el coche.",
          "Después busque cerca de casa, a fondo. En un estudio de 1210 gatos desaparecidos, tres de cada cuatro aparecieron a menos de 500\u00a0m del lugar donde se perdieron; salir a buscar aumentaba la posibilidad de encontrar vivo al gato.",
          "Mire con sus propios ojos debajo de las terrazas, en setos, cobertizos y garajes, y pida a los vecinos que le dejen mirar en los suyos. Un gato asustado se esconde y no hace ruido, aunque lo llame su familia.",
          "Salga cuando haya silencio, de noche y antes del amanecer, con una linterna: los ojos brillan. Llame en voz baja, espere y escuche.",
          "Deje una entrada abierta si no hay peligro y ponga comida donde salió el gato. Quédese cerca y vigile, o ponga una cámara.",
          "Publique un aviso aquí, imprima el cartel y cuélguelo por la zona. Cuénteselo a todo el vecindario, también a los niños y a quien reparte el correo.",
          "Llame a los veterinarios, a los refugios y al ayuntamiento de la zona. Si su gato tiene chip, comunique la pérdida al registro y compruebe que su número es correcto.",
          "No se rinda. En ese estudio, un tercio de los gatos apareció con vida en 7 días, la mitad en 30 días y el 61\u00a0% en un año.",
        ],
      },
      dog: {
        title: "Su perro ha desaparecido",
        steps: [
          "Quédese un rato donde se escapó, o deje allí a alguien con algo que huela a casa: muchos perros vuelven a ese lugar.",
          "Si lo ve, no corra tras él. Un perro asustado huye incluso de quienes quiere. Siéntese de lado, mire a otra parte, hable en voz baja, tenga comida a mano y deje que se acerque.",
          "Publique enseguida un aviso aquí y compártalo. Pida que nadie persiga al perro, sino que digan dónde y cuándo lo vieron y hacia dónde iba.",
          "Busque por el barrio y pregunte a todo el mundo. En una encuesta en Estados Unidos, el 93\u00a0% de los perros perdidos volvió a casa, la mayoría de las veces porque alguien buscó por el barrio o porque volvieron solos, y el 14\u00a0% gracias a una placa en el collar.",
          "Llame a la policía o al ayuntamiento, a los refugios y a los veterinarios, más lejos de lo que piensa. Vuelva a llamar cada día o cada dos días.",
          "Cuelgue carteles en los cruces: grandes, con pocas palabras, para leerlos desde un coche en marcha.",
          "Si su perro tiene chip, comunique la pérdida al registro y compruebe que su número es correcto.",
        ],
      },
      found: {
        title: "Ha encontrado un animal",
        steps: [
          "Primero, la seguridad. No lo persiga: un animal asustado muerde o corre hacia el tráfico. Si está en peligro o herido, llame a la policía o a un servicio de rescate de animales.",
          "Busque una placa. Un gato en la calle con buen aspecto muchas veces solo está de paseo: pregunte primero a los vecinos.",
          "Haga que le lean el chip: los veterinarios y los refugios tienen un lector. El número lleva al registro, y el registro a la familia.",
          "Comuníquelo como manda la ley de su país: al ayuntamiento, a la policía o a un refugio. En muchos países es una obligación.",
          "Publique un aviso aquí. Guárdese un detalle, como una marca o el collar.",
          "Quien reclame el animal debe conocer ese detalle, o enseñar fotos, papeles del veterinario o el registro del chip. No pague nunca por adelantado ni comparta nunca un código.",
        ],
      },
    },
    sources: "Referencias",
    registries: "Buscar el registro de un número de chip:",
    privacy: "Qué guardamos y durante cuánto tiempo",
    kept: {
      where:
        "Todo está en una sola carpeta, en el servidor de las personas que gestionan este sitio. No se comparte nada, salvo los correos, que pasan por un servidor de correo.",
      position:
        "La ubicación exacta no se guarda nunca. Antes la redondeamos a aproximadamente 1\u00a0km.",
      photos:
        "Las fotos se vuelven a codificar al llegar: todo lo que la cámara escribió en ellas, también el lugar, se elimina.",
      confirm: (hours) =>
        `Un enlace de confirmación funciona durante ${hours} horas. Lo que nadie ha confirmado se borra entonces.`,
      life: (dog, cat, other, found) =>
        `Un aviso dura ${dog} días para un perro perdido, ${cat} para un gato perdido, ${other} para otro animal perdido y ${found} para uno encontrado. Se puede renovar.`,
      ended: (days) =>
        `La dirección de quien publicó, todos los mensajes y todos los avistamientos se borran ${days} días después de que termine el aviso. Si un aviso se retira, se borran al instante, junto con su texto.`,
      zone: "Las zonas de las que recibe avisos y su dirección se guardan hasta que detenga los correos.",
      chip: "El número de un microchip no se muestra nunca. Guardamos solo una huella cifrada, para comparar.",
      goesOutside:
        "La respuesta a si su gato sale a la calle no se muestra nunca. Solo cambia las puntuaciones que ve usted y se borra junto con su dirección.",
      outcome:
        "Si la familia cuenta cómo volvió el animal, guardamos la respuesta para estadísticas, separada del aviso.",
      confirmed: (days) =>
        `Cuando se confirma algo desde una dirección, guardamos una huella cifrada de la dirección durante ${days} días, para que sus correos salgan primero cuando desconocidos saturan este sitio.`,
      stopped:
        "Si nos pide que no le escribamos más, de su dirección guardamos solo una huella cifrada para poder cumplirlo.",
      bounces: (days) =>
        `Si los correos a una dirección nos son devueltos, o uno se marca como no deseado, guardamos una huella cifrada de la dirección, para no enviar más. Se borra cuando se confirma algo desde esa dirección, y a los ${days} días si los correos fueron devueltos.`,
      erased:
        "Puede hacer que se borre todo en cualquier momento: le enviamos el enlace de una página que muestra lo que tenemos.",
      backups: (days) =>
        days === 0
          ? "Este servicio no hace copias de seguridad por sí mismo; las personas que lo gestionan pueden hacerlas."
          : `Cada día se hace una copia de seguridad de todo y se guardan las últimas ${days}. Las personas que gestionan el sitio pueden hacer más.`,
      oldCopies: (days) =>
        `Una actualización del programa, o la restauración de una copia de seguridad, deja una copia del estado anterior; se borra a los ${days} días.`,
      tombstones: (days) =>
        `Guardamos una huella cifrada de los datos borrados durante ${days} días, para que ninguna copia de seguridad los devuelva.`,
      reports: (days, logDays) =>
        `Una denuncia se borra ${days} días después de que la mire un moderador; el registro de los moderadores, después de ${logDays} días.`,
      letters: (days) =>
        `Los correos enviados se borran de nuestra bandeja de salida después de ${days} días.`,
      callers: (hours) =>
        `Contra los abusos contamos las peticiones con una huella cifrada de la dirección IP, durante ${hours} horas.`,
      cookie: (days) =>
        `Una cookie recuerda el idioma que ha elegido, durante ${days} días. Los moderadores tienen otra mientras su sesión está abierta. No hay más.`,
      tiles: (host) =>
        `Los mapas cargan sus imágenes de ${host}, que ve su dirección IP como cualquier sitio web. No se carga nada más de otros sitios.`,
      noTiles: "No se carga nada de otros sitios.",
    },
    limits: "Límites",
    limitsLead: "Desde una misma dirección IP:",
    publications: (count) => counted(count, "aviso", "avisos"),
    messages: (count) => counted(count, "mensaje", "mensajes"),
    subscriptions: (count) => counted(count, "suscripción", "suscripciones"),
    reads: (count) => counted(count, "página o petición", "páginas y peticiones"),
    anHour: (what) => `${what} por hora`,
    aMinute: (what) => `${what} por minuto`,
    unlimited: {
      publications: "tantos avisos como quiera",
      messages: "tantos mensajes como quiera",
      subscriptions: "tantas suscripciones como quiera",
      reads: "tantas páginas y peticiones como quiera",
    },
    perAlert: (toAlert, fromOne) =>
      `Una persona puede enviar ${fromOne} mensajes al día sobre un aviso. Quien lo publicó recibe hasta ${toAlert} al día uno a uno; los demás se reúnen en un correo por hora.`,
    perMailbox: (aDay) =>
      `Un buzón recibe como mucho ${aDay} correos de confirmación al día mientras no se confirme nada. Las demás peticiones van en el siguiente.`,
    machines: "Para desarrolladores",
    apiText: "Cualquiera puede leer los avisos como JSON, sin clave:",
    geojsonText: "Como GeoJSON, para mapas:",
    feedText: "Como canal Atom, para lectores de canales. Los tres admiten los mismos filtros:",
    assistants: "Para asistentes de IA",
    mcpText:
      "Los asistentes de IA pueden buscar, publicar y escribir a través de nuestro servidor MCP (Model Context Protocol, Streamable HTTP). No pide cuenta ni clave:",
    mcpPublic: "Los asistentes en la nube solo pueden acceder a él en una dirección https pública.",
    connect: {
      claude: "Configuración → Conectores → Añadir conector personalizado. Pegue la dirección.",
      terminal: "En un terminal:",
      chatgpt:
        "Configuración → Aplicaciones → Configuración avanzada: active el modo de desarrollador. Cree allí una aplicación y pegue la dirección; sin autenticación.",
      file: (path) => `En el archivo ${path}:`,
    },
    thanks: "Fuentes",
    gazetteer: "Los nombres y las posiciones de las localidades proceden de",
    license: "con licencia CC BY 4.0.",
    maps: (makers) => `Mapas: ${makers}.`,
  },
};
