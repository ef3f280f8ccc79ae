import { LOCALES } from "../../../../core/locale.ts";
import type { shared as en } from "../en/shared.ts";

export const shared: typeof en = {
  ...LOCALES.fr,
  language: "fr",
  ownName: "Français",
  named: (headline, name) => `${headline}\u202f: ${name}`,
  errorTitle: (title) => `À vérifier\u202f: ${title}`,
  continue: "Continuer",

  type: { lost: "Perdu", found: "Trouvé" },
  species: { dog: "Chien", cat: "Chat", bird: "Oiseau", other: "Autre animal" },
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
    unknown: "non connu",
  },
  goesOutside: { never: "jamais", sometimes: "parfois", often: "souvent", unknown: "non connu" },
  contactKind: {
    phone: "un numéro de téléphone",
    email: "une adresse e-mail",
    link: "un lien",
    coordinates: "une position exacte",
    handle: "un nom de compte",
    payment: "des coordonnées de paiement",
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
    goesOutside: "Votre chat sort-il d’habitude\u202f?",
    goesOutsideHint:
      "Jamais affiché. Un chat d’intérieur est le plus souvent retrouvé plus près de chez lui.",
    city: "Commune",
    message: "Message",
    note: "Remarque",
    email: "Votre adresse e-mail",
    species: "Animal",
    anySpecies: "Tous",
    type: "Perdu ou trouvé",
    anyType: "Les deux",
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
    typed: "Commune, quartier ou code postal.",
    orMap:
      "Ou touchez la carte. Le lieu exact n’est jamais conservé : chacun voit une zone d’environ 1 km.",
  },

  removed: {
    heading: "Nous avons retiré quelque chose",
    text: "Nous retirons des alertes et des messages les numéros de téléphone, les adresses e-mail, les liens et autres coordonnées. «\u202f[removed]\u202f» remplace désormais\u202f:",
    hint: "Les numéros de téléphone, les adresses e-mail et les liens sont retirés, les adresses postales ne le sont pas.",
    publicHint:
      "Texte public\u202f: les numéros de téléphone, les adresses e-mail et les liens sont retirés\u202f; une adresse postale reste, n’indiquez donc pas la vôtre.",
  },
};
