import type { Language } from "../../core/alerts/alert.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";

/** Email texts of one language. English defines the keys; a key missing in another language does not compile. */
export type EmailMessages = typeof en;

export const EMAIL_MESSAGES: Readonly<Record<Language, EmailMessages>> = { en, fr, es, de };
