import type { poster as en } from "../en/poster.ts";

export const poster: typeof en = {
  poster: {
    link: "Imprimer une affiche",
    linkHint: "Avec un code QR et des languettes à détacher. Aucune coordonnée n’y figure.",
    title: "Affiche",
    lead: "Imprimez-la à 100\u202f%, en couleur ou en noir et blanc. Accrochez-la à hauteur des yeux, sous pochette transparente, près du lieu.",
    far: "La grande feuille se lit depuis une voiture\u202f: accrochez-la aux carrefours, face à la circulation.",
    print: "Imprimer",
    paper: "Papier",
    papers: { a4: "A4", letter: "Letter (États-Unis)" },
    sheet: "Feuille",
    sheets: { tear: "Avec languettes à détacher", far: "Lisible depuis une voiture" },
    preview: "La feuille",
    back: "Revenir à l’alerte",
    on: { lost: (day) => `Perdu le ${day}`, found: (day) => `Trouvé le ${day}` },
    near: (place) => `Lieu\u202f: ${place}`,
    call: {
      lost: "Vous l’avez vu\u202f? Dites-le-nous\u202f:",
      found: "Vous le connaissez\u202f? Dites-le-nous\u202f:",
    },
    scan: "Scannez le code ou ouvrez cette adresse. Sans compte.",
    over: {
      resolved: "Cet animal est rentré. Merci de retirer ses affiches\u202f!",
      expired:
        "Cette alerte est arrivée à son terme. La personne qui l’a publiée peut la prolonger par son lien privé\u202f; l’affiche sera alors de nouveau disponible.",
    },
  },
  sighting: {
    link: "J’ai vu cet animal",
    linkHint: "Indiquez le lieu et l’heure\u202f: cela aide tout de suite.",
    list: "Observations",
    unproven: "Ce que l’on nous a dit\u202f; il peut s’agir d’un autre animal.",
    near: (place, km) =>
      km === null ? place : `${place}, à environ ${km}\u00a0km du lieu de l’alerte`,
    alertHere: { lost: "Perdu ici", found: "Vu ici d’abord" },
    seenHere: "Vu",
    title: "J’ai vu cet animal",
    lead: "Merci de prendre le temps d’aider.",
    calm: "Ne le poursuivez pas et ne l’appelez pas\u202f: un animal effrayé fuit les inconnus. Une photo prise de loin aide.",
    place: "Où l’avez-vous vu\u202f?",
    when: "Quand l’avez-vous vu\u202f?",
    now: "Maintenant",
    hoursAgo: (hours) => `Il y a ${hours}\u00a0h`,
    daysAgo: (days) => (days === 1 ? `Il y a ${days} jour` : `Il y a ${days} jours`),
    note: "Qu’avez-vous vu\u202f?",
    noteHint:
      "Dans quelle direction il est parti, s’il semblait blessé. Texte public\u202f: les numéros de téléphone, les adresses e-mail et les liens sont retirés, les adresses postales ne le sont pas.",
    email: "Votre adresse e-mail",
    emailHint:
      "Jamais montrée. Nous y envoyons un lien\u202f; votre signalement est publié dès que vous le confirmez par ce lien.",
    button: "Continuer",
    closed: {
      home: "Cet animal est rentré chez lui\u202f: plus personne n’a besoin de le chercher.",
      held: "Quelqu’un s’occupe de cet animal\u202f: personne n’a besoin de le chercher.",
    },
  },
};
