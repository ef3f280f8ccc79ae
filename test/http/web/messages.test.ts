import { describe, expect, test } from "bun:test";
import { LANGUAGES, type Language } from "../../../src/core/alerts/alert.ts";
import { CONTACT_KINDS } from "../../../src/core/redaction/redact.ts";
import { type Messages, MESSAGES } from "../../../src/http/web/messages/messages.ts";

const { en } = MESSAGES;
const NOON = Date.UTC(2026, 10, 21, 12, 5);
const NIGHT = Date.UTC(2026, 10, 1, 1, 5);
/** They do more than put words around what they are given, so each has its own test. */
const SHOWN_APART = new Set(["day", "moment", "country", "and", "home.total"]);
/** What a sentence is given, one value for each parameter. Digits, because numbers must take them too. */
const SAMPLES = ["11", "12", "13", "14"];
/** Words that happen to be spelled as in English. */
const SAME_AS_ENGLISH: Readonly<Record<Exclude<Language, "en">, readonly string[]>> = {
  fr: [
    "11 conversations",
    "11 messages",
    "11 photos",
    "Animal",
    "API",
    "Conversation",
    "Date",
    "Description",
    "Message",
    "Messages (11)",
    "Photo 11",
    "Photos",
  ],
  es: ["Animal", "API"],
  de: ["API", "Name", "Moderation"],
};

