import type { Language } from "../../../core/alerts/alert.ts";
import { de } from "./de/all.ts";
import { en } from "./en/all.ts";
import { es } from "./es/all.ts";
import { fr } from "./fr/all.ts";

/** Messages of the pages in one language. English defines the keys; a key missing in another language does not compile. */
export type Messages = typeof en;

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, fr, es, de };
