import type { shared as en } from "../en/shared.ts";

const DAY = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("fr-FR", { timeStyle: "short", timeZone: "UTC" });
const COUNTRY = new Intl.DisplayNames(["fr-FR"], { type: "region" });
const LIST = new Intl.ListFormat("fr-FR", { type: "conjunction" });

export const shared: typeof en = {
  language: "fr",
  ownName: "Français",
  day,
  moment: (time) => `${day(time)} à ${clock(time)} (UTC)`,
  country: (code) => COUNTRY.of(code) ?? code,
  place: (city, country) => `${city}, ${country}`,
  named: (headline, name) => `${headline}\u202f: ${name}`,
  pageTitle: (title, site) => `${title} – ${site}`,
  errorTitle: (title) => `À vérifier\u202f: ${title}`,
  and: (items) => LIST.format(items),

  type: { lost: "Perdu", found: "Trouvé" },
  species: { dog: "Chien", cat: "Chat", bird: "Oiseau", other: "Autre animal" },
  headline: {
    lost: { dog: "Chien perdu", cat: "Chat perdu", bird: "Oiseau perdu", other: "Animal perdu" },
    found: {
      dog: "Chien trouvé",
      cat: "Chat trouvé",
      bird: "Oiseau trouvé",
      other: "Animal trouvé",
    },
  },
  size: {
    small: "petite",
    medium: "moyenne",
    large: "grande",
    xlarge: "très grande",
    unknown: "non connue",
  },
  sex: { male: "mâle", female: "femelle", unknown: "non connu" },
  age: {
    baby: "bébé",
    young: "jeune",
    adult: "adulte",
    senior: "senior",
    unknown: "non connu",
  },
  custody: {
    finder: "chez la personne qui l’a trouvé",
    shelter: "dans un refuge",
    vet: "chez un vétérinaire",
    seen_only: "aperçu, mais pas attrapé",
    unknown: "on ne sait pas",
  },
  contactKind: {
    phone: "un numéro de téléphone",
    email: "une adresse e-mail",
    link: "un lien",
    coordinates: "une position exacte",
    handle: "un nom de compte",
  },

  frame: {
    skip: "Aller au contenu",
    languages: "Langue",
    about: "À propos",
    privacy: "À propos et vie privée",
    api: "API",
    footer: (site) => `${site} est un répertoire public d’animaux perdus et trouvés.`,
  },
  field: {
    name: "Nom",
    breed: "Race",
    color: "Couleur",
    size: "Taille",
    sex: "Sexe",
    age: "Âge",
    description: "Description",
    eventDate: "Date",
    custody: "Où il est maintenant",
    optional: "(facultatif)",
  },
  trouble: {
    heading: "Il reste quelque chose à revoir",
    entry: (label, message) => `${label}\u202f: ${message}`,
  },

  removed: {
    heading: "Nous avons retiré quelque chose",
    text: "Les alertes et les messages ne contiennent pas de coordonnées. «\u202f[removed]\u202f» remplace désormais\u202f:",
    entry: (field, kinds) => `${field}\u202f: ${kinds}`,
    fields: {
      name: "Nom",
      breed: "Race",
      color: "Couleur",
      description: "Description",
      city: "Ville",
      message: "Message",
    },
  },
  fault: {
    title: {
      bad_input: "Cela n’a pas fonctionné",
      forbidden: "Ce n’est pas autorisé",
      not_found: "Il n’y a rien ici",
      bad_method: "Cela ne fonctionne pas ainsi",
      not_acceptable: "Cela ne fonctionne pas ainsi",
      conflict: "Ce n’est pas possible maintenant",
      gone: "Cette alerte n’existe plus",
      too_large: "C’était trop volumineux",
      bad_type: "Cela ne fonctionne pas ainsi",
      too_many: "Patientez un peu, s’il vous plaît",
      unavailable: "Nous revenons bientôt",
    },
    goneText: "Elle a été supprimée par la personne qui l’a publiée ou par nous.",
    bugTitle: "Quelque chose s’est mal passé",
    bugText:
      "C’était notre erreur, pas la vôtre. Nous en avons pris note\u202f; réessayez plus tard, s’il vous plaît.",
    home: "Voir les dernières alertes",
  },
};

function day(time: number | string): string {
  const said = DAY.format(typeof time === "number" ? time : Date.parse(time));
  return said.replace(/^1 /, "1er ");
}

/** 07:30 as it is written in French. */
function clock(time: number): string {
  return TIME.format(time).replace(/^0/, "").replace(":", "\u00a0h\u00a0");
}
