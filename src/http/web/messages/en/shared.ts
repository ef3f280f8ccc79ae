const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });
const COUNTRY = new Intl.DisplayNames(["en"], { type: "region" });

/** Messages of all pages. */
export const shared = {
  language: "en",
  ownName: "English",
  /** Day of a time in milliseconds or of a date, YYYY-MM-DD: "21 November 2026". */
  day: (time: number | string) => DAY.format(typeof time === "number" ? time : Date.parse(time)),
  moment: (time: number) => `${DAY.format(time)}, ${TIME.format(time)} UTC`,
  country: (code: string) => COUNTRY.of(code) ?? code,
  place: (city: string, country: string) => `${city}, ${country}`,
  named: (headline: string, name: string) => `${headline}: ${name}`,
  pageTitle: (title: string, site: string) => `${title} – ${site}`,
  errorTitle: (title: string) => `Please check: ${title}`,
  and: (items: readonly string[]) =>
    items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`,

  type: { lost: "Lost", found: "Found" },
  species: { dog: "Dog", cat: "Cat", bird: "Bird", other: "Other animal" },
  headline: {
    lost: { dog: "Lost dog", cat: "Lost cat", bird: "Lost bird", other: "Lost pet" },
    found: { dog: "Found dog", cat: "Found cat", bird: "Found bird", other: "Found pet" },
  },
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
    town: "Town",
    typed: "A town or place name.",
    orMap: "Or tap on the map. We never store the exact spot: everyone sees an area of about 1 km.",
  },

  removed: {
    heading: "We removed something",
    text: "We remove phone numbers, email addresses, links and similar details from alerts and messages. “[removed]” now replaces:",
    entry: (field: string, kinds: string) => `${field}: ${kinds}`,
    fields: {
      name: "Name",
      breed: "Breed",
      color: "Colour",
      description: "Description",
      city: "Town",
      message: "Message",
      note: "Note",
    } as Record<string, string>,
  },
};
