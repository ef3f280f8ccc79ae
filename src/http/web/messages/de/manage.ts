import type { manage as en } from "../en/manage.ts";

const counted = (count: number, one: string, many: string) =>
  `${count} ${count === 1 ? one : many}`;

export const manage: typeof en = {
  manage: {
    title: "Meine Meldung verwalten",
    private:
      "Behalten Sie die Adresse dieser Seite für sich: Wer sie hat, kann Ihre Meldung beenden oder entfernen.",
    see: "Öffentliche Seite ansehen",
    onlyYou: "Nur Sie sehen diese Antwort.",
    chipTitle: "Eine andere Meldung hat dieselbe Chipnummer",
    chipText:
      "Das erfahren nur Sie und die Person, die sie veröffentlicht hat. Nummern werden manchmal falsch abgeschrieben, und jeder kann eine angeben: Bitte vergleichen Sie, bevor Sie etwas übergeben.",
    hidden:
      "Die Moderation hat diese Meldung verborgen. Nur Sie sehen sie, bis sie wieder freigegeben ist.",
    messages: (count) => `Nachrichten (${count})`,
    moreMessages: "Weitere Nachrichten",
    firstMessages: "Zurück zu den ersten Nachrichten",
    status: {
      active: (day) => `Aktiv: Alle können sie bis zum ${day} sehen.`,
      resolved: () => "Wieder zu Hause. Die Meldung ist beendet.",
      expired: () => "Abgelaufen: Sie erscheint in keiner Suche mehr.",
    },
    emailsStopped: {
      dead: "E-Mails an Ihre Adresse waren unzustellbar, deshalb senden wir keine mehr: Sie erfahren nichts von Nachrichten, Sichtungen oder Treffern. Wenn Ihr Postfach funktioniert, versuchen wir es wieder.",
      complained:
        "Ihr E-Mail-Anbieter hat uns gemeldet, dass eine unserer E-Mails als Spam markiert wurde. Sie erhalten keine Erinnerungen und keine E-Mails über Treffer mehr; Nachrichten kommen weiterhin an.",
      button: "Mir wieder E-Mails senden",
    },
    done: {
      resolve: "Wie schön! In der Meldung steht jetzt, dass das Tier wieder zu Hause ist.",
      renew: "Die Meldung ist verlängert.",
      reopen: "Die Meldung ist wieder aktiv.",
      emails: "Wir senden wieder E-Mails an Ihre Adresse.",
    },
    backHome: { lost: "Mein Tier ist wieder da", found: "Wieder bei seiner Familie" },
    move: {
      renew: "Meldung verlängern",
      reopen: "Meldung wieder öffnen",
      remove: "Meldung entfernen",
    },
    moveHint: {
      resolve: "Beendet die Meldung mit der guten Nachricht.",
      renew: "Die Laufzeit beginnt heute neu.",
      reopen: "Wenn sie aus Versehen beendet wurde oder das Tier wieder vermisst wird.",
      remove: "Löscht sie für immer.",
    },
    removeTitle: "Diese Meldung entfernen?",
    removeText:
      "Die Seite, der Text und alle Nachrichten dazu werden sofort gelöscht. Das lässt sich nicht rückgängig machen.",
    removeBetter:
      "Ist das Tier wieder zu Hause? Dann teilen Sie lieber das mit: Alle, die mitgesucht haben, freuen sich.",
    removeButton: "Ja, für immer entfernen",
    keep: "Nein, behalten",
    removedTitle: "Ihre Meldung ist entfernt",
    removed: "Der Text, Ihre Adresse und alle Nachrichten dazu sind gelöscht.",
  },
  conversation: {
    title: "Unterhaltung",
    you: "Sie",
    owner: {
      owner: "Die Familie",
      finder: "Die Finderin oder der Finder",
      shelter: "Das Tierheim",
    },
    stranger: "Die andere Person",
    gone: "Die Meldung wurde entfernt.",
    homeAgain: "Dieses Tier ist wieder zu Hause.",
    removed:
      "„[removed]“ steht für eine Telefonnummer, eine E-Mail-Adresse, einen Link oder Ähnliches.",
    closed: "Hier sind keine Nachrichten mehr möglich.",
    closedByOne: "Diese Unterhaltung wurde geschlossen.",
    close: "Diese Unterhaltung schließen",
    closeTitle: "Diese Unterhaltung schließen?",
    closeText: {
      owner:
        "Niemand von Ihnen kann hier mehr schreiben, und die andere Person kann Ihnen zu dieser Meldung nicht noch einmal schreiben. Sie sieht, dass die Unterhaltung geschlossen wurde. Das lässt sich nicht rückgängig machen.",
      stranger:
        "Niemand von Ihnen kann hier mehr schreiben, und Sie können zu dieser Meldung mit derselben Adresse nicht noch einmal schreiben. Die andere Person sieht, dass die Unterhaltung geschlossen wurde. Das lässt sich nicht rückgängig machen.",
    },
    closeButton: "Ja, schließen",
    keep: "Nein, offen lassen",
    reply: "Ihre Antwort",
    button: "Senden",
    hidden: "Die andere Person sieht Ihre Adresse nicht, und Sie sehen ihre nicht.",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund: Das ist eine verbreitete Betrugsmasche.",
    erased: "Alle Nachrichten werden 30 Tage nach dem Ende der Meldung gelöscht.",
  },
  unsubscribe: {
    zoneTitle: "Keine E-Mails mehr zu diesem Gebiet?",
    zonesTitle: "Keine E-Mails mehr zu diesen Gebieten?",
    zonesText: "Sie können auch die E-Mails zu einem einzelnen Gebiet beenden:",
    zonesButton: "Für alle diese Gebiete beenden",
    zoneAlone: "Nur die E-Mails zu diesem Gebiet beenden",
    remindersTitle: "Keine Erinnerungen mehr zu dieser Meldung?",
    remindersText:
      "Die Meldung selbst bleibt, wie sie ist. Wenn Sie sie nicht verlängern, endet sie zur vorgesehenen Zeit.",
    button: "Diese E-Mails beenden",
    matchesTitle: "Keine E-Mails mehr über Treffer zu dieser Meldung?",
    matchesText: "Die Seite der Meldung zeigt weiterhin Tiere, die es sein könnten.",
    allMatchesTitle: "Keine E-Mails mehr über Treffer zu allen Ihren Meldungen?",
    allMatchesText: "Die Seiten der Meldungen zeigen weiterhin Tiere, die es sein könnten.",
    endedTitle: "Diese E-Mails sind beendet",
    ended: "Sie erhalten keine weiteren.",
  },
  erase: {
    link: "Meine Daten löschen",
    title: "Meine Daten löschen",
    lead: "Geben Sie Ihre E-Mail-Adresse an. Wenn wir Daten dazu haben, senden wir Ihnen einen Link zu einer Seite, auf der Sie die Daten sehen und löschen können.",
    send: "Link senden",
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
      zones: (count) => counted(count, "abonniertes Gebiet", "abonnierte Gebiete"),
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
    until: (moment) => `Der Link gilt bis zum ${moment}.`,
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
        "Die Adresse der Seite einer Meldung, in der der Name des Tiers stehen kann, und ihr Gebiet von etwa 1\u00a0km: Sie bleiben, damit ein gedrucktes Plakat nie zu einem anderen Tier führt.",
      arrived: "Zugestellte E-Mails: Sie sind in den Postfächern der Empfänger.",
      backups: (days) =>
        `Sicherungskopien, bis sie gelöscht werden. Damit keine davon zurückbringt, was Sie gelöscht haben, bleibt ein verschlüsselter Fingerabdruck Ihrer Adresse ${days} Tage lang.`,
      marks: (days) =>
        `Andere verschlüsselte Fingerabdrücke Ihrer Adresse: Die von bestätigten Anfragen verschwinden innerhalb von ${days} Tagen. Einer bleibt, wenn Sie keine E-Mails mehr wollten oder die Moderation die Adresse gesperrt hat, damit wir uns daran halten.`,
    },
  },
};
