import de from "../../messages/de/demo.json" with { type: "json" };
import en from "../../messages/en/demo.json" with { type: "json" };
import es from "../../messages/es/demo.json" with { type: "json" };
import fr from "../../messages/fr/demo.json" with { type: "json" };
import type { Language } from "../../values/language.ts";

/** Texts of made-up alerts in one language. */
type DemoTexts = {
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
  /** Breeds and colours by their English names; none in English. */
  readonly breeds: Readonly<Record<string, string>>;
  readonly colors: Readonly<Record<string, string>>;
};

export const DEMO_TEXTS: Readonly<Record<Language, DemoTexts>> = { en, fr, es, de };
