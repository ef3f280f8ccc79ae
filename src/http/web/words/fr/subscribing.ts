import type { subscribing as en } from "../en/subscribing.ts";

export const subscribing: typeof en = {
  subscribe: {
    title: "Surveiller une zone",
    lead: "Nous vous écrivons quand une nouvelle alerte y paraît. Vous pouvez arrêter à tout moment.",
    which: "Plusieurs lieux portent ce nom. Lequel\u202f?",
    radius: "Rayon",
    species: "Animal",
    anySpecies: "Tous",
    type: "Perdu ou trouvé",
    anyType: "Les deux",
    label: "Un nom pour cette zone",
    labelHint: "Visible par vous seulement, dans nos e-mails. Par exemple\u202f: Maison.",
    email: "Votre adresse e-mail",
    emailHint:
      "Nous y envoyons un lien. Les e-mails ne commencent que lorsque vous appuyez sur le bouton qu’il ouvre.",
    button: "Continuer",
  },
};
