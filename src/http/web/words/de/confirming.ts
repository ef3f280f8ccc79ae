import type { confirming as en } from "../en/confirming.ts";

const NUMBER = new Intl.NumberFormat("de-DE");

export const confirming: typeof en = {
  confirm: {
    publish: {
      title: "Ihre Meldung, wie sie erscheinen wird",
      lead: "Noch ist nichts öffentlich. Sehen Sie sich die Meldung an und drücken Sie dann den Knopf darunter.",
      preview: "Vorschau",
      edit: "Erst etwas ändern",
      nameHint: "Leer lassen, wenn nicht bekannt.",
      descriptionHint: "Öffentlich: Kontaktdaten und Links werden herausgenommen.",
      button: "Meldung veröffentlichen",
      doneTitle: "Ihre Meldung ist online",
      doneText: "Alle können sie jetzt sehen.",
      endedTitle: "Ihre Meldung wurde veröffentlicht",
      goneTitle: "Ihre Meldung wurde entfernt",
      gone: "Sie wurde veröffentlicht, als Sie sie bestätigt haben, und später entfernt.",
      see: "Meldung ansehen",
      manage: "Meine Meldung verwalten",
      manageText:
        "Dort können Sie mitteilen, dass das Tier wieder zu Hause ist, die Meldung verlängern oder sie entfernen. Behalten Sie diesen Link für sich: Wer ihn hat, kann dasselbe tun. Er steht auch in Ihrer E-Mail.",
    },
    message: {
      title: "Ihre Nachricht, wie sie gesendet wird",
      lead: {
        owner: "Sie geht an die Familie dieses Tieres:",
        finder: "Sie geht an die Person, die dieses Tier gefunden hat:",
        shelter: "Sie geht an das Tierheim:",
      },
      from: (name) => `Von ${name}`,
      unnamed: "Ohne Namen",
      hidden:
        "Ihre Adresse wird nicht weitergegeben. Antworten kommen über uns per E-Mail zu Ihnen.",
      button: "Diese Nachricht senden",
      doneTitle: "Ihre Nachricht ist unterwegs",
      doneText: "Jede Antwort kommt per E-Mail zu Ihnen.",
      see: "Zurück zur Meldung",
    },
    zone: {
      title: "E-Mails zu diesem Gebiet",
      lead: "Wir schreiben Ihnen, wenn hier eine neue Meldung erscheint:",
      label: "Name",
      where: "Wo",
      circle: (km, town, lat, lng) => `${NUMBER.format(km)}\u00a0km um ${town} (${lat}, ${lng})`,
      animals: "Tiere",
      allAnimals: "Alle",
      alerts: "Meldungen",
      allAlerts: "Vermisst und gefunden",
      button: "Diese E-Mails erhalten",
      doneTitle: "Wir beobachten Ihr Gebiet",
      doneText: "Wir schreiben Ihnen, wenn dort eine neue Meldung erscheint.",
      end: "Diese E-Mails beenden",
      goneTitle: "Wir beobachten Ihr Gebiet nicht mehr",
      gone: "Es war aktiv und wurde inzwischen beendet.",
    },
    sighting: {
      title: "Ihre Sichtung, wie sie erscheinen wird",
      lead: {
        told: "Sie wird auf der Seite dieser Meldung stehen; wer sie veröffentlicht hat, bekommt eine E-Mail:",
        untold: "Sie wird auf der Seite dieser Meldung stehen:",
      },
      hidden: "Ihre Adresse geben wir nicht weiter. Der Ort wird auf rund 1\u00a0km genau gezeigt.",
      button: "Diese Sichtung weitergeben",
      doneTitle: "Danke: Ihre Sichtung ist weitergegeben",
      doneText: "Sie steht jetzt auf der Seite der Meldung, für alle, die suchen.",
    },
    until: (moment) => `Sie können diese Seite bis zum ${moment} benutzen.`,
    notMe: "Ich habe das nicht angefordert",
    expiredTitle: "Dieser Link ist abgelaufen",
    expired:
      "Links in unseren E-Mails funktionieren 48 Stunden lang. Es wurde nichts veröffentlicht und nichts gesendet.",
    expiredNext:
      "Wenn Sie es noch möchten, fordern Sie es bitte noch einmal an: Sie erhalten einen neuen Link.",
    disowned: {
      title: "Es geschieht nichts",
      text: "Sie haben uns mitgeteilt, dass Sie das nicht waren. Was in Ihrem Namen angefordert wurde, ist gelöscht.",
    },
  },
  notMe: {
    title: "Haben Sie das nicht angefordert?",
    text: "Jemand hat uns Ihre Adresse gegeben, vielleicht aus Versehen. Wenn Sie den Knopf drücken, löschen wir, was angefordert wurde, und senden Ihnen keine E-Mails zum Bestätigen mehr.",
    ignore: "Sie können auch nichts tun: Ohne Sie wird nichts veröffentlicht und nichts gesendet.",
    button: "Das war ich nicht: E-Mails stoppen",
    late: "Was in dieser E-Mail stand, ist schon bestätigt. Sie können trotzdem alle weiteren E-Mails zum Bestätigen stoppen.",
    stopped: {
      title: "Erledigt: keine solchen E-Mails mehr",
      text: "Was in Ihrem Namen angefordert wurde, geschieht nicht, und wir fragen bei dieser Adresse nicht mehr an.",
    },
    stoppedLate: {
      title: "Erledigt: keine solchen E-Mails mehr",
      text: "Wir fragen bei dieser Adresse nicht mehr an. Was vorher bestätigt wurde, bleibt, wie es ist.",
    },
    change:
      "Möchten Sie selbst etwas veröffentlichen, jemandem schreiben oder ein Gebiet beobachten? Dann erlauben Sie uns wieder, Ihnen zu schreiben.",
    allow: "E-Mails wieder erlauben",
    allowedTitle: "E-Mails sind wieder erlaubt",
    allowed:
      "Was vorher angefordert wurde, bleibt gelöscht. Wenn Sie es möchten, fordern Sie es bitte noch einmal an.",
  },
};
