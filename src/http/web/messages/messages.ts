import type { Language } from "../../../core/alerts/alert.ts";
import { type Locale, LOCALES, type PageLanguage } from "../../../core/locale.ts";
import { type Compiled, compileMessages, withFallback } from "../../../core/messages.ts";
import type { MessageArguments } from "./arguments.ts";
import ar from "./ar.json" with { type: "json" };
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };

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
