import { expect, test } from "bun:test";
import { LANGUAGES } from "../../../src/messages/languages.ts";
import { ERROR_MESSAGES, PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { Fault, type FieldReason } from "../../../src/core/fault.ts";
import { faultMessage, fieldMessage } from "../../../src/http/web/form/field.tsx";
import { stripMetadata } from "../../../src/photos/strip-metadata.ts";

test("a file that is no photo is told of in each language", () => {
  const fault = thrownBy(() => stripMetadata(Buffer.from("hello")));

  expect(LANGUAGES.map((language) => faultMessage(PAGE_MESSAGES[language], fault))).toEqual([
    "One of the files isn’t a photo we can read. Please send JPEG, PNG, WebP or GIF.",
    "L’un des fichiers n’est pas une photo que nous pouvons lire. Envoyez du JPEG, du PNG, du WebP ou du GIF.",
    "Uno de los archivos no es una foto que podamos leer. Envíe JPEG, PNG, WebP o GIF.",
    "Eine der Dateien ist kein Foto, das wir lesen können. Bitte senden Sie JPEG, PNG, WebP oder GIF.",
  ]);
});

test("minutes are counted as each language counts them", () => {
  const wait = (minutes: number) =>
    LANGUAGES.map((language) => {
      const fault = new Fault("too_many", { reason: "too_often", minutes });
      return /\d+ \p{L}+/u.exec(faultMessage(PAGE_MESSAGES[language], fault))?.[0];
    });

  expect(wait(1)).toEqual(["1 minute", "1 minute", "1 minuto", "1 Minute"]);
  expect(wait(2)).toEqual(["2 minutes", "2 minutes", "2 minutos", "2 Minuten"]);
});

test("a sentence for programs is told to people as what its code says in general", () => {
  const fault = new Fault("conflict", "The wheel of this program is stuck.");

  for (const language of LANGUAGES) {
    expect(faultMessage(PAGE_MESSAGES[language], fault)).toBe(
      ERROR_MESSAGES[language].general.conflict,
    );
  }
  expect(fault.message).toBe("The wheel of this program is stuck.");
});

test("what is wrong with a field stands after its label, and after a question without a colon", () => {
  const { en, fr } = PAGE_MESSAGES;
  const tooLong: FieldReason = { kind: "longest", limit: 80 };

  expect(fieldMessage(en, "Colour", tooLong)).toBe("Colour: no more than 80 characters, please");
  expect(fieldMessage(fr, "Couleur", tooLong)).toBe("Couleur\u202f: 80 caractères au maximum");
  expect(fieldMessage(en, "Which animal?", { kind: "missing" })).toBe(
    "Which animal? Please fill this in",
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
