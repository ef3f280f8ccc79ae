import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
} from "@formatjs/icu-messageformat-parser";
import { type MessageFile, OF_TOWN } from "../../src/messages/compile.ts";
import { LANGUAGES, type PageLanguage } from "../../src/messages/languages.ts";

// `bun run messages` writes the arguments of every message for the type checker, from the JSON files of all languages.

const TYPES = "src/messages/arguments.ts";
/** Files of a language whose texts have arguments. */
export const MESSAGE_FILES = ["pages", "emails", "matches", "errors", "locale"] as const;

/** Names of a text's arguments, with the type of each. */
export function argumentsOf(text: string): Map<string, "number" | "Argument"> {
  const found = new Map<string, "number" | "Argument">();
  const walk = (elements: readonly MessageFormatElement[]) => {
    for (const element of elements) {
      if (isNumberElement(element) || isPluralElement(element)) found.set(element.value, "number");
      else if (isArgumentElement(element) && !found.has(element.value))
        found.set(element.value, "Argument");
      else if (isSelectElement(element)) found.set(element.value, "Argument");
      if (isPluralElement(element) || isSelectElement(element))
        for (const { value } of Object.values(element.options)) walk(value);
    }
  };
  walk(parse(text, { ignoreTag: true }));
  if (found.delete(OF_TOWN)) found.set("town", "Argument");
  return found;
}

/** Every text of a file with its path, "home.title"; those of a list have a number. */
export function textsOf(file: MessageFile | readonly string[], path = ""): [string, string][] {
  return Object.entries(file).flatMap(([key, message]): [string, string][] =>
    typeof message === "string" ? [[`${path}${key}`, message]] : textsOf(message, `${path}${key}.`),
  );
}

/** File of a language; empty if the language lacks it. */
export async function messageFile(name: string, language: PageLanguage): Promise<MessageFile> {
  const file = Bun.file(`src/messages/${language}/${name}.json`);
  return (await file.exists()) ? file.json() : {};
}

/** Source of a type for the arguments in a file. A translation may use arguments that English does not need. */
async function typeOf(name: string): Promise<string> {
  const all = new Map<string, Map<string, string>>();
  for (const language of LANGUAGES) {
    for (const [path, text] of textsOf(await messageFile(name, language))) {
      const merged = all.get(path) ?? new Map<string, string>();
      for (const [argument, type] of argumentsOf(text))
        if (merged.get(argument) !== "number") merged.set(argument, type);
      all.set(path, merged);
    }
  }
  const rows = [...all].map(
    ([path, names]) =>
      `    ${JSON.stringify(path)}: { ${[...names].map((each) => each.join(": ")).join("; ")} };\n`,
  );
  return `  ${name}: {\n${rows.filter((row) => !row.includes("{  }")).join("")}  };\n`;
}

if (import.meta.main) {
  const types = await Promise.all([...MESSAGE_FILES, "programs"].map(typeOf));
  await Bun.write(
    TYPES,
    `import type { Argument } from "./compile.ts";\n\nexport type MessageArguments = {\n${types.join("")}};\n`,
  );
}
