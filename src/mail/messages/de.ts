import { bySpecies, LOCALES } from "../../core/locale.ts";
import type { EmailMessages } from "./messages.ts";

const NUMBER = new Intl.NumberFormat("de");

/** After "zu". */
const LOST_PETS = {
  dog: "Ihrem vermissten Hund",
  cat: "Ihrer vermissten Katze",
  bird: "Ihrem entflogenen Vogel",
  other: "Ihrem vermissten Haustier",
};
const FOUND_PETS = {
  dog: "dem gefundenen Hund",
  cat: "der gefundenen Katze",
  bird: "dem gefundenen Vogel",
  other: "dem gefundenen Haustier",
};
const YOUR_PETS = { dog: "Ihr Hund", cat: "Ihre Katze", bird: "Ihr Vogel", other: "Ihr Haustier" };
/** After a verb. */
const THESE_PETS = {
  dog: "diesen Hund",
  cat: "diese Katze",
  bird: "diesen Vogel",
  other: "dieses Haustier",
};

export const de: EmailMessages = {
  ...LOCALES.de,
  subject: (title, headline, code) => `${title}: ${headline} (${code})`,
  copyAddress:
    "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  neverACode:
    "Wir fragen nie nach einem Code. Wenn jemand einen von Ihnen verlangt, per E-Mail, Nachricht oder Telefon, antworten Sie nicht.",
  beware:
    "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund. Wir verlangen weder das eine noch das andere.",
  footer: (site) =>
    `Gesendet von ${site}, einem öffentlichen Verzeichnis vermisster und gefundener Haustiere. Bitte antworten Sie nicht auf diese E-Mail: Antworten werden nicht gelesen.`,

  confirm: {
    publish: {
      subject: (code) => `Bitte bestätigen Sie Ihre Meldung (${code})`,
      title: "Noch ein Schritt, dann ist Ihre Meldung online",
      opening: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} die Meldung ${code} veröffentlichen und hat diese E-Mail-Adresse angegeben.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Meldung so, wie sie erscheinen wird. Ändern Sie sie, wenn Sie möchten, und bestätigen Sie sie dort.",
      button: "Meldung ansehen und bestätigen",
    },
    message: {
      subject: (code) => `Bitte bestätigen Sie Ihre Nachricht (Meldung ${code})`,
      title: "Noch ein Schritt, dann wird Ihre Nachricht gesendet",
      opening: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} eine Nachricht zur Meldung ${code} senden und hat diese E-Mail-Adresse angegeben.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Nachricht so, wie sie gesendet wird, und können sie bestätigen.",
      button: "Nachricht ansehen und bestätigen",
    },
    zone: {
      subject: () => "Bitte bestätigen Sie Ihr Gebiet",
      title: "Noch ein Schritt, dann erhalten Sie Meldungen aus Ihrem Gebiet",
      opening: (site) =>
        `Jemand, vermutlich Sie selbst, möchte, dass ${site} bei neuen Meldungen in einem Gebiet an diese E-Mail-Adresse schreibt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie das Gebiet und können es bestätigen.",
      button: "Gebiet ansehen und bestätigen",
    },
    sighting: {
      subject: (code) => `Bitte bestätigen Sie Ihre Sichtung (Meldung ${code})`,
      title: "Noch ein Schritt, dann ist Ihre Sichtung veröffentlicht",
      opening: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} angeben, wo das Tier aus der Meldung ${code} gesehen wurde, und hat diese E-Mail-Adresse genannt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Sichtung so, wie sie erscheinen wird, und können sie bestätigen.",
      button: "Sichtung ansehen und bestätigen",
    },
    nothingYet: "Es geschieht nichts, bevor Sie auf dieser Seite bestätigen.",
    ends: (hours, moment) =>
      `Der Link funktioniert nur einmal und nur ${hours === 1 ? "1 Stunde" : `${hours} Stunden`} lang: bis zum ${moment}.`,
    ignore:
      "Wenn Sie nichts angefordert haben, brauchen Sie nichts zu tun: Es wird nichts veröffentlicht und nichts gesendet.",
    notMe: "Das war ich nicht: keine solchen E-Mails mehr",
  },

  confirmations: {
    subject: (count) => `Bitte bestätigen: ${count} Anfragen warten auf Sie`,
    title: (count) => `${count} Anfragen warten auf Sie`,
    opening: (site) =>
      `Diese Anfragen wurden auf ${site} mit dieser E-Mail-Adresse gestellt. Einige davon können von Ihnen sein, andere von Fremden.`,
    next: "Öffnen Sie die Seite jeder Anfrage, die von Ihnen ist, und bestätigen Sie sie dort. Die anderen können Sie ignorieren.",
    ends: (hours, moment) =>
      `Jeder Link funktioniert nur einmal und nur ${hours === 1 ? "1 Stunde" : `${hours} Stunden`} lang: bis zum ${moment}.`,
  },

  live: {
    title: "Ihre Meldung ist online",
    opening: {
      lost: bySpecies(
        LOST_PETS,
        (pet) =>
          `Alle können jetzt die Meldung zu ${pet} sehen. Wir hoffen, dass Sie bald wieder zusammen sind.`,
      ),
      found: bySpecies(
        FOUND_PETS,
        (pet) => `Alle können jetzt die Meldung zu ${pet} sehen. Danke für Ihre Hilfe.`,
      ),
    },
    share: "Teilen Sie sie möglichst weit. Diese Links sind öffentlich:",
    page: "Die Seite der Meldung",
    shortLink: "Kurzlink, für Nachrichten und Plakate",
    qr: "QR-Code, für Plakate",
    manage: "Der Link unten öffnet Ihre private Seite. Dort können Sie:",
    actions: [
      "Nachrichten lesen und beantworten",
      "die Meldung und ihre Fotos ändern",
      "mitteilen, dass das Tier wieder zu Hause ist",
      "die Meldung verlängern, bevor sie endet",
      "die Meldung entfernen",
    ],
    button: "Meine Meldung verwalten",
    keepPrivate:
      "Behalten Sie diese E-Mail für sich: Wer den Link hat, kann Ihre Meldung ändern, beenden oder entfernen.",
    ends: (day) => `Die Meldung läuft bis zum ${day}. Wir schreiben Ihnen, bevor sie endet.`,
  },

  link: {
    title: "Ihr privater Link",
    opening: "Sie haben den privaten Link Ihrer Meldung noch einmal angefordert. Hier ist er.",
    button: "Meldung verwalten",
    ignore:
      "Sie haben ihn nicht angefordert? Dann müssen Sie nichts tun: Der Link geht nur an diese Adresse.",
    subjectMany: (count) => `Ihre privaten Links: ${count} Meldungen`,
    titleMany: "Ihre privaten Links",
    openingMany:
      "Sie haben die privaten Links Ihrer Meldungen noch einmal angefordert. Hier sind sie, die neueste Meldung zuerst.",
    keepPrivateMany:
      "Behalten Sie diese E-Mail für sich: Wer die Links hat, kann Ihre Meldungen ändern, beenden oder entfernen.",
    part: (part, parts, count) =>
      `Dies ist Teil ${part} von ${parts}: Sie haben ${count} Meldungen, zu viele für eine E-Mail.`,
    nextPart: "Nächsten Teil anfordern",
  },

  admin: {
    title: "Ihr Zugang zur Moderation",
    opening: (site) => `Sie möchten die Moderationsseiten von ${site} öffnen.`,
    button: "Moderation öffnen",
    ends: (moment) =>
      `Der Link funktioniert nur einmal und nur 30 Minuten lang: bis zum ${moment}. Wer ihn hat, kann moderieren: Behalten Sie diese E-Mail für sich.`,
  },

  erase: {
    title: "Ihre Daten löschen",
    opening: (site) =>
      `Jemand, vermutlich Sie, möchte alle Daten löschen lassen, die ${site} zu dieser E-Mail-Adresse speichert.`,
    next: "Öffnen Sie die Seite unten, um zu sehen, was gespeichert ist. Nichts wird gelöscht, bevor Sie es auf dieser Seite bestätigen.",
    button: "Ansehen, was gelöscht würde",
    keepPrivate:
      "Wer den Link hat, kann Ihre Meldungen löschen: Behalten Sie diese E-Mail für sich.",
    ignore:
      "Sie haben das nicht angefordert? Dann müssen Sie nichts tun: Nichts wird gelöscht, und der Link geht nur an diese Adresse.",
  },

  message: {
    title: "Neue Nachricht",
    fromStranger: {
      lost: bySpecies(LOST_PETS, (pet) => `Jemand hat Ihnen zu ${pet} geschrieben.`),
      found: bySpecies(FOUND_PETS, (pet) => `Jemand hat Ihnen zu ${pet} geschrieben.`),
    },
    fromOwner: {
      lost: bySpecies(THESE_PETS, (pet) => `Die Person, die ${pet} sucht, hat Ihnen geschrieben.`),
      found: bySpecies(
        THESE_PETS,
        (pet) => `Die Person, die ${pet} gefunden hat, hat Ihnen geschrieben.`,
      ),
    },
    writes: (name) => `${name} schreibt Ihnen:`,
    unnamed: "Die Nachricht:",
    button: "Lesen und antworten",
    hidden:
      "Bitte antworten Sie auf dieser Seite: Antworten auf diese E-Mail werden nicht zugestellt. Die andere Person sieht Ihre Adresse nicht, und Sie sehen ihre nicht.",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter: Nach einem „Bestätigungscode“ zu fragen ist eine verbreitete Betrugsmasche.",
    removed: "„[removed]“ steht für Kontaktdaten, die wir entfernt haben.",
    alert: "Die Meldung:",
  },

  sighting: {
    subject: "Gesehen",
    title: "Vielleicht wurde Ihr Tier gesehen",
    opening: "Jemand hat auf der Seite Ihrer Meldung eine Sichtung veröffentlicht.",
    seen: (town, km, moment) => {
      const where =
        km === null
          ? `Gesehen in ${town}`
          : `Gesehen bei ${town}, rund ${NUMBER.format(km)}\u00a0km vom Ort Ihrer Meldung`;
      return `${where}, am ${moment}.`;
    },
    adds: "Die Person schreibt dazu:",
    unproven:
      "Vielleicht ist es ein anderes Tier. Auf der Seite der Meldung können alle die Sichtung sehen.",
    button: "Sichtung ansehen",
  },

  digest: {
    title: "Weitere Nachrichten und Sichtungen",
    opening:
      "Sie haben heute schon viele E-Mails zu dieser Meldung erhalten. Neue Nachrichten und Sichtungen senden wir deshalb gesammelt, höchstens einmal pro Stunde.",
    moreOfOne: (count) =>
      count === 1
        ? "1 frühere Nachricht in dieser Unterhaltung."
        : `${NUMBER.format(count)} frühere Nachrichten in dieser Unterhaltung.`,
    moreConversations: (count) =>
      count === 1
        ? "Und 1 weitere Unterhaltung."
        : `Und ${NUMBER.format(count)} weitere Unterhaltungen.`,
    moreSightings: (count) =>
      count === 1 ? "Und 1 weitere Sichtung." : `Und ${NUMBER.format(count)} weitere Sichtungen.`,
    button: "Alle Unterhaltungen ansehen",
    buttonAlert: "Meldung ansehen",
  },

  zone: {
    subjectMany: (count) => `${count} neue Meldungen in Ihrem Gebiet`,
    titleOne: "Neu in Ihrem Gebiet",
    opening: "Neu in Ihrem Gebiet:",
    openingNamed: (label) => `Neu in Ihrem Gebiet „${label}“:`,
    openingMany: "Neu in Ihren Gebieten:",
    moreZones: (count) =>
      count === 1 ? "1 weiteres Gebiet" : `${NUMBER.format(count)} weitere Gebiete`,
    seen: "Wissen Sie etwas? Schreiben Sie über die Seite der Meldung: Jeder Hinweis hilft.",
    more: (count) => (count === 1 ? "Und 1 weitere Meldung." : `Und ${count} weitere Meldungen.`),
    buttonOne: "Meldung ansehen",
    buttonMany: "Alle Meldungen ansehen",
    why: "Sie erhalten diese E-Mail, weil Sie Meldungen aus diesem Gebiet abonniert haben.",
    whyMany: "Sie erhalten diese E-Mail, weil Sie Meldungen aus diesen Gebieten abonniert haben.",
    unsubscribe: "Keine E-Mails mehr zu diesem Gebiet",
    unsubscribeOne: (zone) => `Keine E-Mails mehr zu: ${zone}`,
    unsubscribeAll: "Keine E-Mails mehr zu allen diesen Gebieten",
  },

  match: {
    title: "Möglicher Treffer",
    opening: {
      lost: "Jemand hat ein Tier gefunden, das Ihres sein könnte:",
      found: "Jemand sucht ein Tier, das Ihr Fundtier sein könnte:",
    },
    score: (percent) =>
      `Mit etwa ${percent}\u00a0% Wahrscheinlichkeit ist es dasselbe Tier. Bitte vergleichen Sie selbst.`,
    reasons: "Was dafür und was dagegen spricht:",
    yours: "Ihre Meldung:",
    button: "Beide vergleichen",
    notMine:
      "Wenn es nicht dasselbe Tier ist, geben Sie es auf dieser Seite an: Dann bekommen Sie beide dazu keine E-Mails mehr.",
    beware:
      "Fragen Sie nach einem Merkmal, das nur die richtige Person kennt. Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter.",
    unsubscribe: "Keine E-Mails mehr über Treffer zu dieser Meldung",
  },

  matchDigest: {
    subject: (count) =>
      count === 1
        ? "1 weiterer möglicher Treffer für Ihre Meldungen"
        : `${count} weitere mögliche Treffer für Ihre Meldungen`,
    opening:
      "Die einzelnen E-Mails über mögliche Treffer haben Sie für heute schon bekommen. Diese wurden seitdem gefunden, die wahrscheinlichsten zuerst:",
    pair: (percent, headline, code) =>
      `Mit etwa ${percent}\u00a0% Wahrscheinlichkeit dasselbe Tier wie in Ihrer Meldung: ${headline} (${code}).`,
    more: (count) =>
      count === 1
        ? "1 weiterer möglicher Treffer folgt in der nächsten E-Mail dieser Art."
        : `${count} weitere mögliche Treffer folgen in den nächsten E-Mails dieser Art, höchstens eine am Tag.`,
    unsubscribe: "Keine E-Mails mehr über Treffer zu allen meinen Meldungen",
  },

  reminder: {
    title: (days) => `Ihre Meldung endet in ${days === 1 ? "1 Tag" : `${days} Tagen`}`,
    opening: {
      lost: bySpecies(
        YOUR_PETS,
        (pet) =>
          `Ist ${pet} noch nicht wieder da? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.`,
      ),
      found: bySpecies(
        FOUND_PETS,
        (pet) =>
          `Suchen Sie noch die Familie zu ${pet}? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.`,
      ),
    },
    orEnd:
      "Wieder zu Hause? Wie schön! Bitte teilen Sie es auf derselben Seite mit, damit niemand weiter sucht.",
    ends: (moment) => `Wenn Sie nichts tun, endet die Meldung am ${moment}.`,
    button: "Meldung verlängern oder beenden",
    unsubscribe: "Keine Erinnerungen mehr zu dieser Meldung",
  },
};
