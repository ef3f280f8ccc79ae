import type { manage as en } from "../en/manage.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 0 || count === 1 ? one : many}`;

export const manage: typeof en = {
  manage: {
    title: "Gérer mon alerte",
    private:
      "Gardez l’adresse de cette page pour vous\u202f: toute personne qui la possède peut clore ou supprimer votre alerte.",
    see: "Voir la page publique",
    onlyYou: "Cette réponse n’est visible que par vous.",
    chipTitle: "Une alerte porte le même numéro de puce",
    chipText:
      "Vous et la personne qui l’a publiée êtes les seules à le savoir. Un numéro peut être mal recopié, et n’importe qui peut en indiquer un\u202f: comparez avant de remettre quoi que ce soit.",
    hidden:
      "La modération a masqué cette alerte. Personne d’autre ne la voit tant qu’elle n’est pas rétablie.",
    messages: (count) => `Messages (${count})`,
    moreMessages: "Autres messages",
    firstMessages: "Revenir aux premiers messages",
    status: {
      active: (day) => `Active\u202f: tout le monde peut la voir jusqu’au ${day}.`,
      resolved: () => "De retour à la maison. L’alerte est close.",
      expired: () => "Terminée\u202f: elle n’apparaît plus dans les recherches.",
    },
    emailsStopped: {
      dead: "Les e-mails à votre adresse nous sont revenus, nous avons donc cessé d’en envoyer\u202f: vous ne recevez plus ni messages, ni témoignages, ni correspondances. Si votre boîte fonctionne, essayons à nouveau.",
      complained:
        "Votre fournisseur de messagerie nous a signalé qu’un de nos e-mails a été marqué comme indésirable. Vous ne recevez plus de rappels ni d’e-mails sur les correspondances\u202f; les messages vous parviennent toujours.",
      button: "M’envoyer à nouveau des e-mails",
    },
    done: {
      resolve: "Quelle joie\u202f! L’alerte dit maintenant que l’animal est rentré.",
      renew: "L’alerte est prolongée.",
      reopen: "L’alerte est de nouveau active.",
      emails: "Nous envoyons à nouveau des e-mails à votre adresse.",
    },
    backHome: { lost: "Mon animal est rentré", found: "Il a retrouvé sa famille" },
    move: { renew: "Prolonger l’alerte", reopen: "Rouvrir l’alerte", remove: "Supprimer l’alerte" },
    moveHint: {
      resolve: "Clôt l’alerte avec cette bonne nouvelle.",
      renew: "La durée de l’alerte repart d’aujourd’hui.",
      reopen: "Si elle a été close par erreur, ou si l’animal est de nouveau perdu.",
      remove: "L’efface définitivement.",
    },
    removeTitle: "Supprimer cette alerte\u202f?",
    removeText:
      "Sa page, son texte et tous les messages à son sujet sont effacés aussitôt. On ne peut pas revenir en arrière.",
    removeBetter:
      "Si l’animal est rentré, dites-le plutôt\u202f: les personnes qui ont cherché avec vous s’en réjouiront.",
    removeButton: "Oui, la supprimer",
    keep: "Non, la garder",
    removedTitle: "Votre alerte n’existe plus",
    removed: "Son texte, votre adresse et tous les messages à son sujet sont effacés.",
  },
  conversation: {
    title: "Conversation",
    you: "Vous",
    owner: { owner: "La famille", finder: "La personne qui l’a trouvé", shelter: "Le refuge" },
    stranger: "L’autre personne",
    gone: "L’alerte a été supprimée.",
    homeAgain: "Cet animal est rentré chez lui.",
    removed:
      "«\u202f[removed]\u202f» remplace un numéro de téléphone, une adresse e-mail, un lien ou d’autres coordonnées.",
    closed: "On ne peut plus répondre ici.",
    closedByOne: "Cette conversation a été fermée.",
    close: "Fermer cette conversation",
    closeTitle: "Fermer cette conversation\u202f?",
    closeText: {
      owner:
        "Plus personne ne pourra écrire ici, et l’autre personne ne pourra plus vous écrire au sujet de cette alerte. Elle voit que la conversation a été fermée. C’est irréversible.",
      stranger:
        "Plus personne ne pourra écrire ici, et vous ne pourrez plus écrire au sujet de cette alerte depuis la même adresse. L’autre personne voit que la conversation a été fermée. C’est irréversible.",
    },
    closeButton: "Oui, la fermer",
    keep: "Non, la laisser ouverte",
    reply: "Votre réponse",
    button: "Envoyer",
    hidden: "L’autre personne ne voit pas votre adresse, et vous ne voyez pas la sienne.",
    beware:
      "N’envoyez jamais d’argent à l’avance et ne transmettez jamais de code, quelle que soit la raison donnée\u202f: c’est une arnaque courante.",
    erased: "Tous les messages sont effacés 30 jours après la fin de l’alerte.",
  },
  unsubscribe: {
    zoneTitle: "Arrêter les e-mails de cette zone\u202f?",
    zonesTitle: "Arrêter les e-mails de ces zones\u202f?",
    zonesText: "Vous pouvez aussi arrêter les e-mails d’une seule d’entre elles\u202f:",
    zonesButton: "Les arrêter pour toutes ces zones",
    zoneAlone: "Arrêter les e-mails de cette zone seulement",
    remindersTitle: "Arrêter les rappels pour cette alerte\u202f?",
    remindersText:
      "L’alerte elle-même ne change pas. Si vous ne la prolongez pas, elle se terminera à la date prévue.",
    button: "Arrêter ces e-mails",
    matchesTitle: "Arrêter les e-mails sur les correspondances de cette alerte\u202f?",
    matchesText: "Sa page continue de montrer les alertes qui pourraient être le même animal.",
    allMatchesTitle: "Arrêter les e-mails sur les correspondances de toutes vos alertes\u202f?",
    allMatchesText:
      "Leurs pages continuent de montrer les alertes qui pourraient être le même animal.",
    endedTitle: "Ces e-mails sont arrêtés",
    ended: "Vous n’en recevrez plus.",
  },
  erase: {
    link: "Effacer mes données",
    title: "Effacer vos données",
    lead: "Indiquez votre adresse e-mail. Si nous avons des données à votre sujet, nous vous envoyons un lien vers une page qui les montre et permet de les effacer.",
    send: "M’envoyer le lien",
    sent: (address) =>
      `Si nous avons des données pour ${address}, un lien est en route. Il ne sert qu’une fois, dans les 48 heures.`,
    askTitle: "Effacer toutes vos données\u202f?",
    ask: (address) => `Voici les données que nous avons pour ${address}\u202f:`,
    parts: {
      alerts: (count) => counted(count, "alerte", "alertes"),
      photos: (count) => counted(count, "photo", "photos"),
      sightings: (count) =>
        counted(count, "témoignage sur votre animal", "témoignages sur vos animaux"),
      conversations: (count) => counted(count, "conversation", "conversations"),
      messages: (count) => counted(count, "message", "messages"),
      zones: (count) => counted(count, "zone d’alertes", "zones d’alertes"),
      requests: (count) =>
        counted(count, "demande en attente de confirmation", "demandes en attente de confirmation"),
      letters: (count) => counted(count, "e-mail pas encore envoyé", "e-mails pas encore envoyés"),
      moderation: (count) =>
        counted(
          count,
          "trace de votre travail de modération",
          "traces de votre travail de modération",
        ),
    },
    forGood:
      "Tout est effacé aussitôt, les conversations aussi pour les personnes avec qui vous avez échangé. On ne peut pas revenir en arrière.",
    button: "Oui, tout effacer",
    keep: "Non, tout garder",
    until: (moment) => `Le lien fonctionne jusqu’au ${moment}.`,
    nothingTitle: "Il n’y a rien à effacer",
    nothing: "Nous n’avons plus de données pour votre adresse.",
    doneTitle: "C’est effacé",
    done: "Nous avons effacé\u202f:",
    limitsTitle: "Ce qui ne sera pas effacé",
    limits: {
      unknown:
        "Les animaux vus et les abus que vous avez signalés. Aucune adresse n’y est jointe\u202f: nous ne pouvons pas savoir qu’ils viennent de vous.",
      ended: (days) =>
        `Les alertes terminées depuis plus de ${days} jours. Votre adresse en a alors été effacée.`,
      report: "Pour en faire supprimer une, signalez-la sur sa page.",
      address:
        "L’adresse de la page d’une alerte, qui peut contenir le nom de l’animal, et sa zone d’environ 1\u00a0km\u202f: ils restent, pour qu’une affiche imprimée ne mène jamais à un autre animal.",
      arrived:
        "Les e-mails déjà arrivés\u202f: ils sont dans les boîtes des personnes qui les ont reçus.",
      backups: (days) =>
        `Les copies de sauvegarde, jusqu’à leur suppression. Pour qu’aucune ne fasse revenir ce que vous avez effacé, une empreinte chiffrée de votre adresse reste ${days} jours.`,
      marks: (days) =>
        `D’autres empreintes chiffrées de votre adresse\u202f: celles des demandes confirmées disparaissent en ${days} jours. Une empreinte reste si vous nous avez demandé de ne plus écrire, ou si la modération a bloqué l’adresse, pour respecter ce choix.`,
    },
  },
};
