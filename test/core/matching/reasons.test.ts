import { expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/core/alerts/alert.ts";
import { BASE_COLORS, type Coat, PATTERNS } from "../../../src/matching/coat-parser.ts";
import { FIELDS } from "../../../src/matching/fields.ts";
import { fieldLabel, type Reason, reasonText } from "../../../src/core/matching/reasons.ts";

const GREY_TABBY: Coat = { colors: ["grey"], pattern: "tabby" };
const GREY_WHITE: Coat = { colors: ["white", "grey"], pattern: "bicolor" };

const EXAMPLES: readonly (readonly [Reason, en: string, fr: string, es: string, de: string])[] = [
  [
    { field: "chip", weight: 100, details: { similarity: "same" } },
    "same microchip",
    "même puce",
    "mismo microchip",
    "gleicher Chip",
  ],
  [
    { field: "distance", weight: 5, details: { kind: "apart", km: 1 } },
    "about 1 km apart",
    "à environ 1 km",
    "a unos 1 km",
    "etwa 1 km entfernt",
  ],
  [
    { field: "distance", weight: -2, details: { kind: "centres apart", km: 17 } },
    "about 17 km apart, measured from the centre of a town",
    "à environ 17 km, mesurés depuis le centre d’une ville",
    "a unos 17 km, medidos desde el centro de una localidad",
    "etwa 17 km entfernt, von der Ortsmitte aus gemessen",
  ],
  [
    { field: "distance", weight: 1, details: { kind: "in town", town: "Paris" } },
    "both in Paris",
    "même ville\u202f: Paris",
    "misma localidad: Paris",
    "beide in Paris",
  ],
  [
    { field: "distance", weight: 1, details: { kind: "around town", town: "Paris" } },
    "both in or near Paris",
    "même secteur\u202f: Paris et environs",
    "misma zona: Paris y alrededores",
    "beide in oder bei Paris",
  ],
  [
    { field: "time", weight: 2, details: { days: 2 } },
    "found 2 days later",
    "trouvé 2 jours après",
    "encontrado 2 días después",
    "2 Tage später gefunden",
  ],
  [
    {
      field: "coat",
      weight: 2,
      details: { lost: GREY_TABBY, found: GREY_TABBY, similarity: "same" },
    },
    "both grey tabby",
    "même couleur\u202f: gris tigré",
    "mismo color: gris atigrado",
    "gleiche Farbe: grau getigert",
  ],
  [
    {
      field: "coat",
      weight: 0.1,
      details: { lost: GREY_TABBY, found: GREY_WHITE, similarity: "similar" },
    },
    "similar colours: one grey tabby, one grey and white",
    "couleurs proches\u202f: l’un gris tigré, l’autre gris et blanc",
    "colores parecidos: uno gris atigrado, el otro gris y blanco",
    "ähnliche Farben: einmal grau getigert, einmal grau-weiß",
  ],
  [
    {
      field: "sex",
      weight: -1,
      details: { lost: "male", found: "female", similarity: "different" },
    },
    "one male, one female",
    "un mâle et une femelle",
    "un macho y una hembra",
    "einmal männlich, einmal weiblich",
  ],
];

test.each(EXAMPLES)("%j is a sentence in four languages", (reason, en, fr, es, de) => {
  expect([en, fr, es, de]).toEqual([
    reasonText(reason, "en"),
    reasonText(reason, "fr"),
    reasonText(reason, "es"),
    reasonText(reason, "de"),
  ]);
});

test("one day and the same day have their own messages", () => {
  const texts = [0, 1, -1].map((days) =>
    reasonText({ field: "time", weight: 1, details: { days } }, "en"),
  );

  expect(texts).toEqual([
    "found the same day",
    "found 1 day later",
    "found 1 day before it was lost, according to the dates given",
  ]);
});

test("every colour, pattern and field has a name in every language", () => {
  for (const language of LANGUAGES) {
    for (const color of BASE_COLORS) {
      for (const pattern of [null, ...PATTERNS]) {
        const coat: Coat = { colors: [color], pattern };
        const reason: Reason = {
          field: "coat",
          weight: 1,
          details: { lost: coat, found: coat, similarity: "same" },
        };
        expect(reasonText(reason, language)).toMatch(/\p{L}{3,}$|\)$/u);
      }
    }
    for (const field of FIELDS) expect(fieldLabel(field, language)).toMatch(/^\p{L}+$/u);
  }
});
