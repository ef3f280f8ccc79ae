import type { subscribing as en } from "../en/subscribing.ts";

export const subscribing: typeof en = {
  subscribe: {
    title: "Vigilar una zona",
    lead: "Le escribimos cuando aparece allí un aviso nuevo. Puede dejarlo en cualquier momento.",
    which: "Hay varios lugares con ese nombre. ¿Cuál?",
    radius: "Radio",
    species: "Animal",
    anySpecies: "Todos",
    type: "Perdido o encontrado",
    anyType: "Los dos",
    label: "Un nombre para esta zona",
    labelHint: "Solo lo ve usted, en nuestros correos. Por ejemplo: Casa.",
    email: "Su dirección de correo",
    emailHint:
      "Enviamos allí un enlace. Los correos solo empiezan cuando usted pulsa el botón de esa página.",
    button: "Continuar",
  },
};
