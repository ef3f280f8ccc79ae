import { z } from "zod";
import { problemSchema } from "../../middleware/faults.ts";
import { aliveSchema, readySchema } from "../health.ts";
import { alertPageSchema, alertSchema, matchesSchema } from "../alert-json.ts";
import { toWireSchema, withoutSafeBounds } from "../../middleware/field-names.ts";

/** JSON Schema (2020-12), or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };
/** Parameter object. */
export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  /** Value in the example request; absent if the request omits the parameter. */
  readonly example?: unknown;
};

const { latitude: _latitude, longitude: _longitude, ...featureShape } = alertSchema.shape;
const featureCollectionSchema = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.object({
      type: z.literal("Feature"),
      id: z.string().meta({ format: "uuid" }),
      geometry: z.object({
        type: z.literal("Point"),
        coordinates: z.array(z.number()).length(2).describe("Longitude, latitude"),
      }),
      properties: z.object(featureShape).describe("The alert without its position"),
    }),
  ),
  next_cursor: alertPageSchema.shape.next_cursor,
});

const NAMED = {
  Alert: alertSchema,
  AlertPage: alertPageSchema,
  Matches: matchesSchema,
  FeatureCollection: featureCollectionSchema,
  Problem: problemSchema,
  Alive: aliveSchema,
  Ready: readySchema,
};
export type SchemaName = keyof typeof NAMED;

/** Reference to a named schema. */
export function schemaAt(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Named schemas, from the zod schemas that type the responses. */
export function namedSchemas(): Readonly<Record<string, Schema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  // With io "input", objects allow additional properties: a client that validates must not break when a field is added.
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: schemaAt,
    override: withoutSafeBounds,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      schema,
    ]),
  );
}

/** Query parameters, from the zod schema that parses them. */
export function queryParameters(
  input: z.ZodObject,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  const { properties, required = [] } = toWireSchema(input);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Schema;
    return {
      name,
      in: "query",
      required: required.includes(name),
      description: String(description ?? ""),
      schema,
      ...(name in examples ? { example: examples[name] } : {}),
    };
  });
}
