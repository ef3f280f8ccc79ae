import { type Language, LANGUAGES } from "../../core/alerts/alert.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

/** Texts of made-up alerts in one language. */
export type DemoTexts = {
  /** Last sentence of every description. */
  readonly disclaimer: string;
  /** Names of animals, separated by spaces. */
  readonly names: string;
  /** For cats and dogs. The first two are a red collar, and a blue one. */
  readonly marks: readonly string[];
  readonly lostStories: readonly string[];
  readonly foundStories: readonly string[];
  /** Notes of people who saw the animal. */
  readonly sightings: readonly string[];
  /** Breeds and colours by their English names; those of English are left out. */
  readonly breeds: Readonly<Record<string, string>>;
  readonly colors: Readonly<Record<string, string>>;
};

export const DEMO_TEXTS: Readonly<Record<Language, DemoTexts>> = { en, fr, es, de };

/** Language that most people of a country speak, by its code (ISO 3166-1 alpha-2); English if it is not among ours. */
export function languageOfCountry(countryCode: string): Language {
  const { language } = new Intl.Locale(`und-${countryCode}`).maximize();
  return LANGUAGES.find((known) => known === language) ?? "en";
}
