import type { MessageArguments } from "./arguments.ts";
import type { Compiled, MessageFile } from "./compile.ts";
import type demo from "./en/demo.json";
import type emails from "./en/emails.json";
import type errors from "./en/errors.json";
import type matches from "./en/matches.json";
import type pages from "./en/pages.json";
import type plan from "./en/plan.json";
import type programs from "./en/programs.json";
import { filesNamed } from "./files.ts" with { type: "macro" };
import {
  ALL_LANGUAGES,
  byLanguage,
  isReviewed,
  type Language,
  LANGUAGES,
  PAGE_LANGUAGES,
  type PageLanguage,
} from "./languages.ts";
import { type Locale, LOCALES, messagesIn } from "./locale.ts";
import { textsIn } from "./texts.ts";

// Texts of each language, which are compiled when the language is first used. English defines the keys.

const PAGES = filesNamed("pages");
const EMAILS = filesNamed("emails");
const MATCHES = filesNamed("matches");
const ERRORS = filesNamed("errors");
const PLAN = filesNamed("plan");
const PROGRAMS = filesNamed("programs");
const DEMO = filesNamed("demo");

/** Messages of a file that also names days, places and lists. */
type WithLocale<Name extends keyof MessageArguments, File extends MessageFile> = Locale &
  Compiled<File, MessageArguments[Name]>;

export type PageMessages = WithLocale<"pages", typeof pages> & {
  /** Language of what the core says on the page, and of emails that the page leads to. */
  readonly language: Language;
  readonly pageLanguage: PageLanguage;
  readonly direction: "ltr" | "rtl";
};
export const PAGE_MESSAGES = byLanguage(PAGE_LANGUAGES, (language): PageMessages => ({
  ...LOCALES[language],
  ...messagesIn<typeof pages, MessageArguments["pages"]>(PAGES, language),
  language: isReviewed(language) ? language : "en",
  pageLanguage: language,
  direction: ALL_LANGUAGES[language].direction,
}));

/** Messages of emails and notifications. */
export type EmailMessages = WithLocale<"emails", typeof emails>;
export const EMAIL_MESSAGES = byLanguage(LANGUAGES, (language): EmailMessages => ({
  ...LOCALES[language],
  ...messagesIn<typeof emails, MessageArguments["emails"]>(EMAILS, language),
}));

/** Messages about the match of two alerts. */
export type MatchMessages = WithLocale<"matches", typeof matches>;
export const MATCH_MESSAGES = byLanguage(LANGUAGES, (language): MatchMessages => ({
  ...LOCALES[language],
  ...messagesIn<typeof matches, MessageArguments["matches"]>(MATCHES, language),
}));

/** Sentences of errors for people. */
export type ErrorMessages = Compiled<typeof errors, MessageArguments["errors"]>;
export const ERROR_MESSAGES = byLanguage(PAGE_LANGUAGES, (language) =>
  messagesIn<typeof errors, MessageArguments["errors"]>(ERRORS, language),
);

/** English sentences of errors where programs need others than people. */
export const PROGRAM_MESSAGES = messagesIn<typeof programs, MessageArguments["programs"]>(
  PROGRAMS,
  "en",
);

/** Steps of the plan: a title, and what to do and why. */
export const PLAN_MESSAGES = byLanguage(LANGUAGES, (language) =>
  textsIn<typeof plan>(PLAN, language),
);

/** Texts of made-up alerts. Breeds and colours are those that English names; English itself lists none. */
type DemoTexts = Omit<typeof demo, "breeds" | "colors"> &
  Readonly<Record<"breeds" | "colors", Readonly<Record<string, string>>>>;
export const DEMO_MESSAGES = byLanguage(LANGUAGES, (language) =>
  textsIn<DemoTexts>(DEMO, language),
);
