import type { manage as en } from "../en/manage.ts";

export const manage: typeof en = {
  manage: {
    title: "Gérer mon alerte",
    private:
      "Gardez l’adresse de cette page pour vous\u202f: toute personne qui la possède peut clore ou supprimer votre alerte.",
    see: "Voir la page publique",
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
      dead: "Les e-mails à votre adresse nous sont revenus, nous avons donc cessé d’en envoyer\u202f: vous ne recevez plus ni messages, ni signalements, ni correspondances. Si votre boîte fonctionne, essayons à nouveau.",
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
    move: {
      resolve: {
        lost: {
          button: "Mon animal est rentré",
          hint: "Clôt l’alerte avec cette bonne nouvelle.",
        },
        found: {
          button: "Il a retrouvé sa famille",
          hint: "Clôt l’alerte avec cette bonne nouvelle.",
        },
      },
      renew: {
        lost: {
          button: "Prolonger l’alerte",
          hint: "Toujours pas rentré\u202f: l’alerte repart à partir d’aujourd’hui.",
        },
        found: {
          button: "Prolonger l’alerte",
          hint: "Personne ne l’a encore réclamé\u202f: l’alerte repart à partir d’aujourd’hui.",
        },
      },
      reopen: {
        lost: {
          button: "Rouvrir l’alerte",
          hint: "Perdu de nouveau, ou alerte close par erreur.",
        },
        found: { button: "Rouvrir l’alerte", hint: "Si elle a été close par erreur." },
      },
      remove: {
        lost: { button: "Supprimer l’alerte", hint: "L’efface définitivement." },
        found: { button: "Supprimer l’alerte", hint: "L’efface définitivement." },
      },
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
      "«\u202f[removed]\u202f» remplace un numéro de téléphone, une adresse e-mail, un lien ou autre chose de ce genre.",
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
    replyHint:
      "Les numéros de téléphone, les adresses e-mail et les liens sont retirés, les adresses postales ne le sont pas.",
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
    zoneButton: "Arrêter ces e-mails",
    remindersButton: "Arrêter ces rappels",
    matchesTitle: "Arrêter les e-mails sur les correspondances de cette alerte\u202f?",
    matchesText: "Sa page continue de montrer les alertes qui pourraient être le même animal.",
    matchesButton: "Arrêter ces e-mails",
    allMatchesTitle: "Arrêter les e-mails sur les correspondances de toutes vos alertes\u202f?",
    allMatchesText:
      "Leurs pages continuent de montrer les alertes qui pourraient être le même animal.",
    allMatchesButton: "Arrêter ces e-mails",
    endedTitle: "Ces e-mails sont arrêtés",
    ended: "Vous n’en recevrez plus.",
  },
};
