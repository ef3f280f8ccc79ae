import type en from "../../../../messages/en/cards.json";

/** `cards.json` of each language, which the bundler puts here. */
declare const CARD_TEXTS: Readonly<Record<string, typeof en>>;
const TEXTS = CARD_TEXTS;

/** Labels for a locale of the host ("fr-CA"); English for other languages. */
export function labelsFor(locale: string) {
  const language = locale.slice(0, 2).toLowerCase();
  const known = language in TEXTS ? language : "en";
  const texts = TEXTS[known]!;
  return {
    language: known,
    type: { lost: texts.lost, found: texts.found },
    open: texts.open,
    reasons: texts.reasons,
    species: (species: string) =>
      species === "dog" || species === "cat" || species === "bird" ? texts[species] : texts.other,
    /** Null for an active alert. */
    status: (status: string) =>
      status === "resolved" || status === "expired" ? texts[status] : null,
    chance: (score: number) => texts.chance.replace("{score}", String(score)),
    km: (km: unknown) =>
      typeof km === "number"
        ? new Intl.NumberFormat(known, { style: "unit", unit: "kilometer" }).format(km)
        : null,
    /** Day of an ISO date; it has no time zone. */
    day: (date: unknown) =>
      typeof date === "string" && !Number.isNaN(Date.parse(date))
        ? new Intl.DateTimeFormat(known, { dateStyle: "medium", timeZone: "UTC" }).format(
            Date.parse(date),
          )
        : null,
  };
}
