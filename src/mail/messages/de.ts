import type { EmailMessages } from "./messages.ts";

const DAY = new Intl.DateTimeFormat("de", { dateStyle: "long", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("de");

export const de: EmailMessages = {
  day: (time) => DAY.format(time),
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
  copyAddress:
    "Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  neverACode:
    "Wir fragen nie nach einem Code. Wenn jemand einen von Ihnen verlangt, per E-Mail, Nachricht oder Telefon, antworten Sie nicht.",
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
      title: "Noch ein Schritt, dann ist Ihr Gebiet aktiv",
      opening: (site) =>
        `Jemand, vermutlich Sie selbst, möchte, dass ${site} bei neuen Meldungen in einem Gebiet an diese E-Mail-Adresse schreibt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie das Gebiet und können es bestätigen.",
      button: "Gebiet ansehen und bestätigen",
    },
    sighting: {
      subject: (code) => `Bitte bestätigen Sie Ihre Sichtung (Meldung ${code})`,
      title: "Noch ein Schritt, dann geben wir Ihre Sichtung weiter",
      opening: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} angeben, wo das Tier aus der Meldung ${code} gesehen wurde, und hat diese E-Mail-Adresse genannt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Sichtung so, wie sie erscheinen wird, und können sie bestätigen.",
      button: "Sichtung ansehen und bestätigen",
    },
    nothingYet: "Es geschieht nichts, bevor Sie auf dieser Seite bestätigen.",
    ends: (hours, day, time) =>
      `Der Link funktioniert nur einmal und nur ${hours === 1 ? "1 Stunde" : `${hours} Stunden`} lang: bis zum ${day} um ${time} Uhr (UTC).`,
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
    ends: (hours, day, time) =>
      `Jeder Link funktioniert nur einmal und nur ${hours === 1 ? "1 Stunde" : `${hours} Stunden`} lang: bis zum ${day} um ${time} Uhr (UTC).`,
  },

  live: {
    subject: (headline, code) => `Ihre Meldung ist online: ${headline} (${code})`,
    title: "Ihre Meldung ist online",
    opening: {
      lost: {
        dog: "Alle können jetzt die Meldung zu Ihrem vermissten Hund sehen. Wir hoffen, dass Ihr Hund bald wieder zu Hause ist.",
        cat: "Alle können jetzt die Meldung zu Ihrer vermissten Katze sehen. Wir hoffen, dass Ihre Katze bald wieder zu Hause ist.",
        bird: "Alle können jetzt die Meldung zu Ihrem entflogenen Vogel sehen. Wir hoffen, dass Ihr Vogel bald wieder zu Hause ist.",
        other:
          "Alle können jetzt die Meldung zu Ihrem vermissten Haustier sehen. Wir hoffen, dass es bald wieder zu Hause ist.",
      },
      found: {
        dog: "Alle können jetzt die Meldung zu dem Hund sehen, den Sie gefunden haben. Danke, dass Sie ihm nach Hause helfen.",
        cat: "Alle können jetzt die Meldung zu der Katze sehen, die Sie gefunden haben. Danke, dass Sie ihr nach Hause helfen.",
        bird: "Alle können jetzt die Meldung zu dem Vogel sehen, den Sie gefunden haben. Danke, dass Sie ihm nach Hause helfen.",
        other:
          "Alle können jetzt die Meldung zu dem Haustier sehen, das Sie gefunden haben. Danke, dass Sie ihm nach Hause helfen.",
      },
    },
    share: "Teilen Sie sie möglichst weit. Diese Links sind öffentlich:",
    page: "Die Seite der Meldung",
    shortLink: "Kurzlink, für Nachrichten und Aushänge",
    qr: "QR-Code, für Aushänge",
    manage: "Der Link unten öffnet Ihre private Seite. Dort können Sie:",
    actions: {
      lost: [
        "Nachrichten lesen und beantworten",
        "die Meldung und ihre Fotos ändern",
        "mitteilen, dass Ihr Tier wieder zu Hause ist",
        "die Meldung verlängern, bevor sie endet",
        "die Meldung entfernen",
      ],
      found: [
        "Nachrichten lesen und beantworten",
        "die Meldung und ihre Fotos ändern",
        "mitteilen, dass das Tier wieder zu Hause ist",
        "die Meldung verlängern, bevor sie endet",
        "die Meldung entfernen",
      ],
    },
    button: "Meine Meldung verwalten",
    keepPrivate:
      "Behalten Sie diese E-Mail für sich: Wer den Link hat, kann Ihre Meldung ändern, beenden oder entfernen.",
    ends: (day) => `Die Meldung läuft bis zum ${day}. Wir schreiben Ihnen, bevor sie endet.`,
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund. Wir verlangen weder das eine noch das andere.",
  },

  link: {
    subject: (headline, code) => `Ihr privater Link: ${headline} (${code})`,
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
    subject: "Ihr Zugang zur Moderation",
    title: "Ihr Zugang zur Moderation",
    opening: (site) => `Sie möchten die Moderationsseiten von ${site} öffnen.`,
    button: "Moderation öffnen",
    ends: (day, time) =>
      `Der Link gilt ein einziges Mal, 30 Minuten lang: bis zum ${day} um ${time} Uhr (UTC). Wer ihn hat, kann moderieren: Behalten Sie diese E-Mail für sich.`,
    ignore:
      "Sie haben ihn nicht angefordert? Dann müssen Sie nichts tun: Der Link geht nur an diese Adresse.",
  },

  erase: {
    subject: "Alles über Sie löschen",
    title: "Alles über Sie löschen",
    opening: (site) =>
      `Jemand, vermutlich Sie, möchte alles löschen lassen, was ${site} unter dieser E-Mail-Adresse speichert.`,
    next: "Öffnen Sie die Seite unten, um zu sehen, was gespeichert ist. Nichts wird gelöscht, bevor Sie es auf dieser Seite bestätigen.",
    button: "Ansehen, was gelöscht würde",
    ends: (day, time) =>
      `Der Link gilt ein einziges Mal, 48 Stunden lang: bis zum ${day} um ${time} Uhr (UTC). Wer ihn hat, kann Ihre Meldungen löschen: Behalten Sie diese E-Mail für sich.`,
    ignore:
      "Sie haben das nicht angefordert? Dann müssen Sie nichts tun: Nichts wird gelöscht, und der Link geht nur an diese Adresse.",
  },

  message: {
    subject: (headline, code) => `Neue Nachricht: ${headline} (${code})`,
    title: "Sie haben eine neue Nachricht",
    fromStranger: {
      lost: {
        dog: "Jemand hat Ihnen wegen Ihres vermissten Hundes geschrieben.",
        cat: "Jemand hat Ihnen wegen Ihrer vermissten Katze geschrieben.",
        bird: "Jemand hat Ihnen wegen Ihres entflogenen Vogels geschrieben.",
        other: "Jemand hat Ihnen wegen Ihres vermissten Haustiers geschrieben.",
      },
      found: {
        dog: "Jemand hat Ihnen wegen des Hundes geschrieben, den Sie gefunden haben.",
        cat: "Jemand hat Ihnen wegen der Katze geschrieben, die Sie gefunden haben.",
        bird: "Jemand hat Ihnen wegen des Vogels geschrieben, den Sie gefunden haben.",
        other: "Jemand hat Ihnen wegen des Haustiers geschrieben, das Sie gefunden haben.",
      },
    },
    fromOwner: {
      lost: {
        dog: "Die Person, die diesen Hund sucht, hat Ihnen geschrieben.",
        cat: "Die Person, die diese Katze sucht, hat Ihnen geschrieben.",
        bird: "Die Person, die diesen Vogel sucht, hat Ihnen geschrieben.",
        other: "Die Person, die dieses Haustier sucht, hat Ihnen geschrieben.",
      },
      found: {
        dog: "Die Person, die diesen Hund gefunden hat, hat Ihnen geschrieben.",
        cat: "Die Person, die diese Katze gefunden hat, hat Ihnen geschrieben.",
        bird: "Die Person, die diesen Vogel gefunden hat, hat Ihnen geschrieben.",
        other: "Die Person, die dieses Haustier gefunden hat, hat Ihnen geschrieben.",
      },
    },
    writes: (name) => `${name} schreibt Ihnen:`,
    unnamed: "Die Nachricht:",
    button: "Lesen und antworten",
    hidden:
      "Bitte antworten Sie auf dieser Seite: Antworten auf diese E-Mail werden nicht zugestellt. Die andere Person sieht Ihre Adresse nicht, und Sie sehen ihre nicht.",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter: Nach einem „Bestätigungscode“ zu fragen ist eine verbreitete Betrugsmasche.",
    removed: "„[removed]“ steht für Kontaktdaten, die wir aus Nachrichten entfernen.",
    alert: "Die Meldung:",
  },

  sighting: {
    subject: (headline, code) => `Gesehen: ${headline} (${code})`,
    title: "Vielleicht wurde Ihr Tier gesehen",
    opening: "Jemand hat auf der Seite Ihrer Meldung eine Sichtung hinterlassen.",
    seen: (town, km, day, time) => {
      const where =
        km === null
          ? `Gesehen in ${town}`
          : `Gesehen bei ${town}, rund ${NUMBER.format(km)}\u00a0km vom Ort Ihrer Meldung`;
      return `${where}, am ${day} um ${time} Uhr (UTC).`;
    },
    adds: "Die Person schreibt dazu:",
    unproven:
      "Vielleicht ist es ein anderes Tier. Auf der Seite der Meldung können alle die Sichtung sehen.",
    button: "Sichtung ansehen",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund.",
  },

  digest: {
    subject: (headline, code) => `Weitere Nachrichten und Sichtungen: ${headline} (${code})`,
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
    subjectOne: (headline, code) => `Neu in Ihrem Gebiet: ${headline} (${code})`,
    subjectMany: (count) => `${count} neue Meldungen in Ihrem Gebiet`,
    titleOne: "Eine neue Meldung in Ihrem Gebiet",
    opening: "Neu in Ihrem Gebiet:",
    openingNamed: (label) => `Neu in Ihrem Gebiet „${label}“:`,
    openingMany: "Neu in Ihren Gebieten:",
    circle: (km, town) => `${NUMBER.format(km)}\u00a0km um ${town}`,
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
    subject: (headline, code) => `Möglicher Treffer: ${headline} (${code})`,
    title: "Ein möglicher Treffer für Ihre Meldung",
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
    subject: (days, headline, code) =>
      `Ihre Meldung endet in ${days === 1 ? "1 Tag" : `${days} Tagen`}: ${headline} (${code})`,
    title: (days) => `Ihre Meldung endet in ${days === 1 ? "1 Tag" : `${days} Tagen`}`,
    opening: {
      lost: {
        dog: "Ist Ihr Hund noch nicht wieder da? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        cat: "Ist Ihre Katze noch nicht wieder da? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        bird: "Ist Ihr Vogel noch nicht wieder da? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        other:
          "Ist Ihr Haustier noch nicht wieder da? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
      },
      found: {
        dog: "Wartet der Hund, den Sie gefunden haben, noch auf seine Familie? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        cat: "Wartet die Katze, die Sie gefunden haben, noch auf ihre Familie? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        bird: "Wartet der Vogel, den Sie gefunden haben, noch auf seine Familie? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
        other:
          "Wartet das Haustier, das Sie gefunden haben, noch auf seine Familie? Dann verlängern Sie die Meldung: Es dauert nur einen Augenblick.",
      },
    },
    orEnd: {
      lost: "Ist Ihr Tier wieder zu Hause? Wie schön! Bitte teilen Sie es auf derselben Seite mit, damit niemand weiter sucht.",
      found:
        "Ist das Tier wieder zu Hause? Wie schön! Bitte teilen Sie es auf derselben Seite mit, damit niemand weiter sucht.",
    },
    ends: (day, time) => `Wenn Sie nichts tun, endet die Meldung am ${day} um ${time} Uhr (UTC).`,
    button: "Meldung verlängern oder beenden",
    keepPrivate:
      "Behalten Sie diese E-Mail für sich: Wer den Link hat, kann Ihre Meldung ändern, beenden oder entfernen.",
    unsubscribe: "Keine Erinnerungen mehr zu dieser Meldung",
  },
};
