import { type Language, LANGUAGES } from "../messages/languages.ts";
import { Fault } from "../core/fault.ts";

/** Pages that operators add their own text to. */
const LEGAL_PAGES = ["imprint", "privacy", "terms"] as const;
export type LegalPage = (typeof LEGAL_PAGES)[number];

/** Operator's own text for one page, in one language or in an unknown one. */
export type OperatorText = {
  readonly page: LegalPage;
  readonly language: Language | null;
  readonly blocks: readonly TextBlock[];
};
export type TextBlock =
  | { readonly kind: "heading" | "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] };

/**
 * Reads the operator's file. A line `# Imprint`, `# Privacy de` or `# Terms` begins the text of one page, in one language
 * if it names one. In it, `## ` begins a heading, `- ` an item of a list, and an empty line ends a paragraph. Throws
 * `bad_input` with a sentence for the operator.
 */
export function parseOperatorTexts(file: string): readonly OperatorText[] {
  const texts: (OperatorText & { readonly lines: string[] })[] = [];
  for (const [at, line] of file
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const title = /^#\s+(.*\S)/.exec(line)?.[1];
    if (title !== undefined) texts.push({ ...readTitle(title, at + 1), blocks: [], lines: [] });
    else if (texts.length > 0) texts.at(-1)?.lines.push(line.trim());
    else if (line.trim() !== "")
      throw wrong("must begin with a line such as # Imprint, # Privacy or # Terms de");
  }
  return texts.map(({ page, language, lines }) => ({ page, language, blocks: blocksOf(lines) }));
}

/** Text to show to a reader of a page: in the reader's language, else in an unknown one, else the first one. */
export function operatorTextFor(
  texts: readonly OperatorText[],
  page: LegalPage,
  language: Language,
): OperatorText | null {
  const ofPage = texts.filter((text) => text.page === page);
  const first = (wanted: Language | null) => ofPage.find((text) => text.language === wanted);
  return first(language) ?? first(null) ?? ofPage[0] ?? null;
}

function wrong(what: string): Fault {
  return new Fault("bad_input", `The file of the setting LEGAL_FILE ${what}.`);
}

function readTitle(title: string, line: number): Pick<OperatorText, "page" | "language"> {
  const [name = "", code, ...more] = title.toLowerCase().split(/\s+/);
  const page = LEGAL_PAGES.find((known) => known === name);
  const language = LANGUAGES.find((known) => known === code);
  if (page === undefined || more.length > 0 || (code !== undefined && language === undefined))
    throw wrong(
      `has a title in line ${line} that is not Imprint, Privacy or Terms, with or without a language (${LANGUAGES.join(", ")}): "${title}"`,
    );
  return { page, language: language ?? null };
}

function blocksOf(lines: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  const end = () => {
    if (paragraph.length > 0) blocks.push({ kind: "paragraph", text: paragraph.join("\n") });
    if (items.length > 0) blocks.push({ kind: "list", items });
    [paragraph, items] = [[], []];
  };
  for (const line of lines) {
    const heading = /^##+\s+(.+)/.exec(line)?.[1];
    const item = /^[-*]\s+(.+)/.exec(line)?.[1];
    if (heading !== undefined || line === "" || (item !== undefined) !== items.length > 0) end();
    if (heading !== undefined) blocks.push({ kind: "heading", text: heading });
    else if (item !== undefined) items.push(item);
    else if (line !== "") paragraph.push(line);
  }
  end();
  return blocks;
}
