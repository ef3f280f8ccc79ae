import { z } from "zod";
import { Fault } from "../../core/fault.ts";
import { camelCase, snakeCase } from "../middleware/field-names.ts";

/** Arguments under our names, in camelCase. */
export type Args = Readonly<Record<string, unknown>>;
/** Arguments of a call under our names, and the names of unknown ones as the client wrote them. */
export type ToolArguments = { readonly args: Args; readonly unknown: readonly string[] };
/** Our name of a parameter by other names, in camelCase. */
export type Aliases = Readonly<Record<string, string>>;

/** Names that answers print for what an input names otherwise. */
const OF_ANSWERS = {
  alertType: "type",
  petType: "species",
  latitude: "lat",
  longitude: "lng",
};
/** Other names of a parameter, by what a tool is about. */
export const ALIASES = {
  search: { ...OF_ANSWERS, q: "query" },
  zone: { ...OF_ANSWERS, contactEmail: "email" },
  publication: {
    ...OF_ANSWERS,
    contactEmail: "email",
    petName: "name",
    photos: "photoUrls",
  },
  alert: {
    id: "alert",
    uuid: "alert",
    identifier: "alert",
    idOrSlug: "alert",
    alertId: "alert",
    lostAlertId: "alert",
    lostAlert: "alert",
    slug: "alert",
    shortCode: "alert",
    url: "alert",
    contactEmail: "email",
  },
} satisfies Readonly<Record<string, Aliases>>;

/**
 * Reads the arguments of a call. Names may be in snake_case or camelCase, or aliases. A null counts as absent, and so does
 * an empty text of an optional parameter: many clients send a value for every parameter. Throws `bad_input` for two names
 * of one parameter with two values.
 */
export function readArguments(
  { input, aliases }: { readonly input: z.ZodObject; readonly aliases: Aliases },
  raw: Args = {},
): ToolArguments {
  const args: Record<string, unknown> = {};
  const nameOf = new Map<string, string>();
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(raw)) {
    if (value === null) continue;
    const own = ownName(name, input, aliases);
    if (own === null) {
      unknown.push(name);
      continue;
    }
    if (isBlank(value) && input.shape[own] instanceof z.ZodOptional) continue;
    const other = nameOf.get(own);
    if (other !== undefined && !isSame(args[own], value))
      throw new Fault("bad_input", `${other} and ${name} mean the same and have two values.`);
    nameOf.set(own, name);
    args[own] = value;
  }
  return { args, unknown };
}

function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

function ownName(name: string, input: z.ZodObject, aliases: Aliases): string | null {
  const camel = camelCase(name);
  if (Object.hasOwn(input.shape, camel)) return camel;
  const own = Object.hasOwn(aliases, camel) ? aliases[camel]! : null;
  return own !== null && Object.hasOwn(input.shape, own) ? own : null;
}

/** Numbers may come as text. */
function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) =>
    typeof value === "object" ? JSON.stringify(value) : String(value),
  );
  return a === b;
}

/** Refuses unknown parameters where one may be a misspelt filter: without it the answer would be about everything. */
export function refuseUnknown(
  { unknown }: Pick<ToolArguments, "unknown">,
  input: z.ZodObject,
): void {
  if (unknown.length === 0) return;
  const known = Object.keys(input.shape).map(snakeCase).join(", ");
  throw new Fault("bad_input", `Possible parameters: ${known}.`);
}

/** Sentence that names the unknown parameters of a call; none if there are none. */
export function unknownParameters({ unknown }: Pick<ToolArguments, "unknown">): string[] {
  return unknown.length === 0 ? [] : [`Unknown ${parameterList(unknown)}.`];
}

/** Note on unknown parameters that were ignored. */
export function ignored(unknown: readonly string[]): string[] {
  return unknown.length === 0 ? [] : [`Ignored unknown ${parameterList(unknown)}.`];
}

const NAMES_SHOWN_MAX = 10;
const NAME_LENGTH_SHOWN = 60;

function parameterList(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN_MAX).map((name) => name.slice(0, NAME_LENGTH_SHOWN));
  return `parameter${names.length === 1 ? "" : "s"}: ${shown.join(", ")}`;
}
