/** The few words of the cards, in the languages of the pages. */
const TEXTS = {
  en: {
    lost: "Lost",
    found: "Found",
    resolved: "Home again",
    expired: "Expired",
    dog: "Dog",
    cat: "Cat",
    bird: "Bird",
    other: "Pet",
    open: "Open page",
    reasons: "Reasons",
    chance: "{score}% chance that it is the same animal",
  },
  fr: {
    lost: "Perdu",
    found: "Trouvé",
    resolved: "Rentré",
    expired: "Expirée",
    dog: "Chien",
    cat: "Chat",
    bird: "Oiseau",
    other: "Animal",
    open: "Ouvrir la page",
    reasons: "Raisons",
    chance: "{score} % de chances que ce soit le même animal",
  },
  es: {
    lost: "Perdido",
    found: "Encontrado",
    resolved: "Ya está en casa",
    expired: "Caducado",
    dog: "Perro",
    cat: "Gato",
    bird: "Ave",
    other: "Animal",
    open: "Abrir la página",
    reasons: "Motivos",
    chance: "{score} % de probabilidad de que sea el mismo animal",
  },
  de: {
    lost: "Vermisst",
    found: "Gefunden",
    resolved: "Wieder zu Hause",
    expired: "Abgelaufen",
    dog: "Hund",
    cat: "Katze",
    bird: "Vogel",
    other: "Tier",
    open: "Seite öffnen",
    reasons: "Gründe",
    chance: "{score} % Wahrscheinlichkeit, dass es dasselbe Tier ist",
  },
} as const;

/** Labels for a locale of the host ("fr-CA"); English for other languages. */
export function labelsFor(locale: string) {
  const language = locale.slice(0, 2).toLowerCase();
  const known = language in TEXTS ? (language as keyof typeof TEXTS) : "en";
  const texts = TEXTS[known];
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
