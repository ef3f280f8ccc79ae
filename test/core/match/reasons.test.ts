import { expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/core/alert.ts";
import { BASE_COLORS, type Coat, PATTERNS } from "../../../src/core/match/coat.ts";
import { FIELDS } from "../../../src/core/match/fields.ts";
import { fieldInWords, type Reason, reasonInWords } from "../../../src/core/match/reasons.ts";

const GREY_TABBY: Coat = { colors: ["grey"], pattern: "tabby" };
const GREY_WHITE: Coat = { colors: ["white", "grey"], pattern: "bicolor" };

const EXAMPLES: readonly (readonly [Reason, en: string, fr: string, es: string, de: string])[] = [
  [
    { field: "chip", weight: 100, said: { is: "same" } },
    "same microchip",
    "même puce",
    "mismo microchip",
    "gleicher Chip",
  ],
  [
    { field: "place", weight: 5, said: { is: "apart", km: 1 } },
    "about 1 km apart",
    "à environ 1 km",
    "a unos 1 km",
    "etwa 1 km entfernt",
  ],
  [
    { field: "place", weight: -2, said: { is: "centres apart", km: 17 } },
    "about 17 km apart, measured from the centre of a town",
    "à environ 17 km, mesurés depuis le centre d’une ville",
    "a unos 17 km, medidos desde el centro de una localidad",
    "etwa 17 km entfernt, gemessen von einer Ortsmitte",
  ],
  [
    { field: "place", weight: 1, said: { is: "in town", town: "Paris" } },
    "both in Paris",
    "même ville\u202f: Paris",
    "misma localidad: Paris",
    "beide in Paris",
  ],
  [
    { field: "place", weight: 1, said: { is: "around town", town: "Paris" } },
    "both in or near Paris",
    "même secteur\u202f: Paris et environs",
    "misma zona: Paris y alrededores",
    "beide in oder bei Paris",
  ],
  [
    { field: "time", weight: 2, said: { days: 2 } },
    "found 2 days after",
    "trouvé 2 jours après",
    "encontrado 2 días después",
    "2 Tage später gefunden",
  ],
  [
    { field: "coat", weight: 2, said: { lost: GREY_TABBY, found: GREY_TABBY, is: "same" } },
    "both grey tabby",
    "même couleur\u202f: gris tigré",
    "mismo color: gris atigrado",
    "gleiche Farbe: grau getigert",
  ],
  [
    { field: "coat", weight: 0.1, said: { lost: GREY_TABBY, found: GREY_WHITE, is: "alike" } },
    "similar colours: grey tabby; grey and white",
    "couleurs proches\u202f: gris tigré\u202f; gris et blanc",
    "colores parecidos: gris atigrado; gris y blanco",
    "ähnliche Farben: grau getigert; grau-weiß",
  ],
  [
    { field: "sex", weight: -1, said: { lost: "male", found: "female", is: "different" } },
    "sex differs",
    "sexe différent",
    "sexo distinto",
    "anderes Geschlecht",
  ],
];

test.each(EXAMPLES)("%j is a sentence in four languages", (reason, en, fr, es, de) => {
  expect([en, fr, es, de]).toEqual([
    reasonInWords(reason, "en"),
    reasonInWords(reason, "fr"),
    reasonInWords(reason, "es"),
    reasonInWords(reason, "de"),
  ]);
});

test("one day and the same day are told as people tell them", () => {
  const told = [0, 1, -1].map((days) =>
    reasonInWords({ field: "time", weight: 1, said: { days } }, "en"),
  );

  expect(told).toEqual([
    "found the same day",
    "found 1 day after",
    "found 1 day before it was lost, by the dates given",
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
          said: { lost: coat, found: coat, is: "same" },
        };
        expect(reasonInWords(reason, language)).toMatch(/\p{L}{3,}$|\)$/u);
      }
    }
    for (const field of FIELDS) expect(fieldInWords(field, language)).toMatch(/^\p{L}+$/u);
  }
});
