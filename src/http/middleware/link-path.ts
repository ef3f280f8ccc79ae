import { TOKEN_LENGTH } from "../../core/people/private-link.ts";

/** Pages behind a token. */
const TOKEN_PAGE =
  "/(?:confirm|erase|manage|conversation|pair|unsubscribe|admin/enter|inbox/enter)/";
const STARTS_TOKEN_LINK = new RegExp(`^${TOKEN_PAGE}`);
/** Path of a page without a token or a code, with nothing around it: `/about`, `/style.css`. */
const ALREADY_CLEAN = new RegExp(`^(?!${TOKEN_PAGE}|/a/)/[\\w/-]*(?:\\.\\w+)?$`, "i");
/** `/manage/(3f…a0).`: token after its page. A program that breaks lines may have left an `=` or spaces inside. */
const TOKEN_LINK = new RegExp(
  `^(${TOKEN_PAGE})[^\\w/-]*((?:[\\w-](?:=?\\s+|=)?){${TOKEN_LENGTH}})[^/]*`,
);
/** `/waiting/…,`: sealed id, of any length. */
const WAITING_LINK = /^(\/waiting\/)[^\w/-]*([\w-]+)[^/]*/;
/** `/a/abc 234)`: short code, also in two halves as people write down what they read from a poster. */
const SHORT_LINK = /^\/a\/[^a-z0-9/]*((?:[a-z0-9][\s-]?){6})(?![a-z0-9])[^/]*/i;
/** `/alerts/lost-cat-mimi-lyon-abc234".` */
const SLUG_LINK = /^(\/(?:alerts|organisations)\/)[^a-z0-9/-]*([a-z0-9-]*[a-z0-9])[^/]*/i;
/** Paths that programs ask for, some of which proxies refuse by their exact path. */
const OF_PROGRAMS = /^\/(?:api\/|metrics|healthz|readyz)/;
/** Last part of any other path, `privacy` of `privacy).` */
const LAST_PART = /^[\w.-]*/;

/**
 * Path of a page without what texting and mail programs leave around a link in a sentence: punctuation, brackets, quotation
 * marks, spaces of any kind with the words after them, and rests of encoded line ends. Paths of programs stay as they are,
 * and so does what is no token.
 */
export function linkPath(path: string): string {
  if (ALREADY_CLEAN.test(path) || OF_PROGRAMS.test(path)) return path;
  if (STARTS_TOKEN_LINK.test(path) && !TOKEN_LINK.test(path)) return path;
  const named = path
    .replace(/<\/.*/s, "")
    .replace(TOKEN_LINK, (_, page: string, token: string) => page + token.replace(/[^\w-]/g, ""))
    .replace(SHORT_LINK, (_, code: string) => `/a/${code.replace(/[\s-]/g, "")}`)
    .replace(WAITING_LINK, "$1$2")
    .replace(SLUG_LINK, "$1$2");
  const last = named.lastIndexOf("/") + 1;
  const [part = ""] = LAST_PART.exec(named.slice(last)) ?? [];
  let end = last + part.length;
  while (named[end - 1] === ".") end -= 1;
  if (end > 1 && named[end - 1] === "/") end -= 1;
  return named.slice(0, end);
}
