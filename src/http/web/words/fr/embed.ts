import type { embed as en } from "../en/embed.ts";

export const embed: typeof en = {
  embed: {
    more: (site) => `Toutes les alertes sur ${site}`,
    wrong: "Cette liste ne peut pas s’afficher\u202f: son adresse contient une erreur.",
    title: "Pour votre propre site",
    text: "Affichez sur vos pages les dernières alertes autour de votre ville. Copiez ceci et mettez-y le nom de votre ville. La liste ne dépose aucun cookie et n’exécute aucun script\u202f:",
    filters: "Également possible\u202f:",
    docs: "Toutes les adresses, avec leurs paramètres et des exemples\u202f:",
  },
};
