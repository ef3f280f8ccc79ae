import type { forms as en } from "../en/forms.ts";

export const forms: typeof en = {
  contact: {
    title: {
      owner: "Nachricht an die Familie",
      finder: "An die Finderin oder den Finder schreiben",
      shelter: "Nachricht an das Tierheim",
    },
    hidden: {
      owner:
        "Die Familie erhält Ihren Namen und Ihre Nachricht, aber nicht Ihre Adresse. Antworten kommen über uns per E-Mail zu Ihnen.",
      finder:
        "Die Person, die das Tier gefunden hat, erhält Ihren Namen und Ihre Nachricht, aber nicht Ihre Adresse. Antworten kommen über uns per E-Mail zu Ihnen.",
      shelter:
        "Das Tierheim erhält Ihren Namen und Ihre Nachricht, aber nicht Ihre Adresse. Antworten kommen über uns per E-Mail zu Ihnen.",
    },
    name: "Ihr Name",
    email: "Ihre E-Mail-Adresse",
    emailHint:
      "Dorthin senden wir einen Link. Ihre Nachricht wird gesendet, sobald Sie sie über diesen Link bestätigen.",
    message: "Ihre Nachricht",
    messageHint: {
      lost: "Wann und wo haben Sie es gesehen?",
      found:
        "Woran erkennen Sie, dass es Ihres ist? Nennen Sie Abzeichen, Halsband oder Gewohnheiten, die nur seine Familie kennt.",
    },
    takenOut: "Telefonnummern, E-Mail-Adressen und Links werden entfernt, Postanschriften nicht.",
    button: "Weiter",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, nach dem jemand Sie fragt.",
    closed: "Dieses Tier ist wieder zu Hause. Die Meldung nimmt keine Nachrichten mehr an.",
    nobody:
      "Zu dieser Meldung können keine Nachrichten gesendet werden: Auf diesem Server betreut sie niemand.",
  },
  subscribe: {
    title: "Meldungen für ein Gebiet erhalten",
    lead: "Wir schreiben Ihnen, wenn dort eine neue Meldung erscheint. Sie können das jederzeit beenden.",
    which: "Mehrere Orte heißen so. Welcher ist es?",
    radius: "Umkreis",
    species: "Tier",
    anySpecies: "Alle",
    type: "Vermisst oder gefunden",
    anyType: "Beides",
    label: "Ein Name für dieses Gebiet",
    labelHint: "Nur Sie sehen ihn, in unseren E-Mails. Zum Beispiel: Zuhause.",
    email: "Ihre E-Mail-Adresse",
    emailHint:
      "Dorthin senden wir einen Link. Die E-Mails beginnen erst, wenn Sie über diesen Link bestätigen.",
    button: "Weiter",
  },
  embed: {
    more: (site) => `Alle Meldungen auf ${site}`,
    wrong: "Diese Liste kann nicht gezeigt werden: In ihrer Adresse steckt ein Fehler.",
    title: "Für die eigene Website",
    text: "Zeigen Sie auf Ihrer Website die neuesten Meldungen rund um Ihren Ort. Kopieren Sie diesen Code und setzen Sie Ihren Ort ein. Die Liste setzt keine Cookies und führt keine Skripte aus:",
    filters: "Weitere Parameter:",
    docs: "Alle Adressen mit ihren Parametern und Beispielen:",
  },
};
