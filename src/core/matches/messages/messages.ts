import { type Locale, LOCALES } from "../../locale.ts";
import { type Compiled, compileMessages } from "../../../messages/compile.ts";
import type { MessageArguments } from "./arguments.ts";
import de from "../../../messages/de/matches.json" with { type: "json" };
import en from "../../../messages/en/matches.json" with { type: "json" };
import es from "../../../messages/es/matches.json" with { type: "json" };
import fr from "../../../messages/fr/matches.json" with { type: "json" };
import type { Language } from "../../../values/language.ts";

type MatchFile = typeof en;

/** Texts about matches in one language. English defines the keys; a key missing in another language does not compile. */
export type MatchMessages = Compiled<MatchFile, MessageArguments> & Pick<Locale, "and">;

export const MATCH_MESSAGES: Readonly<Record<Language, MatchMessages>> = {
  en: messagesOf("en", en),
  fr: messagesOf("fr", fr),
  es: messagesOf("es", es),
  de: messagesOf("de", de),
};

function messagesOf(language: Language, file: MatchFile): MatchMessages {
  const locale = LOCALES[language];
  return { and: locale.and, ...compileMessages<MatchFile, MessageArguments>(file, locale) };
}
