import type { confirm as en } from "../en/confirm.ts";

export const confirm: typeof en = {
  confirm: {
    publish: {
      title: "Votre alerte, telle qu’elle paraîtra",
      lead: "Rien n’est encore public. Relisez-la, puis publiez-la au bas de la page.",
      preview: "Aperçu",
      edit: "Modifier d’abord",
      remote: (town: string, km: number) =>
        `Le repère est à ${km} km de la ville la plus proche, ${town}, peut-être en mer. Si c’est une erreur, déplacez-le sous « Modifier d’abord ».`,
      farFromCity: (city: string, town: string, km: number) =>
        `L’alerte indique ${city}, mais le repère est à ${km} km de là, près de ${town}. S’il est mal placé, déplacez-le sous « Modifier d’abord ».`,
      nameHint: "Laissez vide si vous ne savez pas.",
      button: "Publier cette alerte",
      doneTitle: "Votre alerte est en ligne",
      doneText: "Tout le monde peut la voir maintenant.",
      endedTitle: "Votre alerte a été publiée",
      goneTitle: "Votre alerte a été supprimée",
      gone: "Elle a été publiée quand vous l’avez confirmée, puis supprimée.",
      see: "Voir l’alerte",
      manage: "Gérer mon alerte",
      manageText:
        "Vous pouvez y indiquer que l’animal est rentré, prolonger l’alerte ou la supprimer. Gardez ce lien pour vous\u202f: toute personne qui le possède peut en faire autant. Il est aussi dans votre e-mail.",
      manageByEmail:
        "Le lien privé pour gérer l’alerte se trouve dans l’e-mail «\u202fVotre alerte est en ligne\u202f». Cette page ne l’affiche que pendant une heure après la confirmation.",
    },
    message: {
      title: "Votre message, tel qu’il sera envoyé",
      lead: {
        owner: "Il est destiné à la famille de cet animal\u202f:",
        finder: "Il est destiné à la personne qui a trouvé cet animal\u202f:",
        shelter: "Il est destiné au refuge\u202f:",
      },
      // "De" would become "d’" before a vowel, and a name may begin with anything.
      from: (name) => `Signé\u202f: ${name}`,
      unnamed: "Sans nom",
      hidden:
        "Votre adresse n’est pas transmise. Les réponses vous parviennent par e-mail, en passant par nous.",
      button: "Envoyer ce message",
      doneTitle: "Votre message est en route",
      doneText: "S’il y a une réponse, vous la recevrez par e-mail.",
      see: "Revenir à l’alerte",
    },
    zone: {
      title: "Alertes de cette zone",
      lead: "Nous vous écrirons quand une nouvelle alerte paraîtra ici\u202f:",
      where: "Où",
      button: "Recevoir ces e-mails",
      full: "Vous recevez déjà les alertes d’autant de zones qu’une adresse le permet. Arrêtez d’abord l’une de celles-ci, puis revenez sur cette page et confirmez\u202f:",
      doneTitle: "Votre zone est active",
      doneText: "Nous vous écrirons quand une nouvelle alerte y paraîtra.",
      end: "Ne plus recevoir ces e-mails",
      endByEmail: "Chaque e-mail de cette zone se termine par un lien pour ne plus en recevoir.",
      goneTitle: "Ces alertes sont arrêtées",
      gone: "Vous aviez confirmé cette zone, puis ses e-mails ont été arrêtés.",
    },
    sighting: {
      title: "Votre témoignage, tel qu’il paraîtra",
      lead: {
        told: "Il figurera sur la page de cette alerte, et la personne qui l’a publiée le recevra par e-mail\u202f:",
        untold: "Il figurera sur la page de cette alerte\u202f:",
      },
      hidden: "Votre adresse n’est pas transmise. Le lieu est affiché à 1\u00a0km près.",
      button: "Publier ce témoignage",
      doneTitle: "Merci\u202f: votre témoignage est publié",
      doneText:
        "Il figure maintenant sur la page de l’alerte, visible de toutes les personnes qui cherchent.",
    },
    othersTitle: "Attend aussi votre confirmation",
    others:
      "Ces demandes ont été faites avec votre adresse, par vous ou par d’autres. Rien ne se passe si vous ne les confirmez pas.",
    other: {
      publish: (code) => `Une alerte (${code})`,
      message: (code) => `Un message sur l’alerte ${code}`,
      zone: () => "Les alertes d’une zone",
      sighting: (code) => `Un animal vu, pour l’alerte ${code}`,
    },
    until: (moment) => `Vous pouvez utiliser cette page jusqu’au ${moment}.`,
    notMe: "Je n’ai rien demandé",
    expiredTitle: "Ce lien n’est plus valable",
    expired:
      "Les liens de nos e-mails fonctionnent pendant 48 heures. Rien n’a été publié ni envoyé.",
    expiredNext:
      "Si vous le souhaitez toujours, refaites la demande\u202f: vous recevrez un nouveau lien.",
    disowned: {
      title: "Rien ne se passera",
      text: "Vous nous avez dit que ce n’était pas vous. Nous avons effacé la demande.",
    },
  },
  notMe: {
    title: "Vous n’avez rien demandé\u202f?",
    text: "Quelqu’un nous a donné votre adresse, peut-être par erreur. Si vous appuyez sur le bouton, nous effaçons la demande et ne vous envoyons plus d’e-mails de confirmation.",
    ignore: "Vous pouvez aussi ne rien faire\u202f: sans vous, rien n’est publié ni envoyé.",
    button: "Pas moi\u202f: arrêter ces e-mails",
    late: "Cette demande a déjà été confirmée. Vous pouvez encore arrêter tous les prochains e-mails de confirmation.",
    stopped: {
      title: "C’est fait\u202f: ces e-mails sont arrêtés",
      text: "Nous avons effacé la demande et n’enverrons plus d’e-mails de confirmation à cette adresse.",
    },
    stoppedLate: {
      title: "C’est fait\u202f: ces e-mails sont arrêtés",
      text: "Nous n’enverrons plus d’e-mails de confirmation à cette adresse. Ce qui a déjà été confirmé ne change pas.",
    },
    change:
      "Vous voulez vous-même publier, écrire ou recevoir les alertes d’une zone\u202f? Autorisez de nouveau nos e-mails.",
    allow: "Autoriser ces e-mails",
    allowedTitle: "Ces e-mails sont de nouveau autorisés",
    allowed: "La demande effacée le reste. Si vous le souhaitez, refaites-la.",
  },
};
