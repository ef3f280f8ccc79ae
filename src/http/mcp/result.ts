import type { JsonFragments } from "../middleware/response-headers.ts";

/** Members of the result of a JSON-RPC request, as JSON. */
export type Members = JsonFragments;

export function membersOf(result: object): Members {
  return [JSON.stringify(result).slice(1, -1)];
}

/**
 * Result that the SDKs carry in place of the members: they would copy, check and print twenty alerts in more time than
 * finding them takes.
 */
export const STAND_IN = { members: null };
const STAND_IN_JSON = JSON.stringify(STAND_IN).slice(1, -1);

/** JSON of a response, with the members in the place of the stand-in. No text in JSON can contain its quotes. */
export function fillIn(json: string, members: Members | null): JsonFragments {
  const at = members === null ? -1 : json.indexOf(STAND_IN_JSON);
  if (members === null || at < 0) return [json];
  return [json.slice(0, at), ...members, json.slice(at + STAND_IN_JSON.length)];
}
