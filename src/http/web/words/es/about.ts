import type { about as en } from "../en/about.ts";

export const about: typeof en = {
  about: {
    title: "Sobre este servicio",
    lead: (site) =>
      `${site} es un directorio público de animales perdidos y encontrados. Es gratuito y no pide ninguna cuenta.`,
    how: "Cómo funciona",
    howItems: [
      "Quien publica, escribe o se suscribe recibe primero un correo. No ocurre nada hasta que esa persona abre el enlace y pulsa un botón.",
      "Los mensajes pasan por nosotros. Nadie ve la dirección de la otra persona.",
      "Los números de teléfono, las direcciones y los enlaces se quitan de los textos públicos y de los mensajes.",
    ],
    privacy: "Qué guardamos y durante cuánto tiempo",
    privacyItems: [
      "La posición exacta no se guarda nunca. La redondeamos a 1\u00a0km, más o menos, antes de guardar nada.",
      "Un enlace de confirmación funciona durante 48 horas.",
      "La dirección de quien publicó y todos los mensajes se borran 30 días después de que termine el aviso, o al instante si se retira.",
      "El número de un microchip no se muestra nunca. Guardamos solo una huella cifrada, para comparar.",
      "Un aviso dura de 30 a 90 días, según el animal, y se puede renovar.",
      "Estas páginas no usan cookies ni cargan nada de otros sitios.",
    ],
    limits: "Límites",
    limitsLead: "Desde una misma dirección de internet, en una hora:",
    limitItems: ["5 avisos", "20 mensajes", "10 suscripciones"],
    machines: "Para programas y asistentes",
    apiText: "Cualquiera puede leer los avisos como JSON, sin clave:",
    mcpText:
      "Los asistentes de IA buscan, publican y escriben a través del servidor de herramientas (Model Context Protocol):",
    thanks: "Fuentes",
    gazetteer: "Los nombres y las posiciones de las localidades proceden de",
    license: "con licencia CC BY 4.0.",
  },
};
