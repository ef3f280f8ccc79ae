import { describe, expect, test } from "bun:test";
import { type Language, LANGUAGES, UNREVIEWED_LANGUAGES } from "../src/messages/languages.ts";
import { ERROR_MESSAGES, PAGE_MESSAGES } from "../src/messages/messages.ts";
import { CONTACT_KINDS } from "../src/redaction/redact.ts";
import { type MessageFile, say as sayMessage } from "../src/messages/compile.ts";
import { messagesIn } from "../src/messages/locale.ts";
import { argumentsOf, messageFile, textsOf } from "./support/message-arguments.ts";

/** What translators edit. */
const FILES = Object.fromEntries(
  await Promise.all(
    LANGUAGES.map(async (language) => [
      language,
      {
        ...(await messageFile("pages", language)),
        errors: await messageFile("errors", language),
      },
    ]),
  ),
) as Readonly<Record<Language, MessageFile>>;
const NOON = Date.UTC(2026, 10, 21, 12, 5);
const NIGHT = Date.UTC(2026, 10, 1, 1, 5);
/** Words that happen to be spelled as in English. */
const SAME_AS_ENGLISH: Readonly<Record<Exclude<Language, "en">, readonly string[]>> = {
  fr: [
    "11 conversations",
    "11 messages",
    "11 photos",
    "Animal",
    "API",
    "Chinchillas",
    "Conversation",
    "Corgis",
    "Date",
    "Description",
    "Message",
    "Messages (11)",
    "Photo 11",
    "Photos",
  ],
  es: ["Collar", "Animal", "API", "Chinchillas", "Corgis"],
  de: [
    "API",
    "Chinchillas",
    "Corgis",
    "Feed (Atom)",
    "Manx, Bobtail",
    "Moderation",
    "Name",
    "Rex, Sphynx",
    "Scottish Fold, Munchkin",
    "Website",
  ],
};

