import type { Species } from "../../alerts/alert.ts";
import { LOCALES } from "../../locale.ts";
import type { Coat } from "../../../matching/coat-parser.ts";
import type { DistanceDetails } from "../../../matching/evidence/distance.ts";
import { coatText } from "../reasons.ts";
import type { Shared, SummaryMessages } from "../summary.ts";

const words: SummaryMessages["words"] = {
  coat: (coat) => coatParts(coat).join(" ").trim(),
  size: { small: "klein", medium: "mittelgroß", large: "groß", xlarge: "sehr groß" },
  sex: { male: "männlich", female: "weiblich" },
  age: { baby: "sehr jung", young: "jung", adult: "ausgewachsen", senior: "alt" },
  species: { dog: "ein Hund", cat: "eine Katze", bird: "ein Vogel", other: "ein anderes Tier" },
};
const also = {
  "similar colours": "mit ähnlichen Farben",
  "same breed": "ähnlicher Rasse",
  "similar breed": "von ähnlichem Typ",
  "same name": "mit demselben Namen",
};
/** Article, noun, and the ending of the adjectives between them, in the accusative. */
const NOUNS: Readonly<Record<Species, readonly [article: string, noun: string, ending: string]>> = {
  dog: ["einen", "Hund", "en"],
  cat: ["eine", "Katze", "e"],
  bird: ["einen", "Vogel", "en"],
  other: ["ein", "Tier", "es"],
};

export const de: SummaryMessages = {
  likely: "Es könnte dasselbe Tier sein: ",
  unlikely: "Wahrscheinlich ist es ein anderes Tier, es könnte aber auch dasselbe sein: ",
  sameChip: "Es ist so gut wie sicher dasselbe Tier: Beide Meldungen haben dieselbe Chipnummer",
  both(species, shared) {
    const [article, noun, ending] = NOUNS[species];
    const [coat, ...markings] = shared.coat === undefined ? [""] : coatParts(shared.coat);
    const adjectives = [
      shared.size && words.size[shared.size],
      shared.age && words.age[shared.age],
      shared.sex && words.sex[shared.sex],
      coat,
    ].flatMap((adjective) => (adjective ? [`${adjective}${ending}`] : []));
    const after = LOCALES.de.and([...markings, ...shared.also.map((one) => also[one])]);
    const animal = [article, adjectives.join(", "), noun, after].filter((part) => part !== "");
    return `Beide Meldungen beschreiben ${animal.join(" ")}${lostAndFound(shared)}`;
  },
  but: (clauses) => `; aber ${clauses}`,
  andClause: ", und ",
  contrast: (lost, found) => `das vermisste Tier soll ${lost} sein, das gefundene dagegen ${found}`,
  differs: {
    chip: "die Chipnummern sind verschieden",
    breed: "Rasse oder Aussehen sind verschieden",
    name: "die Namen sind verschieden",
    distance(place) {
      switch (place.kind) {
        case "apart":
          return `die beiden Orte liegen ${distance(place.km)} auseinander`;
        case "centres apart":
          return `die beiden Orte liegen, von der Ortsmitte aus gemessen, ${distance(place.km)} auseinander`;
        case "in town":
          return `genauer als ${place.town} sind die Orte nicht bekannt`;
        case "around town":
          return `genauer als ${place.town} ist einer der Orte nicht bekannt`;
      }
    },
    time: (days) =>
      days < 0
        ? `nach den angegebenen Daten wurde das Tier ${days === -1 ? "am Tag" : `${-days} Tage`} vor dem Verlust gefunden`
        : `gefunden wurde das Tier ${days > 1 ? "erst " : ""}${later(days)}`,
  },
  words,
  ask: {
    owner: (fields) => `Fragen Sie die Familie nach ${fields}: In der Meldung steht dazu nichts.`,
    finder: (fields) =>
      `Fragen Sie die Finderin oder den Finder nach ${fields}: In der Meldung steht dazu nichts.`,
    shelter: (fields) =>
      `Fragen Sie das Tierheim nach ${fields}: In der Meldung steht dazu nichts.`,
    fields: {
      coat: "der Farbe",
      breed: "der Rasse",
      size: "der Größe",
      sex: "dem Geschlecht",
      age: "dem Alter",
      name: "dem Namen",
    },
  },
  check: {
    fits: (fields) => `Nur die andere Meldung nennt ${fields}: Prüfen Sie, ob das passt.`,
    fields: {
      coat: "die Farbe",
      breed: "die Rasse",
      size: "die Größe",
      sex: "das Geschlecht",
      age: "das Alter",
      name: "den Namen",
    },
  },
};

/** Adjective of a coat, and a phrase that follows the noun, if any. */
function coatParts(coat: Coat): readonly [adjective: string, ...after: string[]] {
  switch (coat.pattern) {
    case "tortie":
      return ["schildpattfarben"];
    case "calico":
      return ["dreifarbig"];
    case "pointed":
      return [colorAdjective(coat), "mit dunklen Abzeichen"];
    case "merle":
      return [colorAdjective(coat), "mit Merle-Zeichnung"];
    case "brindle":
    case "tabby":
    case "spotted":
      return [coatText(coat, "de")];
    case "tricolor":
    case "bicolor":
    case "solid":
    case null:
      return [colorAdjective(coat)];
  }
}

/** Colours that take no ending need "-farben" to take one. */
function colorAdjective({ colors }: Coat): string {
  return coatText({ colors, pattern: null }, "de").replace(/(orange|beige|rosa)$/, "$1farben");
}

function lostAndFound({ place, days }: Shared): string {
  const when = days === undefined ? [] : [later(days)];
  const at = place === undefined ? [] : [where(place)];
  const parts = [...when, ...at];
  return parts.length === 0 ? "" : `, vermisst und ${parts.join(" ")} gefunden`;
}

function where(place: DistanceDetails): string {
  switch (place.kind) {
    case "apart":
      return `${distance(place.km)} entfernt`;
    case "centres apart":
      return `${distance(place.km)} entfernt (von der Ortsmitte aus gemessen)`;
    case "in town":
      return `im selben Ort (${place.town})`;
    case "around town":
      return `in derselben Gegend (${place.town} und Umgebung)`;
  }
}

const distance = (km: number) => (km < 1 ? "weniger als 1 km" : `etwa ${km} km`);

function later(days: number): string {
  if (days === 0) return "am selben Tag";
  return days === 1 ? "am nächsten Tag" : `${days} Tage später`;
}
