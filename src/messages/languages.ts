/**
 * Languages of the site by their codes (ISO 639-1), in the order in which pages offer them. `tag` (BCP 47) decides how
 * numbers, days and plurals are written. Where nobody has reviewed a translation, the operator turns the language on, a
 * text that it lacks is English, and its readers get emails, and texts of the core, in English.
 */
export const ALL_LANGUAGES = {
  en: { name: "English", tag: "en-GB", direction: "ltr", isReviewed: true },
  fr: { name: "Français", tag: "fr-FR", direction: "ltr", isReviewed: true },
  es: { name: "Español", tag: "es-ES", direction: "ltr", isReviewed: true },
  de: { name: "Deutsch", tag: "de-DE", direction: "ltr", isReviewed: true },
  // With the digits of the short codes and addresses beside them.
  ar: { name: "العربية", tag: "ar-u-nu-latn", direction: "rtl", isReviewed: false },
} as const;

type All = typeof ALL_LANGUAGES;
export type PageLanguage = keyof All;
export type Language = ReviewedIf<true>;
export type UnreviewedLanguage = ReviewedIf<false>;
type ReviewedIf<Is extends boolean> = {
  [Code in PageLanguage]: All[Code]["isReviewed"] extends Is ? Code : never;
}[PageLanguage];

export const PAGE_LANGUAGES = Object.keys(ALL_LANGUAGES) as readonly PageLanguage[];
export const LANGUAGES = PAGE_LANGUAGES.filter(isReviewed);
export const UNREVIEWED_LANGUAGES = PAGE_LANGUAGES.filter(
  (language): language is UnreviewedLanguage => !isReviewed(language),
);

/** "English, French, Spanish or German". */
export const LANGUAGE_NAMES = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  LANGUAGES.map((code) => new Intl.DisplayNames("en-GB", { type: "language" }).of(code)!),
);

export function isReviewed(language: PageLanguage): language is Language {
  return ALL_LANGUAGES[language].isReviewed;
}

/** Language that most people of a country speak, by its code (ISO 3166-1 alpha-2); English if it is not among ours. */
export function languageOfCountry(countryCode: string): Language {
  const { language } = new Intl.Locale(`und-${countryCode}`).maximize();
  return LANGUAGES.find((known) => known === language) ?? "en";
}

/** A value for each language, made when it is first read. */
export function byLanguage<Code extends PageLanguage, Value>(
  languages: readonly Code[],
  of: (language: Code) => Value,
): Readonly<Record<Code, Value>> {
  const values: object = {};
  for (const language of languages) {
    const define = (descriptor: PropertyDescriptor) =>
      Object.defineProperty(values, language, {
        enumerable: true,
        configurable: true,
        ...descriptor,
      });
    define({
      get() {
        const value = of(language);
        define({ value });
        return value;
      },
    });
  }
  return values as Record<Code, Value>;
}
