import type { Language } from "../../../core/alert.ts";
import { de } from "./de/all.ts";
import { en } from "./en/all.ts";
import { es } from "./es/all.ts";
import { fr } from "./fr/all.ts";

/** Every word of the pages in one language. English is the measure: a sentence missing elsewhere does not compile. */
export type Words = typeof en;

export const WORDS: Readonly<Record<Language, Words>> = { en, fr, es, de };
