import type { manage as en } from "../en/manage.ts";

export const manage: typeof en = {
  manage: {
    title: "Meine Meldung verwalten",
    private:
      "Behalten Sie die Adresse dieser Seite für sich: Wer sie hat, kann Ihre Meldung beenden oder entfernen.",
    see: "Öffentliche Seite ansehen",
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
    move: {
      resolve: {
        lost: {
          button: "Mein Tier ist wieder da",
          hint: "Beendet die Meldung mit der guten Nachricht.",
        },
        found: {
          button: "Wieder bei seiner Familie",
          hint: "Beendet die Meldung mit der guten Nachricht.",
        },
      },
      renew: {
        lost: {
          button: "Meldung verlängern",
          hint: "Noch vermisst: Die Laufzeit beginnt heute neu.",
        },
        found: {
          button: "Meldung verlängern",
          hint: "Noch nicht abgeholt: Die Laufzeit beginnt heute neu.",
        },
      },
      reopen: {
        lost: {
          button: "Meldung wieder öffnen",
          hint: "Wieder vermisst oder aus Versehen beendet.",
        },
        found: { button: "Meldung wieder öffnen", hint: "Aus Versehen beendet." },
      },
      remove: {
        lost: { button: "Meldung entfernen", hint: "Löscht sie für immer." },
        found: { button: "Meldung entfernen", hint: "Löscht sie für immer." },
      },
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
      finder: "Die Person, die das Tier gefunden hat",
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
    replyHint: "Telefonnummern, E-Mail-Adressen und Links werden entfernt, Postanschriften nicht.",
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
    zoneButton: "Diese E-Mails beenden",
    remindersButton: "Erinnerungen beenden",
    matchesTitle: "Keine E-Mails mehr über Treffer zu dieser Meldung?",
    matchesText: "Die Seite der Meldung zeigt weiterhin Tiere, die es sein könnten.",
    matchesButton: "Diese E-Mails beenden",
    allMatchesTitle: "Keine E-Mails mehr über Treffer zu allen Ihren Meldungen?",
    allMatchesText: "Die Seiten der Meldungen zeigen weiterhin Tiere, die es sein könnten.",
    allMatchesButton: "Diese E-Mails beenden",
    endedTitle: "Diese E-Mails sind beendet",
    ended: "Sie erhalten keine weiteren.",
  },
};
