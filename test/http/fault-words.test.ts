import { expect, test } from "bun:test";
import { LANGUAGES } from "../../src/core/alert.ts";
import type { FieldReason } from "../../src/core/fault-reason.ts";
import { Fault } from "../../src/core/fault.ts";
import { faultInWords, fieldInWords } from "../../src/http/web/fault-words.ts";
import { WORDS } from "../../src/http/web/words/words.ts";
import { barePicture } from "../../src/photos/bare.ts";

test("a file that is no photo is told of in each language", () => {
  const fault = thrownBy(() => barePicture(Buffer.from("hello")));

  expect(LANGUAGES.map((language) => faultInWords(WORDS[language], fault))).toEqual([
    "One of the files is no photo we can read. Please send JPEG, PNG, WebP or GIF.",
    "L’un des fichiers n’est pas une photo que nous pouvons lire. Envoyez du JPEG, du PNG, du WebP ou du GIF.",
    "Uno de los archivos no es una foto que podamos leer. Envíe JPEG, PNG, WebP o GIF.",
    "Eine der Dateien ist kein Foto, das wir lesen können. Bitte senden Sie JPEG, PNG, WebP oder GIF.",
  ]);
});

test("minutes are counted as each language counts them", () => {
  const wait = (minutes: number) =>
    LANGUAGES.map((language) => {
      const fault = new Fault("too_many", { reason: "too_often", minutes });
      return /\d+ \p{L}+/u.exec(faultInWords(WORDS[language], fault))?.[0];
    });

  expect(wait(1)).toEqual(["1 minute", "1 minute", "1 minuto", "1 Minute"]);
  expect(wait(2)).toEqual(["2 minutes", "2 minutes", "2 minutos", "2 Minuten"]);
});

test("a sentence for programs is told to people as what its code says in general", () => {
  const fault = new Fault("conflict", "The wheel of this program is stuck.");

  for (const language of LANGUAGES) {
    expect(faultInWords(WORDS[language], fault)).toBe(WORDS[language].fault.general.conflict);
  }
  expect(fault.message).toBe("The wheel of this program is stuck.");
});

test("what is wrong with a field stands after its label, and after a question without a colon", () => {
  const { en, fr } = WORDS;
  const tooLong: FieldReason = { kind: "longest", limit: 80 };

  expect(fieldInWords(en, "Colour", tooLong)).toBe("Colour: 80 characters at most, please");
  expect(fieldInWords(fr, "Couleur", tooLong)).toBe("Couleur\u202f: 80 caractères au maximum");
  expect(fieldInWords(en, "Which animal?", { kind: "missing" })).toBe(
    "Which animal? This is still empty",
  );
});

function thrownBy(work: () => unknown): Fault {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("the work was to throw");
}
