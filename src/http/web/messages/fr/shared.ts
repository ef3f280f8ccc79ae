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
    payment: "un compte ou un portefeuille pour payer",
  },

  layout: {
    findMine: "Mes alertes",
    menu: "Menu principal",
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
  map: {
    label: "Carte des alertes",
    pick: "Carte : touchez l’endroit où c’est arrivé",
    zoomIn: "Agrandir",
    zoomOut: "Réduire",
    touchHint: "Déplacez la carte avec deux doigts.",
    noTiles: "La carte ne peut pas être chargée pour le moment. Tout fonctionne aussi sans elle.",
    locate: "Utiliser ma position",
    asking: "Recherche de votre position…",
    denied: "Position non autorisée. Indiquez plutôt la commune.",
    failed: "La position n’a pas pu être trouvée. Indiquez plutôt la commune.",
  },
  placeField: {
    town: "Commune",
    typed: "Nom d’une commune ou d’un lieu.",
    orMap:
      "Ou touchez la carte. Le lieu exact n’est jamais conservé : chacun voit une zone d’environ 1 km.",
  },

  removed: {
    heading: "Nous avons retiré quelque chose",
    text: "Nous retirons des alertes et des messages les numéros de téléphone, les adresses e-mail, les liens et autres choses de ce genre. «\u202f[removed]\u202f» remplace désormais\u202f:",
    entry: (field, kinds) => `${field}\u202f: ${kinds}`,
    fields: {
      name: "Nom",
      breed: "Race",
      color: "Couleur",
      description: "Description",
      city: "Commune",
      message: "Message",
      note: "Remarque",
    },
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
