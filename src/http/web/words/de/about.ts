import type { about as en } from "../en/about.ts";

export const about: typeof en = {
  about: {
    title: "Über diesen Dienst",
    lead: (site) =>
      `${site} ist ein öffentliches Verzeichnis vermisster und gefundener Haustiere. Es ist kostenlos und braucht kein Konto.`,
    how: "So funktioniert es",
    howItems: [
      "Wer etwas veröffentlicht, schreibt oder ein Gebiet beobachten lässt, bekommt zuerst eine E-Mail. Nichts geschieht, bevor diese Person den Link öffnet und einen Knopf drückt.",
      "Nachrichten gehen über uns. Niemand sieht die Adresse der anderen Person.",
      "Telefonnummern, Adressen und Links werden aus öffentlichen Texten und Nachrichten herausgenommen.",
    ],
    privacy: "Was wir speichern, und wie lange",
    privacyItems: [
      "Die genaue Position wird nie gespeichert. Wir runden sie auf etwa 1\u00a0km, bevor wir irgendetwas speichern.",
      "Ein Link zum Bestätigen funktioniert 48 Stunden lang.",
      "Die Adresse der Person, die veröffentlicht hat, und alle Nachrichten werden 30 Tage nach dem Ende der Meldung gelöscht, oder sofort, wenn sie entfernt wird.",
      "Eine Chipnummer wird nie gezeigt. Wir speichern nur einen verschlüsselten Fingerabdruck davon, zum Vergleichen.",
      "Eine Meldung läuft je nach Tier 30 bis 90 Tage und kann verlängert werden.",
      "Diese Seiten setzen keine Cookies und laden nichts von anderswo.",
    ],
    limits: "Grenzen",
    limitsLead: "Von einer Internetadresse, innerhalb einer Stunde:",
    limitItems: ["5 Meldungen", "20 Nachrichten", "10 Gebiete"],
    machines: "Für Programme und Assistenten",
    apiText: "Alle können die Meldungen als JSON lesen, ohne Schlüssel:",
    mcpText:
      "KI-Assistenten suchen, veröffentlichen und schreiben über den Werkzeug-Server (Model Context Protocol):",
    thanks: "Quellen",
    gazetteer: "Namen und Lage der Orte stammen von",
    license: "unter der Lizenz CC BY 4.0.",
  },
};
