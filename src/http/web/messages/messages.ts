import { type Locale, LOCALES, type PageLanguage } from "../../../core/locale.ts";
import { type Compiled, compileMessages, withFallback } from "../../../messages/compile.ts";
import type { MessageArguments } from "./arguments.ts";
import ar from "../../../messages/ar/pages.json" with { type: "json" };
import de from "../../../messages/de/pages.json" with { type: "json" };
import en from "../../../messages/en/pages.json" with { type: "json" };
import es from "../../../messages/es/pages.json" with { type: "json" };
import fr from "../../../messages/fr/pages.json" with { type: "json" };
import type { Language } from "../../../values/language.ts";

type PageFile = typeof en;

/** Messages of the pages in one language. English defines the keys; a key missing in another language does not compile. */
export type Messages = Compiled<PageFile, MessageArguments> &
  Locale & {
    /** Language of what the core says on the page, and of emails that the page leads to. */
    readonly language: Language;
    readonly pageLanguage: PageLanguage;
    readonly direction: "ltr" | "rtl";
  };

export const MESSAGES: Readonly<Record<PageLanguage, Messages>> = {
  en: messagesOf("en", en, "en"),
  fr: messagesOf("fr", fr, "fr"),
  es: messagesOf("es", es, "es"),
  de: messagesOf("de", de, "de"),
  // A text that an unreviewed translation lacks is English.
  ar: messagesOf("ar", withFallback(ar, en), "en", "rtl"),
};

function messagesOf(
  pageLanguage: PageLanguage,
  file: PageFile,
  language: Language,
  direction: Messages["direction"] = "ltr",
): Messages {
  const locale = LOCALES[pageLanguage];
  const messages = compileMessages<PageFile, MessageArguments>(file, locale);
  return { ...locale, language, pageLanguage, direction, ...messages };
}
