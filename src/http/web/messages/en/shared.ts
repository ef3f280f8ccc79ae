import type { Language } from "../../../../core/alerts/alert.ts";
import { LOCALES } from "../../../../core/locale.ts";

/** Messages of all pages. */
export const shared = {
  ...LOCALES.en,
  language: "en" as Language,
  ownName: "English",
  named: (headline: string, name: string) => `${headline}: ${name}`,
  errorTitle: (title: string) => `Please check: ${title}`,
  continue: "Continue",

  type: { lost: "Lost", found: "Found" },
  species: { dog: "Dog", cat: "Cat", bird: "Bird", other: "Other animal" },
  size: {
    small: "small",
    medium: "medium",
    large: "large",
    xlarge: "very large",
    unknown: "not known",
  },
  sex: { male: "male", female: "female", unknown: "not known" },
  age: {
    baby: "baby",
    young: "young",
    adult: "adult",
    senior: "old",
    unknown: "not known",
  },
  custody: {
    finder: "with the person who found it",
    shelter: "at a shelter",
    vet: "at a vet",
    seen_only: "seen, not caught",
    unknown: "not known",
  },
  goesOutside: { never: "never", sometimes: "sometimes", often: "often", unknown: "not known" },
  contactKind: {
    phone: "a phone number",
    email: "an email address",
    link: "a link",
    coordinates: "exact coordinates",
    handle: "an account name",
    payment: "payment details",
  } as Record<string, string>,

  layout: {
    findMine: "My alerts",
    menu: "Main menu",
    skip: "Skip to content",
    languages: "Language",
    about: "About",
    privacy: "About & privacy",
    api: "API",
    footer: (site: string) => `${site} is a public directory of lost and found pets.`,
  },
  field: {
    name: "Name",
    breed: "Breed",
    color: "Colour",
    size: "Size",
    sex: "Sex",
    age: "Age",
    description: "Description",
    eventDate: "Date",
    custody: "Where it is now",
    goesOutside: "Does your cat go outside?",
    goesOutsideHint: "Never shown. A cat that stays indoors is usually found closer to home.",
    city: "Town",
    message: "Message",
    note: "Note",
    email: "Your email address",
    species: "Animal",
    anySpecies: "All",
    type: "Lost or found",
    anyType: "Both",
    optional: "(optional)",
  },
  map: {
    label: "Map of the alerts",
    pick: "Map: tap where it happened",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    touchHint: "Use two fingers to move the map.",
    noTiles: "The map can’t be loaded right now. Everything else still works.",
    locate: "Use my location",
    asking: "Finding your location…",
    denied: "Location access is off. Please type the town instead.",
    failed: "We couldn’t find your location. Please type the town instead.",
  },
  placeField: {
    typed: "A town, a part of a town or a postcode.",
    orMap: "Or tap on the map. We never store the exact spot: everyone sees an area of about 1 km.",
  },

  removed: {
    heading: "We removed something",
    text: "We remove phone numbers, email addresses, links and similar details from alerts and messages. “[removed]” now replaces:",
    /** Hint of a private text. */
    hint: "Phone numbers, email addresses and links are removed; street addresses are not.",
    /** Hint of a public text. */
    publicHint:
      "This is public. Phone numbers, email addresses and links are removed; street addresses are not, so leave yours out.",
  },
};
