import type { confirm as en } from "../en/confirm.ts";

export const confirm: typeof en = {
  confirm: {
    publish: {
      title: "Ihre Meldung prüfen",
      lead: "Noch ist nichts öffentlich. Prüfen Sie die Meldung und veröffentlichen Sie sie dann unten auf dieser Seite.",
      preview: "Vorschau",
      edit: "Erst bearbeiten",
      remote: (town: string, km: number) =>
        `Die Markierung liegt ${km} km vom nächsten Ort entfernt, ${town}, vielleicht im Meer. Falls das nicht stimmt, verschieben Sie sie unter „Erst bearbeiten“.`,
      farFromCity: (city: string, town: string, km: number) =>
        `Die Meldung nennt ${city}, die Markierung liegt aber ${km} km davon entfernt, bei ${town}. Falls sie falsch ist, verschieben Sie sie unter „Erst bearbeiten“.`,
      nameHint: "Leer lassen, wenn nicht bekannt.",
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
      manageByEmail:
        "Der private Link, mit dem Sie die Meldung verwalten, steht in der E-Mail „Ihre Meldung ist online“. Diese Seite zeigt ihn nur eine Stunde lang nach der Bestätigung.",
    },
    message: {
      title: "Ihre Nachricht prüfen",
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
      where: "Wo",
      button: "Diese E-Mails erhalten",
      full: "Sie erhalten schon Meldungen aus so vielen Gebieten, wie für eine Adresse möglich sind. Beenden Sie zuerst eines davon, kommen Sie dann auf diese Seite zurück und bestätigen Sie:",
      doneTitle: "Sie erhalten jetzt Meldungen aus diesem Gebiet",
      doneText: "Wir schreiben Ihnen, wenn dort eine neue Meldung erscheint.",
      end: "Diese E-Mails beenden",
      endByEmail: "Jede E-Mail zu diesem Gebiet endet mit einem Link, der sie beendet.",
      goneTitle: "Diese E-Mails sind beendet",
      gone: "Sie haben dieses Gebiet bestätigt; seine E-Mails wurden inzwischen beendet.",
    },
    sighting: {
      title: "Ihre Sichtung prüfen",
      lead: {
        told: "Sie wird auf der Seite dieser Meldung stehen; wer sie veröffentlicht hat, bekommt eine E-Mail:",
        untold: "Sie wird auf der Seite dieser Meldung stehen:",
      },
      hidden: "Ihre Adresse geben wir nicht weiter. Der Ort wird auf rund 1\u00a0km genau gezeigt.",
      button: "Diese Sichtung veröffentlichen",
      doneTitle: "Danke: Ihre Sichtung ist veröffentlicht",
      doneText: "Sie steht jetzt auf der Seite der Meldung, für alle, die suchen.",
    },
    othersTitle: "Wartet auch auf Ihre Bestätigung",
    others:
      "Diese Anfragen wurden mit Ihrer Adresse gestellt, von Ihnen oder von anderen. Ohne Ihre Bestätigung geschieht nichts.",
    other: {
      publish: (code) => `Eine Meldung (${code})`,
      message: (code) => `Eine Nachricht zur Meldung ${code}`,
      zone: () => "Meldungen aus einem Gebiet",
      sighting: (code) => `Eine Sichtung zur Meldung ${code}`,
    },
    until: (moment) => `Diese Seite funktioniert bis zum ${moment}.`,
    notMe: "Ich habe das nicht angefordert",
    expiredTitle: "Dieser Link ist abgelaufen",
    expired:
      "Links in unseren E-Mails funktionieren 48 Stunden lang. Es wurde nichts veröffentlicht und nichts gesendet.",
    expiredNext:
      "Wenn Sie es noch möchten, fordern Sie es bitte noch einmal an: Sie erhalten einen neuen Link.",
    disowned: {
      title: "Die Anfrage ist gelöscht",
      text: "Sie haben uns mitgeteilt, dass Sie das nicht waren. Wir haben die Anfrage gelöscht.",
    },
  },
  notMe: {
    title: "Haben Sie das nicht angefordert?",
    text: "Jemand hat uns Ihre Adresse gegeben, vielleicht aus Versehen. Wenn Sie unten auf „Das war ich nicht“ tippen, löschen wir die Anfrage und senden Ihnen keine Bestätigungs-E-Mails mehr.",
    ignore:
      "Sie können auch nichts tun: Ohne Ihre Bestätigung wird nichts veröffentlicht oder gesendet.",
    button: "Das war ich nicht: E-Mails stoppen",
    late: "Diese Anfrage ist schon bestätigt. Sie können trotzdem alle weiteren Bestätigungs-E-Mails stoppen.",
    stopped: {
      title: "Diese E-Mails sind beendet",
      text: "Wir haben die Anfrage gelöscht und senden keine Bestätigungs-E-Mails mehr an diese Adresse.",
    },
    stoppedLate: {
      title: "Diese E-Mails sind beendet",
      text: "Wir senden keine Bestätigungs-E-Mails mehr an diese Adresse. Was vorher bestätigt wurde, bleibt, wie es ist.",
    },
    change:
      "Möchten Sie selbst etwas veröffentlichen, jemandem schreiben oder Meldungen erhalten? Dann erlauben Sie uns wieder, Ihnen zu schreiben.",
    allow: "E-Mails wieder erlauben",
    allowedTitle: "E-Mails sind wieder erlaubt",
    allowed:
      "Die gelöschte Anfrage bleibt gelöscht. Wenn Sie es möchten, fordern Sie es bitte noch einmal an.",
  },
};
