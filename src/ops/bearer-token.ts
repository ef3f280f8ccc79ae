import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Check of an Authorization header for a bearer token; null: there is no token, and nothing passes. Compares hashes, so
 * that the time tells neither the length nor a beginning of the token.
 */
export function bearerTokenCheck(token: string | null): (authorization: string) => boolean {
  if (token === null) return () => false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  const expected = hash(token);
  return (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(hash(given), expected);
  };
}
