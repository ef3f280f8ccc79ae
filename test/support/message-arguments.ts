import {
  isArgumentElement,
  isNumberElement,
  isPluralElement,
  isSelectElement,
  type MessageFormatElement,
  parse,
} from "@formatjs/icu-messageformat-parser";
import { relative } from "node:path";
import { type MessageFile, OF_TOWN } from "../../src/messages/compile.ts";
import { type Language, LANGUAGES } from "../../src/values/language.ts";

// `bun run messages` writes the arguments of every message for the type checker, from the JSON files of all languages.

/** Folder of the types of each file that the languages have. */
export const MESSAGE_FOLDERS = {
  pages: "src/http/web/messages",
  emails: "src/mail/messages",
  matches: "src/core/matches/messages",
} as const;
export type MessageFileName = keyof typeof MESSAGE_FOLDERS;

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

export function messageFile(name: MessageFileName, language: Language): Promise<MessageFile> {
  return Bun.file(`src/messages/${language}/${name}.json`).json();
}

/** Source of a folder's `arguments.ts`. A translation may use arguments that English does not need. */
export async function argumentsSource(name: MessageFileName): Promise<string> {
  const all = new Map<string, Map<string, string>>();
  for (const language of LANGUAGES) {
    for (const [path, text] of textsOf(await messageFile(name, language))) {
      const merged = all.get(path) ?? new Map<string, string>();
      for (const [name, type] of argumentsOf(text))
        if (merged.get(name) !== "number") merged.set(name, type);
      all.set(path, merged);
    }
  }
  const rows = [...all]
    .filter(([, names]) => names.size > 0)
    .map(([path, names]) => {
      const members = [...names].map(([name, type]) => `${name}: ${type}`).join("; ");
      return `  ${/^\w+$/.test(path) ? path : JSON.stringify(path)}: { ${members} };`;
    });
  const type = `export type MessageArguments = {\n${rows.join("\n")}\n};\n`;
  const from = relative(MESSAGE_FOLDERS[name], "src/messages");
  const used = type.includes("Argument;") || type.includes("Argument }");
  return `${used ? `import type { Argument } from "${from}/compile.ts";\n\n` : ""}// Written by \`bun run messages\` from the JSON files.\n\n${type}`;
}

if (import.meta.main) {
  for (const [name, folder] of Object.entries(MESSAGE_FOLDERS)) {
    const file = `${folder}/arguments.ts`;
    await Bun.write(file, await argumentsSource(name as MessageFileName));
    Bun.spawnSync(["bun", "fmt", file]);
  }
}
