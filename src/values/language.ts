/** Languages of emails and pages, whose words for breeds, coats and places are read; ISO 639-1. */
export const LANGUAGES = ["en", "fr", "es", "de"] as const;
export type Language = (typeof LANGUAGES)[number];
