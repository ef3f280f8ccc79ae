import type { publish as en } from "../en/publish.ts";

export const publish: typeof en = {
  publish: {
    title: { lost: "J’ai perdu mon animal", found: "J’ai trouvé un animal" },
    lead: {
      lost: "Quelques informations suffisent. Vous pourrez tout modifier avant la publication.",
      found:
        "Quelques informations suffisent pour que sa famille le retrouve. Vous pourrez tout modifier avant la publication.",
    },
    type: "Que s’est-il passé ?",
    lostIt: "J’ai perdu mon animal",
    foundIt: "J’ai trouvé ou vu un animal",
    species: "Quel animal ?",
    choose: "Choisissez",
    place: { lost: "Où a-t-il été vu en dernier ?", found: "Où a-t-il été trouvé ?" },
    eventDate: { lost: "Quand a-t-il disparu ?", found: "Quand a-t-il été trouvé ?" },
    eventDateHint: "Sans date, ce sera aujourd’hui.",
    color: "Couleur et marques",
    colorHint: "Par exemple : gris tigré, pattes blanches",
    more: "Autres informations utiles (facultatif)",
    nameHint: "Le nom auquel il répond.",
    breedHint: "La race, ou à quoi il ressemble.",
    descriptionHint: {
      lost: "Collier, marques, habitudes, réaction face aux inconnus.",
      found:
        "Collier, marques, comportement. Gardez un détail pour vous\u202f: la personne qui réclame l’animal doit le connaître.",
    },
    microchip: "Numéro de puce",
    microchipHint: "Jamais affiché. Il sert seulement à comparer.",
    emailHint:
      "Jamais affichée. Nous y envoyons un lien ; l’alerte devient publique dès que vous la confirmez par ce lien.",
    almostTitle: "Est-ce l’un d’eux ?",
    almostLead: "Ces alertes se ressemblent. Comparez avant de publier la vôtre.",
    noneOfThese: "Aucun d’eux : continuer",
    back: "Modifier",
  },
  photoField: {
    legend: "Photos",
    hint: (max) =>
      `Jusqu’à ${max} photos. La première est affichée en grand. Rien n’aide plus qu’une photo.`,
    choose: "Choisir des photos",
    add: "Ajouter des photos",
    keep: (count) => `Garder la photo ${count}`,
    first: (count) => `Montrer la photo ${count} en premier`,
    preview: (count) => `Photo ${count}`,
    remove: "Retirer",
    makeFirst: "En premier",
    shrinking: "Préparation des photos…",
    tooMany: "{max} photos au plus : les autres ont été laissées de côté.",
    unreadable: "« {name} » n’a pas pu être lu comme photo.",
    positionAsk: "Cette photo indique où elle a été prise. Placer le repère à cet endroit ?",
    positionYes: "Oui, utiliser ce lieu",
    positionNo: "Non",
  },
  waiting: {
    title: "Consultez vos e-mails",
    sent: (address) =>
      `Si ${address} peut recevoir nos e-mails maintenant, un e-mail est en route.`,
    next: {
      publish: "Votre alerte n’est pas encore publique. Ouvrez le lien de l’e-mail pour confirmer.",
      message: "Votre message n’est pas encore envoyé. Ouvrez le lien de l’e-mail pour confirmer.",
      zone: "Votre zone n’est pas encore active. Ouvrez le lien de l’e-mail pour confirmer.",
      sighting:
        "Votre témoignage n’est pas encore publié. Ouvrez le lien de l’e-mail pour confirmer.",
    },
    until: (moment) => `Le lien est valable jusqu’au ${moment}.`,
    again: "Renvoyer l’e-mail",
    againHint: "Rien après une minute ? Vérifiez d’abord vos indésirables.",
    sentAgain: (aDay) =>
      `Si cette adresse peut recevoir des e-mails maintenant, un e-mail est en route. Une adresse en reçoit au plus ${aDay} non confirmés par jour\u202f; si vous en confirmez un, nous pouvons en envoyer d’autres. Les demandes suivantes figurent dans le prochain e-mail, en moins d’une demi-journée.`,
    usedUp: "Vous l’avez demandé deux fois. Si rien n’arrive, vérifiez l’adresse.",
    correct: "L’adresse est erronée ?",
    correctButton: "Envoyer plutôt là",
    confirmedTitle: "Confirmé",
    confirmed: "C’est fait.",
    see: "Voir l’alerte",
    overTitle: "Ce lien ne fonctionne plus",
    over: "Il a expiré, la demande a été retirée ou envoyée à une autre adresse. Rien n’a été publié ni envoyé par ce lien.",
    code: (code) => `Votre alerte aura le code ${code}.`,
  },
  findMine: {
    title: "Mes alertes",
    lead: "Indiquez l’adresse utilisée pour publier. Nous y envoyons le lien de chacune de vos alertes.",
    part: (part) => `Vous demandez la partie ${part} d’une longue liste d’alertes.`,
    button: "M’envoyer les liens",
    sent: (address) =>
      `Si des alertes ont été publiées avec ${address}, leurs liens sont en route vers cette adresse.`,
  },
  edit: {
    title: "Modifier votre alerte",
    button: "Enregistrer",
    back: "Revenir sans rien changer",
    link: "Modifier texte, photos ou lieu",
    hint: "La nouvelle version est visible de tous aussitôt.",
    saved: "Enregistré.",
    savedWithout: "Enregistré. Une partie du texte a été retirée : voir plus bas.",
  },
  outcome: {
    title: "Comment est-il rentré ?",
    lead: "Deux réponses qui aideront d’autres familles. Rien n’y permet de vous identifier.",
    how: "De quelle façon",
    ways: {
      came_back: "Revenu par ses propres moyens",
      searched: "Je l’ai trouvé en cherchant",
      told_by_neighbour: "Un voisin m’a prévenu",
      poster: "Grâce à une affiche",
      this_site: "Grâce à ce site",
      shelter_or_vet: "Grâce à un refuge ou un vétérinaire",
      other: "Autrement",
    },
    distance: "À quelle distance était-il ?",
    distances: {
      under_100_m: "moins de 100 m",
      under_500_m: "moins de 500 m",
      under_2_km: "moins de 2 km",
      under_10_km: "moins de 10 km",
      farther: "plus loin",
    },
    unsaid: "Je préfère ne pas le dire",
    button: "Répondre",
    thanks: "Merci !",
  },
  contact: {
    title: {
      owner: "Écrire à la famille",
      finder: "Écrire à la personne qui l’a trouvé",
      shelter: "Écrire au refuge",
    },
    hidden: (reader) =>
      `${reader} reçoit votre nom et votre message, mais pas votre adresse. Nous vous transmettons les réponses par e-mail.`,
    name: "Votre nom",
    emailHint: "Nous y envoyons un lien. Votre message part dès que vous le confirmez par ce lien.",
    message: "Votre message",
    messageHint: {
      lost: "Quand et où l’avez-vous vu\u202f?",
      found:
        "Comment savez-vous que c’est le vôtre\u202f? Décrivez ses marques, son collier ou des habitudes que seule sa famille connaît.",
    },
    beware:
      "N’envoyez jamais d’argent à l’avance et ne transmettez jamais un code que quelqu’un vous demande.",
    closed: "Cet animal est rentré chez lui\u202f: son alerte ne reçoit plus de messages.",
    nobody:
      "Cette alerte ne reçoit pas de messages\u202f: elle n’a pas de propriétaire sur ce serveur.",
  },
  subscribe: {
    title: "Recevoir les alertes d’une zone",
    lead: "Nous vous écrivons quand une nouvelle alerte y paraît. Vous pouvez arrêter à tout moment.",
    which: "Plusieurs lieux portent ce nom. Lequel\u202f?",
    radius: "Rayon",
    label: "Un nom pour cette zone",
    labelHint: "Visible par vous seulement, dans nos e-mails. Par exemple\u202f: Maison.",
    emailHint:
      "Nous y envoyons un lien. Les alertes commencent dès que vous le confirmez par ce lien.",
  },
  embed: {
    more: (site) => `Toutes les alertes sur ${site}`,
    wrong: "Cette liste ne peut pas s’afficher\u202f: son adresse contient une erreur.",
    title: "Pour votre propre site",
    text: "Affichez sur vos pages les dernières alertes autour de votre commune. Copiez ce code et mettez-y le nom de votre commune. La liste ne dépose aucun cookie et n’exécute aucun script\u202f:",
    filters: "Autres paramètres\u202f:",
    docs: "Toutes les adresses, avec leurs paramètres et des exemples\u202f:",
  },
};
