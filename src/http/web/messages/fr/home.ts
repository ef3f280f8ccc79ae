import type { home as en } from "../en/home.ts";

const NUMBER = new Intl.NumberFormat("fr-FR");
const PERCENT = new Intl.NumberFormat("fr-FR", { style: "percent" });

export const home: typeof en = {
  home: {
    title: "Animaux perdus et trouvés",
    lead: "Les animaux perdus et trouvés près de chez vous. Gratuit, sans compte, et vos coordonnées ne sont jamais affichées.",
    lost: "J’ai perdu mon animal",
    found: "J’ai trouvé un animal",
    firstSteps: "Que faire en premier\u202f:",
    guides: { cat: "chat perdu", dog: "chien perdu", found: "animal trouvé" },
    search: "Chercher dans les alertes",
    place: "Commune ou code postal",
    nearMe: "Près de moi",
    radius: "Dans un rayon de",
    km: (km) => `${km}\u00a0km`,
    query: "Nom, race ou couleur",
    since: "Publiées depuis le",
    sort: "Ordre",
    sorts: { newest: "Les plus récentes d’abord", nearest: "Les plus proches d’abord" },
    button: "Chercher",
    newest: "Dernières alertes",
    fitting: "Alertes qui correspondent",
    around: (km, town) => `Alertes à moins de ${km}\u00a0km ${from(town)}`,
    besides: (town, city) => `${town} (près de\u202f: ${city})`,
    meant: "Pensiez-vous à un autre lieu\u202f?",
    unread: (part, town) =>
      `Nous n’avons pas trouvé «\u202f${part}\u202f»\u202f: voici ce qui concerne ${town}.`,
    unknown: (place) => `Nous n’avons pas trouvé «\u202f${place}\u202f».`,
    unknownHint: "Essayez la grande ville la plus proche, ou ajoutez le pays\u202f: Lyon, France.",
    away: (km) => `à ${NUMBER.format(km)}\u00a0km`,
    close: "Fermer",
    readAs: (word, known) =>
      `Aucune alerte ne contient «\u202f${word}\u202f»\u202f: voici celles avec «\u202f${known}\u202f».`,
    withoutWords: (words) => `Chercher sans «\u202f${words}\u202f»`,
    without: {
      species: "Chercher tous les animaux",
      type: "Chercher les animaux perdus et trouvés",
      since: "Chercher sans la date",
      near: "Chercher partout",
      words: "Chercher sans les mots",
      filters: "Chercher seulement les mots",
    },
    noneFit: "Aucune alerte ne correspond. Essayez avec moins de mots.",
    noneNear: (km, town) => `Aucune alerte dans un rayon de ${km}\u00a0km autour ${from(town)}.`,
    wider: (km) => `Chercher à ${km}\u00a0km`,
    everywhere: "Chercher partout",
    watch: "Recevoir les nouvelles alertes par e-mail",
    watchAny: "Recevoir les alertes d’une zone",
    none: "Il n’y a pas encore d’alerte.",
    showAll: "Voir toutes les alertes",
    older: "Alertes plus anciennes",
    farther: "Alertes plus éloignées",
    total: ({ count, isMore }) =>
      isMore
        ? `Plus de ${NUMBER.format(count)} alertes`
        : `${NUMBER.format(count)} ${count === 1 ? "alerte" : "alertes"}`,
    feed: (site) => `${site}\u202f: dernières alertes`,
    assistant: "Avec un assistant IA",
    assistantText:
      "Un assistant peut chercher et écrire pour vous\u202f; vous confirmez tout par e-mail. Connectez-le à notre serveur MCP, sans compte\u202f:",
    more: "Comment le connecter",
  },
  alert: {
    on: { lost: "Perdu le", found: "Trouvé le" },
    where: { lost: "Perdu près de", found: "Trouvé près de" },
    position: "Lieu affiché à environ 1\u00a0km près.",
    photo: (count) => `Photo ${count}`,
    contactHint: "Votre adresse reste cachée, celle de l’autre personne aussi.",
    homeAgain: "De retour à la maison\u202f!",
    homeAgainText: {
      lost: "Cet animal est rentré chez lui.",
      found: "Cet animal a retrouvé sa famille.",
    },
    takeDown: "Vous venez d’une affiche\u202f? Merci de la retirer.",
    map: { lost: "Carte\u202f: où il a été perdu", found: "Carte\u202f: où il a été trouvé" },
    around: (town) => `Nouvelles alertes\u202f: ${town} et alentours`,
    shareButton: "Partager",
    copy: "Copier le lien",
    copied: "Le lien est copié.",
    copyFailed: "Le lien n’a pas pu être copié.",
    expired: "Alerte terminée",
    expiredText: "L’alerte est arrivée à son terme, mais vous pouvez encore écrire.",
    share: "Partager cette alerte",
    shareHint: "Scannez le code, ou transmettez le lien court.",
    qr: (link) => `Code QR pour ${link}`,
    published: (day) => `Publiée le ${day}.`,
    runs: (day) => `En ligne jusqu’au ${day}.`,
  },
  matches: {
    title: {
      lost: "Animaux trouvés qui pourraient être celui-ci",
      found: "Animaux perdus qui pourraient être celui-ci",
    },
    hint: "Le pourcentage est notre estimation des chances que ce soit le même animal. Merci de comparer par vous-même.",
    score: (percent) => `${PERCENT.format(percent / 100)} de chances que ce soit le même animal`,
    sameChip:
      "Les deux alertes portent le même numéro de puce. Vous êtes les deux seules personnes à le savoir.",
    pairTitle: "Est-ce le même animal\u202f?",
    mine: "Votre alerte",
    other: "L’autre alerte",
    otherGone: "L’autre alerte a été supprimée.",
    mineGone: "Votre alerte a été supprimée.",
    notMine: "Non, pas le même animal",
    notMineHint: "Vous ne recevrez plus d’e-mails à ce sujet, ni vous ni l’autre personne.",
    ended: "Merci. Vous ne recevrez plus d’e-mails à ce sujet, ni vous ni l’autre personne.",
  },
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
    list: "Témoignages",
    unproven: "Communiqué par des visiteurs\u202f; il peut s’agir d’un autre animal.",
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
    noteHint: "Dans quelle direction il est parti, s’il semblait blessé.",
    emailHint:
      "Jamais montrée. Nous y envoyons un lien\u202f; votre témoignage est publié dès que vous le confirmez par ce lien.",
    closed: {
      home: "Cet animal est rentré chez lui\u202f: plus personne n’a besoin de le chercher.",
      held: "Quelqu’un s’occupe de cet animal\u202f: personne n’a besoin de le chercher.",
    },
  },
};

/** "de Lyon", "d’Annecy", "du Mans", "des Arcs". */
function from(town: string): string {
  if (town.startsWith("Le ")) return `du ${town.slice(3)}`;
  if (town.startsWith("Les ")) return `des ${town.slice(4)}`;
  return /^[aeiouyàâäéèêëîïôöùûü]/i.test(town) ? `d’${town}` : `de ${town}`;
}
