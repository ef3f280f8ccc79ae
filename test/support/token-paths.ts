/** True for the path of an address that only one reader has: it holds the token of a link, or the ticket of a request. */
export function holdsToken(path: string): boolean {
  return /^\/(?:(?:confirm|manage|conversation|unsubscribe|pair|waiting|erase)|(?:admin|inbox)\/enter)\/./s.test(
    path,
  );
}
