import type { erasing as en } from "../en/erasing.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const erasing: typeof en = {
  erase: {
    link: "Alles über Sie löschen",
    title: "Alles über Sie löschen",
    lead: "Geben Sie Ihre E-Mail-Adresse an. Ist etwas unter ihr gespeichert, senden wir einen Link dorthin. Er zeigt, was es ist, und löscht es, wenn Sie einen Knopf drücken.",
    email: "Ihre E-Mail-Adresse",
    send: "Link senden",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sent: (address) =>
      `Ist etwas unter ${address} gespeichert, so ist ein Link dorthin unterwegs. Er gilt ein einziges Mal, 48 Stunden lang.`,
    askTitle: "Das alles löschen?",
    ask: (address) => `Das ist unter ${address} gespeichert:`,
    parts: {
      alerts: (count) => counted(count, "Meldung", "Meldungen"),
      photos: (count) => counted(count, "Foto", "Fotos"),
      sightings: (count) => counted(count, "Sichtung Ihres Tiers", "Sichtungen Ihrer Tiere"),
      conversations: (count) => counted(count, "Unterhaltung", "Unterhaltungen"),
      messages: (count) => counted(count, "Nachricht", "Nachrichten"),
      zones: (count) => counted(count, "Gebiet, das Sie beobachten", "Gebiete, die Sie beobachten"),
      requests: (count) =>
        counted(
          count,
          "Anfrage, die auf eine Bestätigung wartet",
          "Anfragen, die auf eine Bestätigung warten",
        ),
      letters: (count) =>
        counted(count, "noch nicht gesendete E-Mail", "noch nicht gesendete E-Mails"),
      moderation: (count) =>
        counted(
          count,
          "Spur Ihrer Arbeit in der Moderation",
          "Spuren Ihrer Arbeit in der Moderation",
        ),
    },
    forGood:
      "Alles wird sofort gelöscht, Unterhaltungen auch für die, mit denen Sie geschrieben haben. Das lässt sich nicht rückgängig machen.",
    button: "Ja, alles löschen",
    keep: "Nein, behalten",
    until: (moment) => `Der Link gilt bis ${moment}.`,
    nothingTitle: "Es gibt nichts zu löschen",
    nothing: "Unter Ihrer Adresse ist nichts mehr gespeichert.",
    doneTitle: "Es ist gelöscht",
    done: "Das war unter Ihrer Adresse gespeichert und ist gelöscht:",
    limitsTitle: "Was damit nicht erreicht wird",
    limits: {
      unknown:
        "Sichtungen und Hinweise an die Moderation, die Sie gesendet haben. Bei ihnen ist keine Adresse gespeichert: Niemand weiß, dass sie von Ihnen sind.",
      ended: (days) =>
        `Meldungen, die vor mehr als ${days} Tagen geendet haben. Ihre Adresse wurde damals aus ihnen gelöscht.`,
      report: "Soll eine entfernt werden, melden Sie sie auf ihrer Seite der Moderation.",
      address:
        "Die Adresse der Seite einer Meldung, in der der Name des Tiers stehen kann, und ihre Gegend auf etwa 1\u00a0km: Sie bleiben, damit ein gedrucktes Plakat nie zu einem anderen Tier führt.",
      arrived: "E-Mails, die angekommen sind: Sie liegen in den Postfächern der Empfänger.",
      backups: (days) =>
        `Sicherungskopien, bis sie gelöscht werden. Damit keine davon zurückbringt, was Sie gelöscht haben, bleibt ein verschlüsselter Fingerabdruck Ihrer Adresse ${days} Tage lang.`,
      marks: (days) =>
        `Andere verschlüsselte Fingerabdrücke Ihrer Adresse: Die von bestätigten Anfragen verschwinden innerhalb von ${days} Tagen. Einer bleibt, wenn Sie keine E-Mails mehr wollten oder die Moderation die Adresse gesperrt hat, damit es dabei bleibt.`,
    },
  },
};
