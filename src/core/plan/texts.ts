import type { Language } from "../alerts/alert.ts";
import type { PlanStepId } from "./steps.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

/** Step in words: a title, and what to do and why. */
type PlanText = { readonly title: string; readonly text: string };

/** Texts of all steps, shared by pages, emails and tools. A step that a language lacks does not compile. */
export const PLAN_TEXTS: Readonly<Record<Language, Readonly<Record<PlanStepId, PlanText>>>> = {
  en,
  fr,
  es,
  de,
};
