import { LOCALES } from "../../../../core/locale.ts";
import type { shared as en } from "../en/shared.ts";

export const shared: typeof en = {
  ...LOCALES.de,
  language: "de",
  ownName: "Deutsch",
  named: (headline, name) => `${headline}: ${name}`,
  errorTitle: (title) => `Bitte prüfen: ${title}`,
  continue: "Weiter",

  type: { lost: "Vermisst", found: "Gefunden" },
  species: { dog: "Hund", cat: "Katze", bird: "Vogel", other: "Anderes Tier" },
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
  goesOutside: { never: "nie", sometimes: "manchmal", often: "oft", unknown: "nicht bekannt" },
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
    goesOutside: "Ist Ihre Katze auch draußen unterwegs?",
    goesOutsideHint:
      "Wird nie gezeigt. Eine Wohnungskatze wird meist näher an ihrem Zuhause gefunden.",
    city: "Ort",
    message: "Nachricht",
    note: "Anmerkung",
    email: "Ihre E-Mail-Adresse",
    species: "Tier",
    anySpecies: "Alle",
    type: "Vermisst oder gefunden",
    anyType: "Beides",
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
    typed: "Ort, Ortsteil oder Postleitzahl.",
    orMap:
      "Oder tippen Sie auf die Karte. Die genaue Stelle wird nie gespeichert: Alle sehen nur ein Gebiet von etwa 1 km.",
  },

  removed: {
    heading: "Wir haben etwas entfernt",
    // What follows stands as a subject, so that "ein Link" needs no other ending.
    text: "Aus Meldungen und Nachrichten entfernen wir Telefonnummern, E-Mail-Adressen, Links und Ähnliches. Wo jetzt „[removed]“ steht, stand vorher:",
    hint: "Telefonnummern, E-Mail-Adressen und Links werden entfernt, Postanschriften nicht.",
    publicHint:
      "Das ist öffentlich. Telefonnummern, E-Mail-Adressen und Links werden entfernt, Postanschriften nicht: Lassen Sie Ihre weg.",
  },
};
