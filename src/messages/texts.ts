import { isReviewed, type PageLanguage } from "./languages.ts";

/** Texts of a file in one language; in English where a translation that nobody has reviewed lacks them. */
export function textsIn<File extends object>(
  files: Readonly<Record<string, string>>,
  language: PageLanguage,
): File {
  const own: File = JSON.parse(files[language] ?? "{}");
  return isReviewed(language) ? own : withFallback(own, textsIn<File>(files, "en"));
}

/** File with every message of `whole`, in the words of `translated` where it has one. */
function withFallback<File extends object>(translated: Partial<File>, whole: File): File {
  const merged = Object.entries(whole).map(([key, message]) => {
    const own = translated[key as keyof File];
    if (own === undefined) return [key, message];
    const isGroup = typeof message === "object" && !Array.isArray(message);
    return [key, isGroup ? withFallback(own as object, message as object) : own];
  });
  return Object.fromEntries(merged);
}
