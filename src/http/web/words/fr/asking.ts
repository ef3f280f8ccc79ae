import type { asking as en } from "../en/asking.ts";

export const asking: typeof en = {
  contact: {
    title: {
      owner: "Écrire à la famille",
      finder: "Écrire à qui l’a trouvé",
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
    emailHint:
      "Nous y envoyons un lien. Votre message part quand vous ouvrez ce lien et appuyez sur le bouton.",
    message: "Votre message",
    messageHint: {
      lost: "Quand et où l’avez-vous vu\u202f?",
      found:
        "Comment savez-vous que c’est le vôtre\u202f? Décrivez ses marques, son collier ou des habitudes que seule sa famille connaît.",
    },
    takenOut: "Les numéros de téléphone, les adresses et les liens sont retirés.",
    button: "Continuer",
    beware:
      "N’envoyez jamais d’argent à l’avance et ne transmettez jamais un code que quelqu’un vous demande.",
    closed: "Cet animal est rentré chez lui\u202f: son alerte ne reçoit plus de messages.",
    nobody:
      "Personne ne suit cette alerte sur ce serveur\u202f: votre message ne serait lu par personne.",
  },
};
