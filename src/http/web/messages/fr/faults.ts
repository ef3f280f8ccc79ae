import type { faults as en } from "../en/faults.ts";

export const faults: typeof en = {
  trouble: {
    heading: "Il reste quelque chose à revoir",
  },
  fieldFault: {
    missing: "ce champ est vide",
    empty: "ce champ est vide",
    not_valid: "vérifiez ce champ",
    other_type: "vérifiez ce champ",
    number: "indiquez un nombre",
    whole_number: "indiquez un nombre entier",
    text: "seul du texte est possible ici",
    twice: "ce champ a été envoyé plusieurs fois",
    wordless: "écrivez au moins un mot",
    choice: "choisissez une des options proposées",

    email: "indiquez une seule adresse, par exemple nom@example.org",
    alert_ref: "cela ne désigne aucune alerte",
    date: "indiquez un jour, par exemple 2026-11-21",
    time: "indiquez un jour, par exemple 2026-11-21",
    future: "cette date est dans le futur",
    second_time: "indiquez une seule heure",
    too_early: (day) => `pas avant le ${day}`,
    chip: "un numéro de puce compte 9, 10 ou 15 caractères",
    country: "indiquez deux lettres, par exemple FR",

    half_position: "choisissez le lieu encore une fois",
    no_centre: "indiquez aussi un lieu",
    cursor: "veuillez relancer la recherche\u202f: cette page appartient à une autre",
    cursor_of_newest: "veuillez relancer la recherche\u202f: cette page appartient à une autre",
    cursor_of_nearest: "veuillez relancer la recherche\u202f: cette page appartient à une autre",
    unknown_town:
      "nous n’avons pas trouvé cette commune\u202f; essayez la grande ville la plus proche",
    town_like: (towns) => `nous n’avons pas trouvé cette commune\u202f; peut-être ${towns}`,

    found_only: "seulement pour un animal trouvé",
    lost_cats_only: "seulement pour un chat perdu",
    photo_gone: "l’une d’elles n’est plus là\u202f; choisissez-la de nouveau",
    at_least: (limit) => `${limit} au minimum`,
    more_than: (limit) => `plus de ${limit}`,
    at_most: (limit) => `${limit} au maximum`,
    longest: (limit) => `${limit} caractères au maximum`,
    most_entries: (limit) => `${limit} au maximum`,
  },
  fault: {
    title: {
      bad_input: "Cela n’a pas fonctionné",
      forbidden: "Ce n’est pas autorisé",
      not_found: "Page introuvable",
      bad_method: "Cela ne fonctionne pas ainsi",
      not_acceptable: "Cela ne fonctionne pas ainsi",
      conflict: "Ce n’est pas possible maintenant",
      gone: "Cette alerte n’existe plus",
      too_large: "C’était trop volumineux",
      bad_type: "Cela ne fonctionne pas ainsi",
      too_many: "Patientez un peu, s’il vous plaît",
      unavailable: "Nous revenons bientôt",
    },
    general: {
      bad_input: "Une partie n’a pas été comprise. Revenez en arrière et vérifiez votre saisie.",
      forbidden: "D’ici, ce n’est pas possible.",
      not_found: "Le lien est peut-être incomplet, ou la page a été supprimée.",
      bad_method: "Cette adresse ne s’utilise pas ainsi.",
      not_acceptable: "Cette adresse ne s’utilise pas ainsi.",
      conflict: "Quelque chose a changé entre-temps. Rechargez la page.",
      gone: "Cette page a été supprimée.",
      too_large: "C’est plus que nous ne pouvons recevoir en une fois.",
      bad_type: "Cette adresse ne s’utilise pas ainsi.",
      too_many: "Trop de demandes en peu de temps. Réessayez plus tard.",
      unavailable: "Réessayez dans quelques minutes.",
    },
    because: {
      nothing_here: "Cette page n’existe pas.",
      other_site: "Ce formulaire a été envoyé depuis un autre site.",
      forms_only: "Cette adresse ne s’utilise pas ainsi.",
      form_broken: "Ce formulaire est arrivé abîmé et n’a pas pu être lu.",

      code_unknown:
        "Aucune alerte ne porte ce code court. Il contient peut-être une faute de frappe.",
      alert_unknown: "Cette alerte n’existe pas. Le lien est peut-être incomplet.",
      alert_waiting:
        "Cette alerte n’est pas encore publique. Elle apparaîtra ici dès qu’elle aura été confirmée par le lien de notre e-mail.",
      alert_unconfirmed:
        "Cette alerte n’a jamais été publiée\u202f: elle n’a pas été confirmée par e-mail à temps.",
      alert_removed: "Cette alerte a été supprimée par la personne qui l’a publiée ou par nous.",
      alert_changed: "L’alerte vient de changer. Relisez-la.",
      alert_ended: "Une alerte terminée ne peut plus être modifiée.",
      not_home_yet: "Vous pourrez le dire quand l’animal sera rentré.",
      animal_home: "Cet animal est rentré chez lui\u202f; son alerte ne reçoit plus de messages.",
      no_owner:
        "Personne ne peut recevoir de message pour cette alerte\u202f: elle n’a pas de propriétaire sur ce serveur.",
      move_closed: "Dans son état actuel, l’alerte ne le permet pas.",

      link_dead: "Ce lien a expiré, ou il est incomplet.",
      link_unknown: "Ce lien n’est pas connu ici. Il est peut-être incomplet.",
      sent_twice: "Cet e-mail a déjà été envoyé deux fois, ou n’est plus nécessaire.",
      address_fixed: "L’adresse ne peut plus être changée. Faites plutôt une nouvelle demande.",
      sender_sightings_full:
        "Vous avez déjà publié autant de témoignages sur cet animal qu’une personne le peut en un jour. Confirmez de nouveau demain.",
      not_at_large:
        "Plus personne n’a besoin de chercher cet animal\u202f; vous ne pouvez plus signaler que vous l’avez vu.",
      ended_long_ago:
        "Cette alerte est terminée depuis longtemps\u202f; vous ne pouvez plus signaler que vous avez vu l’animal.",
      sender_messages_full:
        "Vous avez déjà envoyé autant de messages au sujet de cette alerte qu’une personne le peut en un jour. Confirmez de nouveau demain.",
      its_alert_removed: "L’alerte concernée a été supprimée.",

      conversation_erased: "Cette conversation a été effacée.",
      conversation_closed: "Cette conversation a été fermée\u202f: plus personne ne peut y écrire.",
      conversation_over:
        "Votre conversation au sujet de cette alerte a été fermée\u202f: l’autre personne ne reçoit plus de messages.",
      nobody_left: "Il n’y a plus personne de l’autre côté de cette conversation.",
      enough_for_today: "C’est assez pour aujourd’hui. Vous pourrez continuer demain.",

      busy: "Beaucoup de demandes arrivent en ce moment. Réessayez dans une minute.",
      request_slow: "La demande est arrivée trop lentement.",

      sign_in: "Connectez-vous, s’il vous plaît.",
      admin_link_spent: "Ce lien a déjà servi, ou ses 30 minutes sont passées.",

      photo_unknown: "Cette photo n’existe pas.",
      photo_empty: "Une photo est un fichier vide. Choisissez-en une autre.",
      photo_broken: "Une photo est illisible\u202f: son fichier est endommagé ou incomplet.",
      photo_heic:
        "Nous ne pouvons pas lire les photos HEIC et AVIF. Envoyez du JPEG, du PNG ou du WebP.",
      photo_type:
        "L’un des fichiers n’est pas une photo que nous pouvons lire. Envoyez du JPEG, du PNG, du WebP ou du GIF.",
      photos_wait:
        "Beaucoup de photos arrivent en ce moment. Revenez en arrière et renvoyez le formulaire dans une minute\u202f: votre navigateur a gardé ce que vous avez écrit.",
      photos_slow:
        "Les photos sont arrivées trop lentement. Revenez en arrière et envoyez-en moins, ou de plus petites\u202f; vous pouvez aussi publier sans photo et en ajouter plus tard.",
      photos_not_kept:
        "Nous ne pouvons pas conserver de photos en ce moment. Réessayez dans une minute.",
      photos_too_large: (mb) =>
        `Les photos sont trop lourdes ensemble\u202f: ${mb} Mo au maximum. Choisissez-en moins, ou de plus petites.`,
      photo_too_large: (mb) => `Une photo dépasse ${mb} Mo.`,
      photo_too_wide: (megapixels) => `Une photo dépasse ${megapixels} millions de pixels.`,
      request_too_large: "C’est plus que nous ne pouvons recevoir en une fois.",
      zones_full: (count) =>
        `Vous recevez déjà les alertes de ${count} zones, le maximum. Arrêtez-en une, puis confirmez de nouveau.`,
      too_often: (minutes) =>
        `Trop de demandes en peu de temps. Réessayez dans ${minutes} minute${minutes > 1 ? "s" : ""}.`,
      too_often_just_now: (seconds) =>
        `Trop de demandes en peu de temps. Réessayez dans ${seconds} seconde${seconds > 1 ? "s" : ""}.`,
    },
    bugTitle: "Quelque chose s’est mal passé",
    bugText: (request) =>
      `C’était notre erreur, pas la vôtre. Nous en avons pris note sous le numéro ${request}\u202f; réessayez plus tard, s’il vous plaît.`,
    home: "Voir les dernières alertes",
  },
};
