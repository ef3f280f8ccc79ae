import type { PlanStepId } from "./steps.ts";
import de from "../../messages/de/plan.json" with { type: "json" };
import en from "../../messages/en/plan.json" with { type: "json" };
import es from "../../messages/es/plan.json" with { type: "json" };
import fr from "../../messages/fr/plan.json" with { type: "json" };
import type { Language } from "../../values/language.ts";

/** Step in words: a title, and what to do and why. */
type PlanText = { readonly title: string; readonly text: string };

/** Texts of all steps, shared by pages, emails and tools. A step that a language lacks does not compile. */
export const PLAN_TEXTS: Readonly<Record<Language, Readonly<Record<PlanStepId, PlanText>>>> = {
  en,
  fr,
  es,
  de,
};