describe.each(LANGUAGES.map((language) => [language]))("the pages in %s", (language) => {
  const words = MESSAGES[language];

  test("have every sentence of the English ones, of the same kind, and no other", () => {
    expect(kindsOf(words)).toEqual(kindsOf(en));
    expect(words.language).toBe(language);
  });

  test("say something each time, without stray spaces or leftovers of a value", () => {
    for (const [path, said] of sayingsOf(words)) {
      expect([path, said]).toEqual([path, expect.stringMatching(/^(?!.*\s\s)\S(?:.*\S)?$/)]);
      expect([path, said]).not.toEqual([path, expect.stringMatching(/undefined|NaN|\[object/)]);
    }
  });

  test("hold what a sentence is given", () => {
    for (const [path, sentence] of leavesOf(words)) {
      if (typeof sentence === "string" || SHOWN_APART.has(path)) continue;
      for (const sample of SAMPLES.slice(0, sentence.length)) {
        expect([path, sentence(...SAMPLES)]).toEqual([path, expect.stringContaining(sample)]);
      }
    }
  });

  test("tell the number of alerts, and when there are more", () => {
    const { total } = words.home;
    expect(total({ count: 1, isMore: false })).toContain("1");
    expect(total({ count: 37, isMore: false })).toContain("37");
    expect(total({ count: 37, isMore: true })).not.toBe(total({ count: 37, isMore: false }));
  });

  test("keep to the typography of the language", () => {
    for (const [path, said] of sayingsOf(words)) {
      expect([path, ...slipsIn(said, language)]).toEqual([path]);
    }
  });

  test("name every kind of contact detail that is taken out", () => {
    expect(Object.keys(words.contactKind)).toEqual([...CONTACT_KINDS]);
  });
});

test.each([["fr"], ["es"], ["de"]] as const)("no English is left over in %s", (language) => {
  const english = new Map(sayingsOf(en));

  const leftOver = sayingsOf(MESSAGES[language])
    .filter(([path, said]) => /\p{L}{3}/u.test(said) && english.get(path) === said)
    .map(([, said]) => said);

  expect(new Set(leftOver)).toEqual(new Set(SAME_AS_ENGLISH[language]));
});

describe("the typography of a language", () => {
  test("is missed where it is broken", () => {
    expect(slipsIn("Perdu\u202f: «\u202fMimi\u202f», l’avez-vous vu\u202f?", "fr")).toEqual([]);
    expect(slipsIn("Perdu: « Mimi ».", "fr")).toEqual(["u:", "« ", " »"]);
    expect(slipsIn("¿Es él? ¡Qué alegría! «Mimi»", "es")).toEqual([]);
    expect(slipsIn("Es él? ¡Qué alegría! “Mimi”", "es")).toEqual(["?", "“", "”"]);
    expect(slipsIn("„Mimi“ ist da", "de")).toEqual([]);
    expect(slipsIn("“Mimi” ist's", "de")).toEqual(["“", "”", "'"]);
    expect(slipsIn('"Mimi" isn\'t „lost“...', "en")).toEqual(['"', '"', "'", "„", "..."]);
  });
});

describe("days and moments", () => {
  test("are written as each language writes them, in UTC", () => {
    expect(LANGUAGES.map((language) => MESSAGES[language].day(NOON))).toEqual([
      "21 November 2026",
      "21 novembre 2026",
      "21 de noviembre de 2026",
      "21. November 2026",
    ]);
    expect(LANGUAGES.map((language) => MESSAGES[language].moment(NOON))).toEqual([
      "21 November 2026 at 12:05 UTC",
      "21 novembre 2026 à 12\u00a0h\u00a005 (UTC)",
      "21 de noviembre de 2026 a las 12:05 (UTC)",
      "21. November 2026 um 12:05 Uhr (UTC)",
    ]);
  });

  test("begin a month and a night as one says it", () => {
    expect(MESSAGES.fr.moment(NIGHT)).toBe("1er novembre 2026 à 1\u00a0h\u00a005 (UTC)");
    expect(MESSAGES.es.moment(NIGHT)).toBe("1 de noviembre de 2026 a la 1:05 (UTC)");
  });

  test("are the same from a date as from a time", () => {
    for (const language of LANGUAGES) {
      expect(MESSAGES[language].day("2026-11-21")).toBe(MESSAGES[language].day(NOON));
    }
  });
});

test("countries have their names in each language", () => {
  expect(LANGUAGES.map((language) => MESSAGES[language].country("DE"))).toEqual([
    "Germany",
    "Allemagne",
    "Alemania",
    "Deutschland",
  ]);
});

test("lists end in the word for and", () => {
  const list = (language: Language) => MESSAGES[language].and(["Ana", "Luz", "Irene"]);

  expect(LANGUAGES.map(list)).toEqual([
    "Ana, Luz and Irene",
    "Ana, Luz et Irene",
    // Before an i, "y" turns into "e".
    "Ana, Luz e Irene",
    "Ana, Luz und Irene",
  ]);
  for (const language of LANGUAGES) {
    expect(MESSAGES[language].and(["Ana"])).toBe("Ana");
    expect(MESSAGES[language].and([])).toBe("");
  }
});

type Sentence = string | ((...given: readonly string[]) => string);

/** Every sentence with the way to it, "home.title". */
function leavesOf(node: unknown, path = ""): [path: string, sentence: Sentence][] {
  if (typeof node === "string" || typeof node === "function") return [[path, node as Sentence]];
  return Object.entries(node as object).flatMap(([name, child]) =>
    leavesOf(child, path === "" ? name : `${path}.${name}`),
  );
}

/** Every sentence as it is said, with samples where it takes something. */
function sayingsOf(words: Messages): [path: string, said: string][] {
  return leavesOf(words)
    .filter(([path]) => !SHOWN_APART.has(path) && path !== "language")
    .map(([path, sentence]) => [
      path,
      typeof sentence === "string" ? sentence : sentence(...SAMPLES),
    ]);
}

function kindsOf(words: Messages): Record<string, string> {
  return Object.fromEntries(
    leavesOf(words).map(([path, sentence]) => [
      path,
      typeof sentence === "string" ? "text" : `takes ${sentence.length}`,
    ]),
  );
}

const NEVER = `["']|\\.\\.\\.`;
const SLIPS: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(`${NEVER}|[«»„]`, "g"),
  // A narrow space that does not break stands before : ; ! ? and inside « ».
  fr: new RegExp(`${NEVER}|[“”„]|[^\\u202f][:;!?]|«[^\\u202f]|[^\\u202f]»`, "g"),
  es: new RegExp(`${NEVER}|[“”„]|(?<!¿[^?]*)\\?|(?<!¡[^!]*)!`, "g"),
  de: new RegExp(`${NEVER}|[«»”]|(?<!„[^“]*)“`, "g"),
};

/** What breaks the typography of the language: nothing, where all is well. */
function slipsIn(said: string, language: Language): string[] {
  return [...said.matchAll(SLIPS[language])].map(([slip]) => slip);
}
