import type { subscribing as en } from "../en/subscribing.ts";

export const subscribing: typeof en = {
  subscribe: {
    title: "Ein Gebiet beobachten",
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
      "Dorthin senden wir einen Link. Die E-Mails beginnen erst, wenn Sie dort den Knopf drücken.",
    button: "Weiter",
  },
};
