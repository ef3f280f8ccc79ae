import type { Language } from "../../../core/alerts/alert.ts";
import { type Locale, LOCALES } from "../../../core/locale.ts";
import { type Compiled, compileMessages } from "../../../core/messages.ts";
import type { MessageArguments } from "./arguments.ts";
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };

type PageFile = typeof en;

/** Messages of the pages in one language. English defines the keys; a key missing in another language does not compile. */
export type Messages = Compiled<PageFile, MessageArguments> &
  Locale & { readonly language: Language };

export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en: messagesOf("en", en),
  fr: messagesOf("fr", fr),
  es: messagesOf("es", es),
  de: messagesOf("de", de),
};

function messagesOf(language: Language, file: PageFile): Messages {
  const locale = LOCALES[language];
  return { ...locale, language, ...compileMessages<PageFile, MessageArguments>(file, locale) };
}
