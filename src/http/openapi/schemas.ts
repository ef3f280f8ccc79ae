import { z } from "zod";
import { problemSchema } from "../faults.ts";
import { aliveSchema, readySchema } from "../health.ts";
import { alertPageSchema, alertSchema, matchesSchema, toWireSchema } from "../wire.ts";

/** A JSON Schema (2020-12), or a part of one. */
export type Schema = { readonly [keyword: string]: unknown };
/** A parameter of the path, the query or the head of a request. */
export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  /** Parameters that have one make up the example request. */
  readonly example?: unknown;
};

const { latitude: _latitude, longitude: _longitude, ...featureShape } = alertSchema.shape;
const featureCollectionSchema = z.object({
  type: z.literal("FeatureCollection"),
  features: z.array(
    z.object({
      type: z.literal("Feature"),
      id: z.string(),
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

/** Where a document keeps a schema that it names. */
export function schemaAt(name: string): string {
  return `#/components/schemas/${name}`;
}

/** The shapes of all answers, from the schemas that the answers are typed with. */
export function namedSchemas(): Readonly<Record<string, Schema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  // As input, objects stay open: a client that checks answers shall not break when a field is added.
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: schemaAt });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      told(schema),
    ]),
  );
}

/** The parameters of a query, from the schema that reads it. */
export function queryParameters(
  input: z.ZodObject,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  const { properties, required = [] } = toWireSchema(input, "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = told(property as Schema);
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

/** What schemas of tools leave out to be short. */
const FORMATS: Readonly<Record<string, string>> = {
  id: "uuid",
  photos: "uri",
  url: "uri",
  contact_url: "uri",
  qr_url: "uri",
  event_date: "date",
  published_at: "date-time",
  updated_at: "date-time",
  expires_at: "date-time",
  next_cursor: "date-time",
};

/** A schema with the formats of its fields, and without bounds that only say what an integer of JavaScript can hold. */
function told(schema: Schema, field = ""): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    switch (keyword) {
      case "properties":
        return [[keyword, mapped(value as Record<string, Schema>, told)]];
      case "items":
        return [[keyword, told(value as Schema, field)]];
      case "anyOf":
        return [[keyword, (value as Schema[]).map((one) => told(one, field))]];
      case "minimum":
        return value === Number.MIN_SAFE_INTEGER ? [] : [[keyword, value]];
      case "maximum":
        return value === Number.MAX_SAFE_INTEGER ? [] : [[keyword, value]];
      default:
        return [[keyword, value]];
    }
  });
  const isText = [schema["type"]].flat().includes("string");
  const format = isText ? FORMATS[field] : undefined;
  return { ...Object.fromEntries(entries), ...(format === undefined ? {} : { format }) };
}

function mapped(
  schemas: Readonly<Record<string, Schema>>,
  change: (schema: Schema, name: string) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, change(schema, name)]),
  );
}
