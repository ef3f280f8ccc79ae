import type { z } from "zod";
import { fieldInEnglish } from "../core/fault.ts";
import { reasonOf } from "../core/input.ts";

/** True for a value that names a column; others stand for all rows. */
export function isChoice(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && ("column" in raw || "values" in raw);
}

type Key = z.core.$ZodIssue["path"][number];

/** Problems of a mapping as written in its file: `near.lng must be at most 180`. */
export function describeIssue(issue: z.core.$ZodIssue, raw: unknown): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${formatPath([...issue.path, key], raw)} is not a known key`);
  const key = formatPath(issue.path, raw);
  return [`${key === "" ? "it" : key} ${problemOf(issue)}`];
}

/** Path of a key as written in the mapping file: `near.lng`, `type.values."Dead *"`. */
function formatPath(path: readonly Key[], raw: unknown): string {
  const [first, ...rest] = path.map(String);
  if (first === undefined) return "";
  // A single value is parsed as `{ values: { "*": value } }`, which is not what the file says.
  const value = typeof raw === "object" && raw !== null ? Object.entries(raw) : [];
  const isWritten = value.some(([key, chosen]) => key === first && isChoice(chosen));
  const asWritten = !isWritten && rest[0] === "values" && rest[1] === "*" ? rest.slice(2) : rest;
  return [first, ...asWritten]
    .map((part) => (/^[\p{L}\p{N}_-]+$/u.test(part) ? part : JSON.stringify(part)))
    .join(".");
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? "of another type"}`;
    // These have our own messages.
    case "custom":
    case "invalid_format":
    case "invalid_union":
      return issue.message;
    default:
      return fieldInEnglish(reasonOf(issue));
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  array: 'a list, such as ["Town"]',
  object: "an object, { … }",
  record: "an object, { … }",
};
