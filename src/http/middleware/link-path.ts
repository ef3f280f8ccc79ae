import { TOKEN_LENGTH } from "../../core/people/private-link.ts";

/** Pages behind a token. */
const PAGE = "/(?:confirm|erase|manage|conversation|pair|unsubscribe|admin/enter|inbox/enter)/";
const BEHIND_TOKEN = new RegExp(`^${PAGE}`);
/** Path without foreign signs, of a page that has no token or code. */
const CLEAN = new RegExp(`^(?!${PAGE}|/a/)/[\\w/-]*(?:\\.\\w+)?$`, "i");
/** Token after the page that it opens. A program that breaks lines may have left an `=` or spaces inside. */
const PRIVATE = new RegExp(`^(${PAGE})[^\\w/-]*((?:[\\w-](?:=?\\s+|=)?){${TOKEN_LENGTH}})[^/]*`);
/** Sealed id, of any length. */
const SEALED = new RegExp(`^(/waiting/)[^\\w/-]*([\\w-]+)[^/]*`);
/** Short code, also in two halves as people write down what they read from a poster. */
const SHORT = new RegExp(`^/a/[^a-z0-9/]*((?:[a-z0-9][\\s-]?){6})(?![a-z0-9])[^/]*`, "i");
const NAMED = new RegExp(`^(/(?:alerts|organisations)/)[^a-z0-9/-]*([a-z0-9-]*[a-z0-9])[^/]*`, "i");
/** Paths that programs ask for, some of which proxies refuse by their exact path. */
const OF_PROGRAMS = /^\/(?:api\/|metrics|healthz|readyz)/;
/** Signs that other paths of ours have in a part. */
const OURS = /^[\w.-]*/;

/**
 * Path of a page without what texting and mail programs leave around a link in a sentence: punctuation, brackets, quotation
 * marks, spaces of any kind with the words after them, and rests of encoded line ends. Paths of programs stay as they are,
 * and so does what is no token.
 */
export function linkPath(path: string): string {
  if (CLEAN.test(path) || OF_PROGRAMS.test(path)) return path;
  if (BEHIND_TOKEN.test(path) && !PRIVATE.test(path)) return path;
  const named = path
    .replace(/<\/.*/s, "")
    .replace(PRIVATE, (_, page: string, token: string) => page + token.replace(/[^\w-]/g, ""))
    .replace(SHORT, (_, code: string) => `/a/${code.replace(/[\s-]/g, "")}`)
    .replace(SEALED, "$1$2")
    .replace(NAMED, "$1$2");
  const last = named.lastIndexOf("/") + 1;
  const [part = ""] = OURS.exec(named.slice(last)) ?? [];
  let end = last + part.length;
  while (named[end - 1] === ".") end -= 1;
  if (end > 1 && named[end - 1] === "/") end -= 1;
  return named.slice(0, end);
}
