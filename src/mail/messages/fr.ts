import { bySpecies, capitalize, LOCALES } from "../../core/locale.ts";
import type { EmailMessages } from "./messages.ts";

const NUMBER = new Intl.NumberFormat("fr");

const PETS = { dog: "chien", cat: "chat", bird: "oiseau", other: "animal" };
const THE_PETS = { dog: "le chien", cat: "le chat", bird: "l’oiseau", other: "l’animal" };
const THESE_PETS = { dog: "ce chien", cat: "ce chat", bird: "cet oiseau", other: "cet animal" };

export const fr: EmailMessages = {
  ...LOCALES.fr,
  subject: (title, headline, code) => `${title}\u00a0: ${headline} (${code})`,
  copyAddress: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:",
  neverACode:
    "Nous ne demandons jamais de code. Si quelqu’un vous en demande un, par e-mail, par message ou par téléphone, ne répondez pas.",
  beware:
    "N’envoyez jamais d’argent à l’avance et ne transmettez jamais de code, quelle que soit la raison donnée. Nous ne demandons jamais ni l’un ni l’autre.",
  footer: (site) =>
    `Envoyé par ${site}, répertoire public d’animaux perdus et trouvés. Merci de ne pas répondre à cet e-mail\u00a0: les réponses ne sont pas lues.`,

  confirm: {
    publish: {
      subject: (code) => `Merci de confirmer votre alerte (${code})`,
      title: "Encore une étape pour publier votre alerte",
      opening: (site, code) =>
        `Quelqu’un, sans doute vous, souhaite publier l’alerte ${code} sur ${site} et a indiqué cette adresse e-mail.`,
      next: "Ouvrez la page ci-dessous pour voir l’alerte telle qu’elle paraîtra, modifiez-la si vous le souhaitez, puis appuyez sur le bouton de cette page.",
      button: "Voir et confirmer mon alerte",
    },
    message: {
      subject: (code) => `Merci de confirmer votre message (alerte ${code})`,
      title: "Encore une étape pour envoyer votre message",
      opening: (site, code) =>
        `Quelqu’un, sans doute vous, souhaite envoyer un message au sujet de l’alerte ${code} sur ${site} et a indiqué cette adresse e-mail.`,
      next: "Ouvrez la page ci-dessous pour voir le message tel qu’il sera envoyé, puis appuyez sur le bouton de cette page.",
      button: "Voir et confirmer mon message",
    },
    zone: {
      subject: () => "Merci de confirmer votre zone",
      title: "Encore une étape pour recevoir les alertes de votre zone",
      opening: (site) =>
        `Quelqu’un, sans doute vous, souhaite que ${site} envoie à cette adresse e-mail les nouvelles alertes d’une zone.`,
      next: "Ouvrez la page ci-dessous pour voir la zone, puis appuyez sur le bouton de cette page.",
      button: "Voir et confirmer ma zone",
    },
    sighting: {
      subject: (code) => `Merci de confirmer votre témoignage (alerte ${code})`,
      title: "Encore une étape pour publier votre témoignage",
      opening: (site, code) =>
        `Quelqu’un, sans doute vous, souhaite indiquer sur ${site} où l’animal de l’alerte ${code} a été vu, et a donné cette adresse e-mail.`,
      next: "Ouvrez la page ci-dessous pour voir le témoignage tel qu’il paraîtra, puis appuyez sur le bouton de cette page.",
      button: "Voir et confirmer mon témoignage",
    },
    nothingYet: "Rien ne se passe tant que vous n’avez pas appuyé sur le bouton de cette page.",
    ends: (hours, moment) =>
      `Le lien fonctionne une seule fois, pendant ${hours === 1 ? "1 heure" : `${hours} heures`}\u00a0: jusqu’au ${moment}.`,
    ignore:
      "Si vous n’avez rien demandé, vous n’avez rien à faire\u00a0: rien ne sera publié ni envoyé.",
    notMe: "Ce n’était pas moi\u00a0: ne plus recevoir ces e-mails",
  },

  confirmations: {
    subject: (count) => `Merci de confirmer\u00a0: ${count} demandes vous attendent`,
    title: (count) => `${count} demandes vous attendent`,
    opening: (site) =>
      `Ces demandes ont été faites sur ${site} avec cette adresse e-mail. Certaines sont peut-être de vous, d’autres peuvent venir d’inconnus.`,
    next: "Ouvrez la page de chaque demande qui vient de vous et appuyez sur le bouton de cette page. Vous pouvez ignorer les autres.",
    ends: (hours, moment) =>
      `Chaque lien fonctionne une fois, pendant ${hours === 1 ? "1 heure" : `${hours} heures`}\u00a0: jusqu’au ${moment}.`,
  },

  live: {
    title: "Votre alerte est en ligne",
    opening: {
      lost: bySpecies(
        PETS,
        (pet) =>
          `Tout le monde peut désormais voir l’alerte pour votre ${pet} perdu. Nous espérons qu’il sera bientôt de retour.`,
      ),
      found: bySpecies(
        THE_PETS,
        (pet) =>
          `Tout le monde peut désormais voir l’alerte pour ${pet} que vous avez trouvé. Merci de l’aider à rentrer chez lui.`,
      ),
    },
    share: "Partagez-la le plus largement possible. Ces liens sont publics\u00a0:",
    page: "La page de l’alerte",
    shortLink: "Lien court, pour les messages et les affiches",
    qr: "Code QR, pour les affiches",
    manage: "Le lien ci-dessous ouvre votre page privée. Vous pouvez y\u00a0:",
    actions: [
      "lire les messages et y répondre",
      "modifier l’alerte et ses photos",
      "indiquer que l’animal est rentré chez lui",
      "prolonger l’alerte avant sa fin",
      "supprimer l’alerte",
    ],
    button: "Gérer mon alerte",
    keepPrivate:
      "Gardez cet e-mail pour vous\u00a0: toute personne qui possède ce lien peut modifier, clore ou supprimer votre alerte.",
    ends: (day) => `L’alerte reste en ligne jusqu’au ${day}. Nous vous écrirons avant sa fin.`,
  },

  link: {
    title: "Votre lien privé",
    opening: "Vous avez redemandé le lien privé de votre alerte. Le voici.",
    button: "Gérer votre alerte",
    ignore:
      "Vous ne l’avez pas demandé\u00a0? Vous n’avez rien à faire\u00a0: ce lien n’est envoyé qu’à votre adresse.",
    subjectMany: (count) => `Vos liens privés\u00a0: ${count} alertes`,
    titleMany: "Vos liens privés",
    openingMany:
      "Vous avez redemandé les liens privés de vos alertes. Les voici, de la plus récente à la plus ancienne.",
    keepPrivateMany:
      "Gardez cet e-mail pour vous\u00a0: toute personne qui possède ces liens peut modifier, clore ou supprimer vos alertes.",
    part: (part, parts, count) =>
      `Ceci est la partie ${part} sur ${parts}\u00a0: vous avez ${count} alertes, trop pour un seul e-mail.`,
    nextPart: "Recevoir la partie suivante",
  },

  admin: {
    title: "Votre accès à la modération",
    opening: (site) => `Vous avez demandé à ouvrir les pages de modération de ${site}.`,
    button: "Ouvrir la modération",
    ends: (moment) =>
      `Le lien fonctionne une seule fois, pendant 30 minutes\u00a0: jusqu’au ${moment}. Toute personne qui le possède peut modérer\u00a0: gardez cet e-mail pour vous.`,
  },

  erase: {
    title: "Effacer vos données",
    opening: (site) =>
      `Quelqu’un, sans doute vous, a demandé d’effacer toutes les données que ${site} conserve pour cette adresse e-mail.`,
    next: "Ouvrez la page ci-dessous pour voir ce qui est enregistré. Rien n’est effacé tant que vous n’avez pas appuyé sur le bouton de cette page.",
    button: "Voir ce qui serait effacé",
    keepPrivate:
      "Toute personne qui possède ce lien peut effacer vos alertes\u00a0: gardez cet e-mail pour vous.",
    ignore:
      "Vous ne l’avez pas demandé\u00a0? Vous n’avez rien à faire\u00a0: rien n’est effacé, et ce lien n’est envoyé qu’à votre adresse.",
  },

  message: {
    title: "Nouveau message",
    fromStranger: {
      lost: bySpecies(PETS, (pet) => `Quelqu’un vous a écrit au sujet de votre ${pet} perdu.`),
      found: bySpecies(
        PETS,
        (pet) => `Quelqu’un vous a écrit au sujet de votre alerte\u00a0: ${pet} trouvé.`,
      ),
    },
    fromOwner: {
      lost: bySpecies(THESE_PETS, (pet) => `La personne qui recherche ${pet} vous a écrit.`),
      found: bySpecies(THESE_PETS, (pet) => `La personne qui a trouvé ${pet} vous a écrit.`),
    },
    writes: (name) => `${name} vous écrit\u00a0:`,
    unnamed: "Le message\u00a0:",
    button: "Lire et répondre",
    hidden:
      "Répondez sur cette page, s’il vous plaît\u00a0: les réponses à cet e-mail ne sont pas transmises. L’autre personne ne voit pas votre adresse, et vous ne voyez pas la sienne.",
    beware:
      "N’envoyez jamais d’argent à l’avance et ne transmettez jamais de code\u00a0: demander un «\u00a0code de vérification\u00a0» est une arnaque courante.",
    removed: "«\u00a0[removed]\u00a0» remplace des coordonnées que nous avons retirées.",
    alert: "L’alerte\u00a0:",
  },

  sighting: {
    subject: "Aperçu",
    title: "Quelqu’un a peut-être vu votre animal",
    opening: "Quelqu’un a publié un témoignage sur la page de votre alerte.",
    seen: (town, km, moment) => {
      const where =
        km === null
          ? `Vu dans cette commune\u00a0: ${town}`
          : `Vu près de cette commune\u00a0: ${town}, à environ ${NUMBER.format(km)}\u00a0km du lieu de votre alerte`;
      return `${where}, le ${moment}.`;
    },
    adds: "Cette personne ajoute\u00a0:",
    unproven:
      "C’est peut-être un autre animal. Tout le monde peut voir ce témoignage sur la page de l’alerte.",
    button: "Voir le témoignage",
  },

  digest: {
    title: "Autres messages et témoignages",
    opening:
      "Vous avez reçu beaucoup d’e-mails au sujet de cette alerte aujourd’hui. Nous envoyons donc les nouveaux messages et témoignages ensemble, une fois par heure au plus.",
    moreOfOne: (count) =>
      count === 1
        ? "1 message précédent dans cette conversation."
        : `${NUMBER.format(count)} messages précédents dans cette conversation.`,
    moreConversations: (count) =>
      count === 1 ? "Et 1 autre conversation." : `Et ${NUMBER.format(count)} autres conversations.`,
    moreSightings: (count) =>
      count === 1 ? "Et 1 autre témoignage." : `Et ${NUMBER.format(count)} autres témoignages.`,
    button: "Voir toutes les conversations",
    buttonAlert: "Voir l’alerte",
  },

  zone: {
    subjectMany: (count) => `${count} nouvelles alertes dans votre zone`,
    titleOne: "Du nouveau dans votre zone",
    opening: "Du nouveau dans votre zone\u00a0:",
    openingNamed: (label) => `Du nouveau dans votre zone «\u00a0${label}\u00a0»\u00a0:`,
    openingMany: "Du nouveau dans vos zones\u00a0:",
    moreZones: (count) => (count === 1 ? "1 autre zone" : `${NUMBER.format(count)} autres zones`),
    seen: "Vous savez quelque chose\u00a0? Écrivez depuis la page de l’alerte\u00a0: chaque information compte.",
    more: (count) => (count === 1 ? "Et 1 autre alerte." : `Et ${count} autres alertes.`),
    buttonOne: "Voir l’alerte",
    buttonMany: "Voir toutes les alertes",
    why: "Vous recevez cet e-mail parce que vous êtes abonné aux alertes de cette zone.",
    whyMany: "Vous recevez cet e-mail parce que vous êtes abonné aux alertes de ces zones.",
    unsubscribe: "Ne plus recevoir d’e-mails sur cette zone",
    unsubscribeOne: (zone) => `Ne plus recevoir d’e-mails sur\u00a0: ${zone}`,
    unsubscribeAll: "Ne plus recevoir d’e-mails sur aucune de ces zones",
  },

  match: {
    title: "Correspondance possible",
    opening: {
      lost: "Quelqu’un a trouvé un animal qui pourrait être le vôtre\u00a0:",
      found: "Quelqu’un recherche un animal qui pourrait être celui que vous avez trouvé\u00a0:",
    },
    score: (percent) =>
      `Il y a environ ${percent}\u00a0% de chances que ce soit le même animal. Merci de vérifier par vous-même.`,
    reasons: "Les indices pour et contre\u00a0:",
    yours: "Votre alerte\u00a0:",
    button: "Comparer les deux",
    notMine:
      "Si ce n’est pas le même animal, dites-le sur cette page\u00a0: ni vous ni l’autre personne ne recevrez plus d’e-mails à ce sujet.",
    beware:
      "Demandez un détail que seule la bonne personne peut connaître. N’envoyez jamais d’argent à l’avance et ne transmettez jamais de code.",
    unsubscribe: "Ne plus recevoir d’e-mails sur les correspondances de cette alerte",
  },

  matchDigest: {
    subject: (count) =>
      count === 1
        ? "1 autre correspondance possible pour vos alertes"
        : `${count} autres correspondances possibles pour vos alertes`,
    opening:
      "Vous avez déjà reçu les e-mails séparés d’aujourd’hui sur les correspondances possibles. Celles-ci ont été trouvées depuis, les plus probables d’abord\u00a0:",
    pair: (percent, headline, code) =>
      `Environ ${percent}\u00a0% de chances que ce soit l’animal de votre alerte\u00a0: ${headline} (${code}).`,
    more: (count) =>
      count === 1
        ? "1 autre correspondance suivra dans le prochain e-mail de ce type."
        : `${count} autres correspondances suivront dans les prochains e-mails de ce type, un par jour au plus.`,
    unsubscribe: "Ne plus recevoir d’e-mails sur les correspondances d’aucune de mes alertes",
  },

  reminder: {
    title: (days) => `Votre alerte se termine dans ${days === 1 ? "1 jour" : `${days} jours`}`,
    opening: {
      lost: bySpecies(
        PETS,
        (pet) =>
          `Votre ${pet} n’est toujours pas rentré\u00a0? Prolongez l’alerte, cela ne prend qu’un instant.`,
      ),
      found: bySpecies(
        THE_PETS,
        (pet) =>
          `${capitalize(pet)} que vous avez trouvé attend toujours sa famille\u00a0? Prolongez l’alerte, cela ne prend qu’un instant.`,
      ),
    },
    orEnd:
      "De retour à la maison\u00a0? Quelle joie\u00a0! Indiquez-le sur la même page, pour que les recherches s’arrêtent.",
    ends: (moment) => `Si vous ne faites rien, l’alerte se termine le ${moment}.`,
    button: "Prolonger ou clore mon alerte",
    unsubscribe: "Ne plus recevoir de rappels pour cette alerte",
  },
};
