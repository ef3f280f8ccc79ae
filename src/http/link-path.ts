import { TOKEN_LENGTH } from "../core/private-link.ts";

/** Token after the page that it opens. A program that breaks lines may have left an `=` or spaces inside. */
const PRIVATE = new RegExp(
  `^(/(?:confirm|erase|waiting|manage|conversation|pair|unsubscribe|admin/enter|inbox/enter)/)[^\\w/-]*((?:[\\w-](?:=?\\s+|=)?){${TOKEN_LENGTH}})[\\w-]*(?:[^\\w/-].*)?`,
  "s",
);
/** Short code, also in two halves as people write down what they read from a poster. */
const SHORT = /^\/a\/[^\p{L}\p{N}/]*((?:[a-z0-9][\s-]?){6})(?![a-z0-9]).*/isu;
const NAMED =
  /^(\/(?:alerts|organisations)\/)[^\p{L}\p{N}/]*([a-z0-9-]*[a-z0-9])(?:[^a-z0-9/].*)?/isu;
/** Signs that no other path of ours has, with what follows them, and dots at the end. */
const FOREIGN = /(?:[^\w./-].*|\.+)$/s;

/**
 * Path of a page without what texting and mail programs leave around a link in a sentence: punctuation, brackets, quotation
 * marks, spaces of any kind with the words after them, and rests of encoded line ends. Paths of the APIs stay as they are.
 */
export function linkPath(path: string): string {
  if (path.startsWith("/api/")) return path;
  const named = path
    .replace(PRIVATE, (_, page: string, token: string) => page + token.replace(/[^\w-]/g, ""))
    .replace(SHORT, (_, code: string) => `/a/${code.replace(/[\s-]/g, "")}`)
    .replace(NAMED, "$1$2");
  const ours = named.replace(FOREIGN, "");
  return ours.length > 1 && ours.endsWith("/") ? ours.slice(0, -1) : ours;
}
