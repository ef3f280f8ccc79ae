import type { embed as en } from "../en/embed.ts";

export const embed: typeof en = {
  embed: {
    more: (site) => `Alle Meldungen auf ${site}`,
    wrong: "Diese Liste kann nicht gezeigt werden: In ihrer Adresse steckt ein Fehler.",
    title: "Für die eigene Website",
    text: "Zeigen Sie auf Ihren Seiten die neuesten Meldungen rund um Ihren Ort. Kopieren Sie dies und setzen Sie Ihren Ort ein. Die Liste setzt keine Cookies und führt keine Skripte aus:",
    filters: "Ebenfalls möglich:",
    docs: "Alle Adressen mit ihren Parametern und Beispielen:",
  },
};
