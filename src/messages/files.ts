import { existsSync, readFileSync } from "node:fs";
import { PAGE_LANGUAGES } from "./languages.ts";

/**
 * Texts of a file in each language that has it, as JSON. Called as a macro (`with { type: "macro" }`), so that they are
 * part of the program. They stay text until a language is used.
 */
export function filesNamed(name: string): Readonly<Record<string, string>> {
  const files = PAGE_LANGUAGES.map((language) => {
    const file = `${import.meta.dir}/${language}/${name}.json`;
    return existsSync(file)
      ? [language, JSON.stringify(JSON.parse(readFileSync(file, "utf8")))]
      : [];
  });
  return Object.fromEntries(files.filter(({ length }) => length > 0));
}
