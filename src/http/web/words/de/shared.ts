import type { shared as en } from "../en/shared.ts";

const DAY = new Intl.DateTimeFormat("de-DE", { dateStyle: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("de-DE", { timeStyle: "short", timeZone: "UTC" });
const COUNTRY = new Intl.DisplayNames(["de-DE"], { type: "region" });
const LIST = new Intl.ListFormat("de-DE", { type: "conjunction" });

export const shared: typeof en = {
  language: "de",
  ownName: "Deutsch",
  day: (time) => DAY.format(typeof time === "number" ? time : Date.parse(time)),
  moment: (time) => `${DAY.format(time)} um ${TIME.format(time)} Uhr (UTC)`,
  country: (code) => COUNTRY.of(code) ?? code,
  place: (city, country) => `${city}, ${country}`,
  named: (headline, name) => `${headline}: ${name}`,
  pageTitle: (title, site) => `${title} – ${site}`,
  errorTitle: (title) => `Bitte prüfen: ${title}`,
  and: (items) => LIST.format(items),

  type: { lost: "Vermisst", found: "Gefunden" },
  species: { dog: "Hund", cat: "Katze", bird: "Vogel", other: "Anderes Tier" },
  headline: {
    lost: {
      dog: "Hund vermisst",
      cat: "Katze vermisst",
      bird: "Vogel entflogen",
      other: "Haustier vermisst",
    },
    found: {
      dog: "Hund gefunden",
      cat: "Katze gefunden",
      bird: "Vogel gefunden",
      other: "Haustier gefunden",
    },
  },
  size: {
    small: "klein",
    medium: "mittelgroß",
    large: "groß",
    xlarge: "sehr groß",
    unknown: "nicht bekannt",
  },
  sex: { male: "männlich", female: "weiblich", unknown: "nicht bekannt" },
  age: {
    baby: "Jungtier",
    young: "jung",
    adult: "ausgewachsen",
    senior: "alt",
    unknown: "nicht bekannt",
  },
  custody: {
    finder: "bei der Person, die es gefunden hat",
    shelter: "im Tierheim",
    vet: "in einer Tierarztpraxis",
    seen_only: "gesehen, aber nicht eingefangen",
    unknown: "nicht bekannt",
  },
  contactKind: {
    phone: "eine Telefonnummer",
    email: "eine E-Mail-Adresse",
    link: "ein Link",
    coordinates: "eine genaue Position",
    handle: "ein Kontoname",
  },

  frame: {
    skip: "Zum Inhalt",
    languages: "Sprache",
    about: "Über uns",
    privacy: "Über uns und Datenschutz",
    api: "API",
    footer: (site) =>
      `${site} ist ein öffentliches Verzeichnis vermisster und gefundener Haustiere.`,
  },
  field: {
    name: "Name",
    breed: "Rasse",
    color: "Farbe",
    size: "Größe",
    sex: "Geschlecht",
    age: "Alter",
    description: "Beschreibung",
    eventDate: "Datum",
    custody: "Wo es jetzt ist",
    optional: "(freiwillig)",
  },
  trouble: {
    heading: "Etwas stimmt noch nicht",
    entry: (label, message) => `${label}: ${message}`,
  },

  removed: {
    heading: "Wir haben etwas herausgenommen",
    // What follows stands as a subject, so that "ein Link" needs no other ending.
    text: "Meldungen und Nachrichten enthalten keine Kontaktdaten. Wo jetzt „[removed]“ steht, stand vorher:",
    entry: (field, kinds) => `${field}: ${kinds}`,
    fields: {
      name: "Name",
      breed: "Rasse",
      color: "Farbe",
      description: "Beschreibung",
      city: "Ort",
      message: "Nachricht",
    },
  },
  fault: {
    title: {
      bad_input: "Das hat nicht geklappt",
      forbidden: "Das ist nicht erlaubt",
      not_found: "Hier ist nichts",
      bad_method: "So geht das nicht",
      not_acceptable: "So geht das nicht",
      conflict: "Das ist jetzt nicht möglich",
      gone: "Diese Meldung gibt es nicht mehr",
      too_large: "Das war zu viel",
      bad_type: "So geht das nicht",
      too_many: "Bitte warten Sie ein wenig",
      unavailable: "Wir sind bald wieder da",
    },
    goneText: "Sie wurde von der Person, die sie veröffentlicht hat, oder von uns entfernt.",
    bugTitle: "Da ist etwas schiefgegangen",
    bugText:
      "Das war unser Fehler, nicht Ihrer. Er ist notiert; bitte versuchen Sie es später noch einmal.",
    home: "Zu den neuesten Meldungen",
  },
};
