import { type Locale, LOCALES } from "../../core/locale.ts";
import { type Compiled, compileMessages } from "../../messages/compile.ts";
import type { MessageArguments } from "./arguments.ts";
import de from "../../messages/de/emails.json" with { type: "json" };
import en from "../../messages/en/emails.json" with { type: "json" };
import es from "../../messages/es/emails.json" with { type: "json" };
import fr from "../../messages/fr/emails.json" with { type: "json" };
import type { Language } from "../../values/language.ts";

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