describe.each(LANGUAGES.map((language) => [language]))("the pages in %s", (language) => {
  const words = wordsIn(language);

  test("have every sentence of the English ones, with the same arguments, and no other", () => {
    expect(argumentsByPath(FILES[language])).toEqual(argumentsByPath(FILES.en));
    expect(words.language).toBe(language);
  });

  test("say something each time, without stray spaces or leftovers of a value", () => {
    for (const [path, said] of sayingsOf(words)) {
      expect([path, said]).toEqual([path, expect.stringMatching(/^(?!.*\s\s)\S(?:.*\S)?$/)]);
      expect([path, said]).not.toEqual([path, expect.stringMatching(/undefined|NaN|\[object/)]);
    }
  });

  test("hold what a sentence is given", () => {
    for (const [path, text] of textsOf(FILES[language])) {
      const given = Object.fromEntries(
        [...argumentsOf(text).keys()].map((name, nth) => [name, 11 + nth]),
      );
      for (const value of Object.values(given))
        expect([path, say(words, path, given)]).toEqual([
          path,
          expect.stringContaining(String(value)),
        ]);
    }
  });

  test("tell one of anything in the singular", () => {
    for (const [path, text] of textsOf(FILES[language])) {
      if (!/, plural, (?:one|=1)/.test(text)) continue;
      const given = (count: number) =>
        Object.fromEntries([...argumentsOf(text).keys()].map((name) => [name, count]));
      const one = say(words, path, given(1));
      expect([path, one]).not.toEqual([path, say(words, path, given(2)).replaceAll("2", "1")]);
    }
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

test.each(LANGUAGES)("every file in %s has the texts of the English one", async (language) => {
  for (const name of ["emails", "errors", "matches", "pages", "plan"]) {
    const paths = async (of: Language) =>
      textsOf(await messageFile(name, of)).map(([path]) => path);

    expect([name, ...(await paths(language)).toSorted()]).toEqual([
      name,
      ...(await paths("en")).toSorted(),
    ]);
  }
});

test.each(UNREVIEWED_LANGUAGES)(
  "a text that %s lacks is English, and it has none of its own making",
  async (language) => {
    for (const name of ["pages", "locale"]) {
      const english = new Map(textsOf(await messageFile(name, "en")));
      for (const [path, text] of textsOf(await messageFile(name, language))) {
        expect([path, english.has(path)]).toEqual([path, true]);
        const names = (of: string) =>
          [...argumentsOf(of).keys()].filter((each) => each !== "gender").sort();
        expect([path, ...names(text)]).toEqual([path, ...names(english.get(path)!)]);
      }
    }
    const own = textsOf(await messageFile("pages", language));
    expect(own.length).toBeGreaterThan(200);
    expect(PAGE_MESSAGES[language].privacy.stored).toBe(PAGE_MESSAGES.en.privacy.stored);
    expect(ERROR_MESSAGES[language].because.busy).toBe(ERROR_MESSAGES.en.because.busy);
  },
);

test.each([["fr"], ["es"], ["de"]] as const)("no English is left over in %s", (language) => {
  const english = new Map(sayingsOf(wordsIn("en")));

  const leftOver = sayingsOf(wordsIn(language))
    .filter(([path, said]) => /\p{L}{3}/u.test(said) && english.get(path) === said)
    .map(([, said]) => said);

  expect(new Set(leftOver)).toEqual(new Set(SAME_AS_ENGLISH[language]));
});

describe("days and moments", () => {
  test("are written as each language writes them, in UTC", () => {
    expect(LANGUAGES.map((language) => PAGE_MESSAGES[language].day(NOON))).toEqual([
      "21 November 2026",
      "21 novembre 2026",
      "21 de noviembre de 2026",
      "21. November 2026",
    ]);
    expect(LANGUAGES.map((language) => PAGE_MESSAGES[language].moment(NOON))).toEqual([
      "21 November 2026 at 12:05 UTC",
      "21 novembre 2026 à 12\u00a0h\u00a005 (UTC)",
      "21 de noviembre de 2026 a las 12:05 (UTC)",
      "21. November 2026 um 12:05 Uhr (UTC)",
    ]);
  });

  test("begin a month and a night as one says it", () => {
    expect(PAGE_MESSAGES.fr.moment(NIGHT)).toBe("1er novembre 2026 à 1\u00a0h\u00a005 (UTC)");
    expect(PAGE_MESSAGES.es.moment(NIGHT)).toBe("1 de noviembre de 2026 a la 1:05 (UTC)");
  });
});

test("lists end in the word for and", () => {
  const list = (language: Language) => PAGE_MESSAGES[language].and(["Ana", "Luz", "Irene"]);

  expect(LANGUAGES.map(list)).toEqual([
    "Ana, Luz and Irene",
    "Ana, Luz et Irene",
    // Before an i, "y" turns into "e".
    "Ana, Luz e Irene",
    "Ana, Luz und Irene",
  ]);
  for (const language of LANGUAGES) {
    expect(PAGE_MESSAGES[language].and(["Ana"])).toBe("Ana");
    expect(PAGE_MESSAGES[language].and([])).toBe("");
  }
});

type Said = string | ((values: Record<string, string | number>) => string);
const compile = (file: MessageFile, language: "en" | "fr" = "en") =>
  messagesIn({ [language]: JSON.stringify(file) }, language) as unknown as Record<string, Said>;
const said = (text: string, values: Record<string, string | number>, language?: "en" | "fr") =>
  sayMessage(compile({ text }, language)["text"]!, values);

describe("a message", () => {
  test("counts as its language does", () => {
    const french = "{count, plural, one {# alerte} other {# alertes}}";

    expect([0, 1, 2].map((count) => said(french, { count }, "fr"))).toEqual([
      "0 alerte",
      "1 alerte",
      "2 alertes",
    ]);
    expect(said("{count, plural, one {# alert} other {# alerts}}", { count: 0 })).toBe("0 alerts");
  });

  test("leaves quoted braces to the scripts", () => {
    expect(compile({ text: "No more than '{max}' photos." })["text"]).toBe(
      "No more than {max} photos.",
    );
  });

  test("says what it is given as it is, markup and braces included", () => {
    const name = "<b>{count}</b> '{x}'";

    expect(said("We couldn’t find “{name}” <b>", { name })).toBe(`We couldn’t find “${name}” <b>`);
  });

  test("joins of and town as French does", () => {
    const towns = ["Lyon", "Annecy", "Le Mans", "Les Arcs"];

    expect(towns.map((town) => said("près {ofTown}", { town }, "fr"))).toEqual([
      "près de Lyon",
      "près d’Annecy",
      "près du Mans",
      "près des Arcs",
    ]);
  });
});

type Words = ReturnType<typeof wordsIn>;

function wordsIn(language: Language) {
  return { ...PAGE_MESSAGES[language], errors: ERROR_MESSAGES[language] };
}

/** Names of the arguments of every text. */
function argumentsByPath(file: MessageFile): Record<string, string[]> {
  return Object.fromEntries(
    textsOf(file).map(([path, text]) => [path, [...argumentsOf(text).keys()].sort()]),
  );
}

/** Every sentence as it is said, with its path, "home.title"; numbers stand for what it takes. */
function sayingsOf(words: Words): [path: string, said: string][] {
  return textsOf(FILES[words.language]).map(([path, text]) => {
    const names = [...argumentsOf(text).keys()];
    const given = Object.fromEntries(names.map((name, nth) => [name, 11 + nth]));
    return [path, say(words, path, given)];
  });
}

function say(words: Words, path: string, given: Readonly<Record<string, number>>): string {
  const message = path.split(".").reduce<unknown>((node, key) => (node as never)[key], words);
  return typeof message === "function" ? message(given) : String(message);
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
