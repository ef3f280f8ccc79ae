import type { Words } from "./words.ts";

const DAY = new Intl.DateTimeFormat("de", { dateStyle: "long", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("de");

export const de: Words = {
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
  copyAddress: "Falls der Knopf nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:",
  neverACode:
    "Wir fragen nie nach einem Code. Wenn jemand einen von Ihnen verlangt, per E-Mail, Nachricht oder Telefon, antworten Sie nicht.",
  footer: (site) =>
    `Gesendet von ${site}, einem öffentlichen Verzeichnis vermisster und gefundener Haustiere. Antworten auf diese E-Mail liest niemand.`,

  confirm: {
    publish: {
      subject: (code) => `Bitte bestätigen Sie Ihre Meldung (${code})`,
      title: "Noch ein Schritt, dann ist Ihre Meldung online",
      asked: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} die Meldung ${code} veröffentlichen und hat diese E-Mail-Adresse angegeben.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Meldung so, wie sie erscheinen wird. Ändern Sie sie, wenn Sie möchten, und drücken Sie dann den Knopf auf dieser Seite.",
      button: "Meldung ansehen und bestätigen",
    },
    message: {
      subject: (code) => `Bitte bestätigen Sie Ihre Nachricht (Meldung ${code})`,
      title: "Noch ein Schritt, dann wird Ihre Nachricht gesendet",
      asked: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} eine Nachricht zur Meldung ${code} senden und hat diese E-Mail-Adresse angegeben.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Nachricht so, wie sie gesendet wird. Drücken Sie dann den Knopf auf dieser Seite.",
      button: "Nachricht ansehen und bestätigen",
    },
    zone: {
      subject: () => "Bitte bestätigen Sie Ihr Gebiet",
      title: "Noch ein Schritt, dann beobachten wir Ihr Gebiet für Sie",
      asked: (site) =>
        `Jemand, vermutlich Sie selbst, möchte, dass ${site} bei neuen Meldungen in einem Gebiet an diese E-Mail-Adresse schreibt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie das Gebiet. Drücken Sie dann den Knopf auf dieser Seite.",
      button: "Gebiet ansehen und bestätigen",
    },
    sighting: {
      subject: (code) => `Bitte bestätigen Sie Ihre Sichtung (Meldung ${code})`,
      title: "Noch ein Schritt, dann geben wir Ihre Sichtung weiter",
      asked: (site, code) =>
        `Jemand, vermutlich Sie selbst, möchte auf ${site} angeben, wo das Tier aus der Meldung ${code} gesehen wurde, und hat diese E-Mail-Adresse genannt.`,
      next: "Öffnen Sie die Seite unten: Dort sehen Sie die Sichtung so, wie sie erscheinen wird. Drücken Sie dann den Knopf auf dieser Seite.",
      button: "Sichtung ansehen und bestätigen",
    },
    nothingYet: "Es geschieht nichts, bevor Sie den Knopf auf dieser Seite drücken.",
    ends: (hours, day, time) =>
      `Der Link funktioniert nur einmal und nur ${hours === 1 ? "1 Stunde" : `${hours} Stunden`} lang: bis zum ${day} um ${time} Uhr (UTC).`,
    ignore:
      "Wenn Sie nichts angefordert haben, brauchen Sie nichts zu tun: Es wird nichts veröffentlicht und nichts gesendet.",
    notMe: "Das war ich nicht: keine solchen E-Mails mehr",
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
    share: "Teilen Sie sie möglichst weit. Diese Adressen sind öffentlich:",
    page: "Die Seite der Meldung",
    shortLink: "Kurzlink, für Nachrichten und Aushänge",
    qr: "QR-Code, für Aushänge",
    manage: "Der Link unten öffnet eine Seite, die nur für Sie bestimmt ist. Dort können Sie:",
    moves: {
      lost: [
        "mitteilen, dass Ihr Tier wieder zu Hause ist",
        "die Meldung verlängern, bevor sie endet",
        "die Meldung entfernen",
      ],
      found: [
        "mitteilen, dass das Tier wieder zu Hause ist",
        "die Meldung verlängern, bevor sie endet",
        "die Meldung entfernen",
      ],
    },
    button: "Meine Meldung verwalten",
    keepPrivate:
      "Behalten Sie diese E-Mail für sich: Wer den Link hat, kann Ihre Meldung beenden oder entfernen.",
    ends: (day) => `Die Meldung läuft bis zum ${day}. Wir schreiben Ihnen, bevor sie endet.`,
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund. Wir verlangen nie das eine oder das andere.",
  },

  link: {
    subject: (headline, code) => `Ihr privater Link: ${headline} (${code})`,
    title: "Ihr privater Link",
    opening: "Sie haben den privaten Link Ihrer Meldung noch einmal angefordert. Hier ist er.",
    button: "Meldung verwalten",
    ignore:
      "Sie haben ihn nicht angefordert? Dann müssen Sie nichts tun: Der Link geht nur an diese Adresse.",
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
    next: "Öffnen Sie die Seite unten, um zu sehen, was es ist. Nichts wird gelöscht, bevor Sie auf dieser Seite den Knopf drücken.",
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
      "Bitte antworten Sie auf dieser Seite: Eine Antwort auf diese E-Mail erreicht niemanden. Die andere Person sieht Ihre Adresse nicht, und Sie sehen ihre nicht.",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter: Nach einem „Bestätigungscode“ zu fragen ist eine verbreitete Betrugsmasche.",
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
    adds: "Dazu schreibt die Person:",
    unproven:
      "Vielleicht ist es ein anderes Tier. Auf der Seite der Meldung können alle die Sichtung sehen.",
    button: "Sichtung ansehen",
    beware:
      "Schicken Sie nie Geld im Voraus und geben Sie nie einen Code weiter, was auch immer der Grund sein soll.",
  },

  zone: {
    subjectOne: (headline, code) => `Neu in Ihrem Gebiet: ${headline} (${code})`,
    subjectMany: (count) => `${count} neue Meldungen in Ihrem Gebiet`,
    titleOne: "Eine neue Meldung in Ihrem Gebiet",
    opening: "Es gibt Neues in dem Gebiet, das wir für Sie beobachten.",
    openingNamed: (label) => `Es gibt Neues in Ihrem Gebiet „${label}“.`,
    seen: "Wissen Sie etwas? Schreiben Sie über die Seite der Meldung: Jeder Hinweis hilft.",
    more: (count) => (count === 1 ? "Und 1 weitere Meldung." : `Und ${count} weitere Meldungen.`),
    buttonOne: "Meldung ansehen",
    buttonMany: "Alle Meldungen ansehen",
    why: "Sie erhalten diese E-Mail, weil wir auf Ihren Wunsch dieses Gebiet beobachten.",
    unsubscribe: "Dieses Gebiet nicht mehr beobachten",
  },

  match: {
    subject: (headline, code) => `Möglicher Treffer: ${headline} (${code})`,
    title: "Ein möglicher Treffer für Ihre Meldung",
    opening: {
      lost: "Jemand hat ein Tier gefunden, das Ihres sein könnte:",
      found: "Jemand sucht ein Tier, das Ihr Fundtier sein könnte:",
    },
    score: (percent) =>
      `Von 100 möglichen Treffern wie diesem sind etwa ${percent} wirklich dasselbe Tier. Bitte vergleichen Sie selbst.`,
    reasons: "Was dafür und was dagegen spricht:",
    yours: "Ihre Meldung:",
    button: "Beide vergleichen",
    notMine:
      "Ist es nicht dasselbe Tier, sagen Sie es auf dieser Seite: Dann schreiben wir Ihnen beiden nicht mehr darüber.",
    beware:
      "Fragen Sie nach einem Merkmal, das nur die richtige Person kennt. Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter.",
    unsubscribe: "Keine E-Mails mehr über Treffer zu dieser Meldung",
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
      lost: "Ist Ihr Tier wieder zu Hause? Wie schön! Bitte teilen Sie es auf derselben Seite mit, damit niemand vergeblich sucht.",
      found:
        "Ist das Tier wieder zu Hause? Wie schön! Bitte teilen Sie es auf derselben Seite mit, damit niemand vergeblich sucht.",
    },
    ends: (day, time) => `Wenn Sie nichts tun, endet die Meldung am ${day} um ${time} Uhr (UTC).`,
    button: "Meldung verlängern oder beenden",
    keepPrivate:
      "Behalten Sie diese E-Mail für sich: Wer den Link hat, kann Ihre Meldung beenden oder entfernen.",
    unsubscribe: "Keine Erinnerungen mehr zu dieser Meldung",
  },
};
