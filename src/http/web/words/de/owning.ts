import type { owning as en } from "../en/owning.ts";

export const owning: typeof en = {
  manage: {
    title: "Meine Meldung verwalten",
    private:
      "Behalten Sie die Adresse dieser Seite für sich: Wer sie hat, kann Ihre Meldung beenden oder entfernen.",
    see: "Öffentliche Seite ansehen",
    hidden:
      "Die Moderation hat diese Meldung verborgen. Niemand sonst sieht sie, bis sie wieder freigegeben ist.",
    status: {
      active: (day) => `Aktiv: Alle können sie bis zum ${day} sehen.`,
      resolved: () => "Wieder zu Hause. Die Meldung ist beendet.",
      expired: () => "Abgelaufen: Sie erscheint in keiner Suche mehr.",
    },
    done: {
      resolve: "Wie schön! In der Meldung steht jetzt, dass das Tier wieder zu Hause ist.",
      renew: "Die Meldung ist verlängert.",
      reopen: "Die Meldung ist wieder aktiv.",
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
      "Ist das Tier wieder zu Hause? Dann teilen Sie es besser so mit: Alle, die mitgesucht haben, freuen sich.",
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
    removed: "„[removed]“ steht für Kontaktdaten, die wir herausnehmen.",
    closed: "Hier kann niemand mehr antworten.",
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
    replyHint: "Telefonnummern, Adressen und Links werden herausgenommen.",
    button: "Senden",
    hidden: "Die andere Person sieht Ihre Adresse nicht, und Sie sehen ihre nicht.",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, gleich aus welchem Grund: Das ist eine verbreitete Betrugsmasche.",
    erased: "Alle Nachrichten werden 30 Tage nach dem Ende der Meldung gelöscht.",
  },
  unsubscribe: {
    zoneTitle: "Keine E-Mails mehr zu diesem Gebiet?",
    remindersTitle: "Keine Erinnerungen mehr zu dieser Meldung?",
    remindersText:
      "Die Meldung selbst bleibt, wie sie ist. Wenn Sie sie nicht verlängern, endet sie zur vorgesehenen Zeit.",
    zoneButton: "Diese E-Mails beenden",
    remindersButton: "Erinnerungen beenden",
    matchesTitle: "Keine E-Mails mehr über Treffer zu dieser Meldung?",
    matchesText: "Die Seite der Meldung zeigt weiterhin Tiere, die es sein könnten.",
    matchesButton: "Diese E-Mails beenden",
    endedTitle: "Diese E-Mails sind beendet",
    ended: "Sie erhalten keine weiteren.",
  },
};
