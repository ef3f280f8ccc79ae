import type { erase as en } from "../en/erase.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const erase: typeof en = {
  erase: {
    link: "Meine Daten löschen",
    title: "Meine Daten löschen",
    lead: "Geben Sie Ihre E-Mail-Adresse an. Wenn wir Daten dazu haben, senden wir Ihnen einen Link zu einer Seite, auf der Sie die Daten sehen und löschen können.",
    email: "Ihre E-Mail-Adresse",
    send: "Link senden",
    sentTitle: "Bitte prüfen Sie Ihr Postfach",
    sent: (address) =>
      `Wenn wir Daten zu ${address} haben, senden wir jetzt einen Link dorthin. Er gilt einmal, 48 Stunden lang.`,
    askTitle: "Alle Ihre Daten löschen?",
    ask: (address) => `Diese Daten haben wir zu ${address}:`,
    parts: {
      alerts: (count) => counted(count, "Meldung", "Meldungen"),
      photos: (count) => counted(count, "Foto", "Fotos"),
      sightings: (count) => counted(count, "Sichtung Ihres Tiers", "Sichtungen Ihrer Tiere"),
      conversations: (count) => counted(count, "Unterhaltung", "Unterhaltungen"),
      messages: (count) => counted(count, "Nachricht", "Nachrichten"),
      zones: (count) => counted(count, "Gebiet, das Sie beobachten", "Gebiete, die Sie beobachten"),
      requests: (count) => counted(count, "unbestätigte Anfrage", "unbestätigte Anfragen"),
      letters: (count) =>
        counted(count, "noch nicht gesendete E-Mail", "noch nicht gesendete E-Mails"),
      moderation: (count) =>
        counted(
          count,
          "Eintrag zu Ihrer Arbeit in der Moderation",
          "Einträge zu Ihrer Arbeit in der Moderation",
        ),
    },
    forGood:
      "Alles wird sofort gelöscht, Unterhaltungen auch für die, mit denen Sie geschrieben haben. Das lässt sich nicht rückgängig machen.",
    button: "Ja, alles löschen",
    keep: "Nein, behalten",
    until: (moment) => `Der Link gilt bis ${moment}.`,
    nothingTitle: "Es gibt nichts zu löschen",
    nothing: "Unter Ihrer Adresse ist nichts mehr gespeichert.",
    doneTitle: "Ihre Daten sind gelöscht",
    done: "Das haben wir gelöscht:",
    limitsTitle: "Was nicht gelöscht wird",
    limits: {
      unknown:
        "Sichtungen und Hinweise an die Moderation, die Sie gesendet haben. Sie sind ohne Adresse gespeichert; wir wissen nicht, dass sie von Ihnen sind.",
      ended: (days) =>
        `Meldungen, die vor mehr als ${days} Tagen geendet haben. Ihre Adresse wurde damals aus ihnen gelöscht.`,
      report: "Soll eine entfernt werden, melden Sie sie auf ihrer Seite der Moderation.",
      address:
        "Die Adresse der Seite einer Meldung, in der der Name des Tiers stehen kann, und ihre Gegend auf etwa 1\u00a0km: Sie bleiben, damit ein gedrucktes Plakat nie zu einem anderen Tier führt.",
      arrived: "Zugestellte E-Mails: Sie sind in den Postfächern der Empfänger.",
      backups: (days) =>
        `Sicherungskopien, bis sie gelöscht werden. Damit keine davon zurückbringt, was Sie gelöscht haben, bleibt ein verschlüsselter Fingerabdruck Ihrer Adresse ${days} Tage lang.`,
      marks: (days) =>
        `Andere verschlüsselte Fingerabdrücke Ihrer Adresse: Die von bestätigten Anfragen verschwinden innerhalb von ${days} Tagen. Einer bleibt, wenn Sie keine E-Mails mehr wollten oder die Moderation die Adresse gesperrt hat, damit es dabei bleibt.`,
    },
  },
};
