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
    payment: "Zahlungsdaten",
  },

  layout: {
    findMine: "Meine Meldungen",
    menu: "Hauptmenü",
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
    custody: "Aktueller Aufenthaltsort",
    optional: "(freiwillig)",
  },
  map: {
    label: "Karte der Meldungen",
    pick: "Karte: Tippen Sie auf die Stelle",
    zoomIn: "Vergrößern",
    zoomOut: "Verkleinern",
    touchHint: "Verschieben Sie die Karte mit zwei Fingern.",
    noTiles: "Die Karte lässt sich gerade nicht laden. Alles andere funktioniert trotzdem.",
    locate: "Meinen Standort verwenden",
    asking: "Standort wird bestimmt …",
    denied: "Standort nicht freigegeben. Bitte geben Sie stattdessen den Ort ein.",
    failed: "Der Standort ließ sich nicht bestimmen. Bitte geben Sie stattdessen den Ort ein.",
  },
  placeField: {
    town: "Ort",
    typed: "Name eines Ortes.",
    orMap:
      "Oder tippen Sie auf die Karte. Die genaue Stelle wird nie gespeichert: Alle sehen nur ein Gebiet von etwa 1 km.",
  },

  removed: {
    heading: "Wir haben etwas entfernt",
    // What follows stands as a subject, so that "ein Link" needs no other ending.
    text: "Aus Meldungen und Nachrichten entfernen wir Telefonnummern, E-Mail-Adressen, Links und Ähnliches. Wo jetzt „[removed]“ steht, stand vorher:",
    entry: (field, kinds) => `${field}: ${kinds}`,
    fields: {
      name: "Name",
      breed: "Rasse",
      color: "Farbe",
      description: "Beschreibung",
      city: "Ort",
      message: "Nachricht",
      note: "Anmerkung",
    },
  },
};
