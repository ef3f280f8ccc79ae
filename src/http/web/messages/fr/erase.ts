import type { erase as en } from "../en/erase.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 0 || count === 1 ? one : many}`;

export const erase: typeof en = {
  erase: {
    link: "Tout effacer à votre sujet",
    title: "Tout effacer à votre sujet",
    lead: "Indiquez votre adresse e-mail. Si nous avons des données à votre sujet, nous vous envoyons un lien vers une page qui les montre et permet de les effacer.",
    email: "Votre adresse e-mail",
    send: "M’envoyer le lien",
    sentTitle: "Consultez vos e-mails",
    sent: (address) =>
      `Si quelque chose est gardé sous ${address}, un lien est en route. Il ne sert qu’une fois, dans les 48 heures.`,
    askTitle: "Effacer tout cela\u202f?",
    ask: (address) => `Voici ce qui est gardé sous ${address}\u202f:`,
    parts: {
      alerts: (count) => counted(count, "alerte", "alertes"),
      photos: (count) => counted(count, "photo", "photos"),
      sightings: (count) =>
        counted(count, "signalement de votre animal", "signalements de vos animaux"),
      conversations: (count) => counted(count, "conversation", "conversations"),
      messages: (count) => counted(count, "message", "messages"),
      zones: (count) => counted(count, "zone que vous surveillez", "zones que vous surveillez"),
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
    nothing: "Plus rien n’est gardé sous votre adresse.",
    doneTitle: "C’est effacé",
    done: "Voici ce qui était gardé sous votre adresse et qui est effacé\u202f:",
    limitsTitle: "Ce qui ne sera pas effacé",
    limits: {
      unknown:
        "Les animaux vus et les abus que vous avez signalés. Aucune adresse n’y est jointe\u202f: nous ne pouvons pas savoir qu’ils viennent de vous.",
      ended: (days) =>
        `Les alertes terminées depuis plus de ${days} jours. Votre adresse en a alors été effacée.`,
      report: "Pour en faire supprimer une, signalez-la sur sa page.",
      address:
        "L’adresse de la page d’une alerte, qui peut contenir le nom de l’animal, et son secteur d’environ 1\u00a0km\u202f: ils restent, pour qu’une affiche imprimée ne mène jamais à un autre animal.",
      arrived:
        "Les e-mails déjà arrivés\u202f: ils sont dans les boîtes des personnes qui les ont reçus.",
      backups: (days) =>
        `Les copies de sauvegarde, jusqu’à leur suppression. Pour qu’aucune ne fasse revenir ce que vous avez effacé, une empreinte chiffrée de votre adresse reste ${days} jours.`,
      marks: (days) =>
        `D’autres empreintes chiffrées de votre adresse\u202f: celles des demandes confirmées disparaissent en ${days} jours. Une empreinte reste si vous nous avez demandé de ne plus écrire, ou si la modération a bloqué l’adresse, pour que cela tienne.`,
    },
  },
};
