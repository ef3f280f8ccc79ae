import type { Language } from "../../core/alerts/alert.ts";
import { type Locale, LOCALES } from "../../core/locale.ts";
import { type Compiled, compileMessages } from "../../core/messages.ts";
import type { MessageArguments } from "./arguments.ts";
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };

type MailFile = typeof en;

/** Texts of emails in one language. English defines the keys; a key missing in another language does not compile. */
export type EmailMessages = Compiled<MailFile, MessageArguments> & Locale;

export const EMAIL_MESSAGES: Readonly<Record<Language, EmailMessages>> = {
  en: messagesOf("en", en),
  fr: messagesOf("fr", fr),
  es: messagesOf("es", es),
  de: messagesOf("de", de),
};

function messagesOf(language: Language, file: MailFile): EmailMessages {
  const locale = LOCALES[language];
  return { ...locale, ...compileMessages<MailFile, MessageArguments>(file, locale) };
}
