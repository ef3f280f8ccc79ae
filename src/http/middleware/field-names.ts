import { z } from "zod";
import { memoize } from "../../text/memoize.ts";

// Names of the interface: snake_case in JSON and in query parameters, camelCase inside.

/** `radiusKm` -> `radius_km`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `radius_km` -> `radiusKm`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Query parameters of an input; its words are `q`. */
export function parameterNames({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).map((name) => (name === "query" ? "q" : snakeCase(name)));
}

/** Object with its keys in camelCase and its values unchanged. Keys that are not in snake_case are dropped. */
export function fromWire(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const ownName = camelCaseIfWire(name);
    if (ownName !== null) entries.push([ownName, value]);
  }
  return Object.fromEntries(entries);
}

/** Nearly all requests use the same few names. */
const NAMES_MEMOIZED_MAX = 100;
const camelCaseIfWire = memoize(NAMES_MEMOIZED_MAX, (name) => {
  const ownName = camelCase(name);
  return snakeCase(ownName) === name && !/[A-Z]/.test(name) ? ownName : null;
});

/**
 * JSON Schema of a zod object, with snake_case names. Further fields are allowed, in results too, so that a new field
 * breaks no client that has kept the schema.
 */
export function toWireSchema(schema: z.ZodObject) {
  const {
    $schema: _dialect,
    properties = {},
    required,
    ...rest
  } = z.toJSONSchema(schema, { io: "input", override: withoutSafeBounds });
  return {
    ...rest,
    type: "object" as const,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [snakeCase(name), value as object]),
    ),
    ...(required === undefined ? {} : { required: required.map(snakeCase) }),
  };
}

/** Leaves out the bounds that zod gives to every integer. */
export function withoutSafeBounds({
  jsonSchema,
}: {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}
