import type { about as en } from "../en/about.ts";

export const about: typeof en = {
  about: {
    title: "À propos de ce service",
    lead: (site) =>
      `${site} est un répertoire public d’animaux perdus et trouvés. C’est gratuit et sans compte.`,
    how: "Comment ça marche",
    howItems: [
      "Toute personne qui publie, écrit ou s’abonne reçoit d’abord un e-mail. Rien ne se passe tant qu’elle n’a pas ouvert le lien et appuyé sur un bouton.",
      "Les messages passent par nous. Personne ne voit l’adresse de l’autre.",
      "Les numéros de téléphone, les adresses et les liens sont retirés des textes publics et des messages.",
    ],
    privacy: "Ce que nous gardons, et combien de temps",
    privacyItems: [
      "La position exacte n’est jamais enregistrée. Nous l’arrondissons à environ 1\u00a0km avant de garder quoi que ce soit.",
      "Un lien de confirmation fonctionne pendant 48 heures.",
      "L’adresse de la personne qui a publié et tous les messages sont effacés 30 jours après la fin de l’alerte, ou aussitôt si elle est supprimée.",
      "Un numéro de puce n’est jamais montré. Nous n’en gardons qu’une empreinte chiffrée, pour comparer.",
      "Une alerte dure de 30 à 90 jours, selon l’animal, et peut être prolongée.",
      "Ces pages n’utilisent aucun cookie et ne chargent rien d’ailleurs.",
    ],
    limits: "Limites",
    limitsLead: "Depuis une même adresse internet, en une heure\u202f:",
    limitItems: ["5 alertes", "20 messages", "10 abonnements"],
    machines: "Pour les programmes et les assistants",
    apiText: "Tout le monde peut lire les alertes en JSON, sans clé\u202f:",
    mcpText:
      "Les assistants IA cherchent, publient et écrivent par le serveur d’outils (Model Context Protocol)\u202f:",
    thanks: "Sources",
    gazetteer: "Les noms et les positions des villes viennent de",
    license: "sous licence CC BY 4.0.",
  },
};
