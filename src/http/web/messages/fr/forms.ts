import type { forms as en } from "../en/forms.ts";

export const forms: typeof en = {
  contact: {
    title: {
      owner: "Écrire à la famille",
      finder: "Écrire à la personne qui l’a trouvé",
      shelter: "Écrire au refuge",
    },
    hidden: {
      owner:
        "La famille reçoit votre nom et votre message, mais pas votre adresse. Les réponses vous parviennent par e-mail, en passant par nous.",
      finder:
        "La personne qui l’a trouvé reçoit votre nom et votre message, mais pas votre adresse. Les réponses vous parviennent par e-mail, en passant par nous.",
      shelter:
        "Le refuge reçoit votre nom et votre message, mais pas votre adresse. Les réponses vous parviennent par e-mail, en passant par nous.",
    },
    name: "Votre nom",
    email: "Votre adresse e-mail",
    emailHint: "Nous y envoyons un lien. Votre message part dès que vous le confirmez par ce lien.",
    message: "Votre message",
    messageHint: {
      lost: "Quand et où l’avez-vous vu\u202f?",
      found:
        "Comment savez-vous que c’est le vôtre\u202f? Décrivez ses marques, son collier ou des habitudes que seule sa famille connaît.",
    },
    takenOut:
      "Les numéros de téléphone, les adresses e-mail et les liens sont retirés, les adresses postales ne le sont pas.",
    button: "Continuer",
    beware:
      "N’envoyez jamais d’argent à l’avance et ne transmettez jamais un code que quelqu’un vous demande.",
    closed: "Cet animal est rentré chez lui\u202f: son alerte ne reçoit plus de messages.",
    nobody:
      "Personne ne suit cette alerte sur ce serveur\u202f: votre message ne serait lu par personne.",
  },
  subscribe: {
    title: "Recevoir les alertes d’une zone",
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
      "Nous y envoyons un lien. Les e-mails ne commencent que lorsque vous confirmez par ce lien.",
    button: "Continuer",
  },
  embed: {
    more: (site) => `Toutes les alertes sur ${site}`,
    wrong: "Cette liste ne peut pas s’afficher\u202f: son adresse contient une erreur.",
    title: "Pour votre propre site",
    text: "Affichez sur vos pages les dernières alertes autour de votre ville. Copiez ceci et mettez-y le nom de votre ville. La liste ne dépose aucun cookie et n’exécute aucun script\u202f:",
    filters: "Également possible\u202f:",
    docs: "Toutes les adresses, avec leurs paramètres et des exemples\u202f:",
  },
};
