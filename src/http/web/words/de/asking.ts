import type { asking as en } from "../en/asking.ts";

export const asking: typeof en = {
  contact: {
    title: {
      owner: "Nachricht an die Familie",
      finder: "Nachricht zum Fundtier",
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
      "Dorthin senden wir einen Link. Ihre Nachricht geht los, wenn Sie ihn öffnen und den Knopf drücken.",
    message: "Ihre Nachricht",
    messageHint: {
      lost: "Wann und wo haben Sie es gesehen?",
      found:
        "Woran erkennen Sie, dass es Ihres ist? Nennen Sie Abzeichen, Halsband oder Gewohnheiten, die nur seine Familie kennt.",
    },
    takenOut: "Telefonnummern, Adressen und Links werden herausgenommen.",
    button: "Weiter",
    beware:
      "Überweisen Sie nie Geld im Voraus und geben Sie nie einen Code weiter, nach dem jemand Sie fragt.",
    closed: "Dieses Tier ist wieder zu Hause. Die Meldung nimmt keine Nachrichten mehr an.",
    nobody: "Auf diesem Server betreut niemand diese Meldung. Eine Nachricht würde niemand lesen.",
  },
};
