import type { FuzzResponse, FuzzRequest } from "./request.ts";
import { CANARY, CANARY_DIGITS } from "./text.ts";

/** What an answer tells that its asker did not bring along: addresses of others, exact positions, tokens. */
export function leaksIn(
  request: FuzzRequest,
  { headers, body }: FuzzResponse,
  ownerOf: (text: string) => string | null,
): string[] {
  const head = [...headers].map(([name, value]) => (name === "set-cookie" ? "" : value)).join("\n");
  const text = `${head}\n${body}`;
  const errors: string[] = [];
  if (text.includes(CANARY) && !isModeration(request) && !isMemberList(request)) {
    const brought = broughtBy(request);
    for (const one of foreignAddresses(text, brought)) errors.push(`tells of ${one}`);
  }
  if (text.includes(CANARY_DIGITS) && !broughtBy(request).includes(CANARY_DIGITS))
    errors.push("tells an exact position");
  for (const [token] of body.matchAll(TOKEN)) {
    const owner = ownerOf(token);
    if (owner !== null && !ownersOf(broughtBy(request), ownerOf).includes(owner))
      errors.push(`tells the token ${token}`);
  }
  return errors;
}

/** Moderators read reports as they were written: who reports may need to name somebody. */
function isModeration({ target, headers }: FuzzRequest): boolean {
  const hasSession = headers.some(([, value]) => value.includes("moderator="));
  return hasSession && /^\/admin(?:[/?]|$)/.test(target);
}

/** Members of an organisation see each other's addresses. */
function isMemberList({ target, headers }: FuzzRequest): boolean {
  const hasSession = headers.some(([, value]) => value.includes("member="));
  return hasSession && /^\/inbox\/members(?:[/?#]|$)/.test(target);
}

const TOKEN = /[\w-]{43}/g;

/** Who came with a token may see the other links of the mailbox it was sent to. */
function ownersOf(text: string, ownerOf: (text: string) => string | null): (string | null)[] {
  return [...text.matchAll(TOKEN)].map(([token]) => ownerOf(token));
}

/** Local parts and domains of the run's addresses that do not stand in the text they are held against. */
export function foreignAddresses(text: string, known: string): string[] {
  const found = new Set(
    [...text.matchAll(new RegExp(`${CANARY}[\\w.-]*\\w`, "gi"))].map(([one]) => one.toLowerCase()),
  );
  const own = known.toLowerCase();
  return [...found].filter((one) => !own.includes(one));
}

function broughtBy({ target, headers, body }: FuzzRequest): string {
  return [target, ...headers.map(([, value]) => value), body ?? ""].join("\n");
}
