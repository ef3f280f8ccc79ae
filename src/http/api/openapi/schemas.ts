import { z } from "zod";
import { problemSchema } from "../../middleware/faults.ts";
import { aliveSchema, readySchema } from "../health.ts";
import { alertPageSchema, alertSchema, matchesSchema } from "../alert-json.ts";
import { toWireSchema } from "../../middleware/field-names.ts";

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

/** Reference to a named schema. */
export function schemaAt(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Named schemas, from the zod schemas that type the responses. */
export function namedSchemas(): Readonly<Record<string, Schema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  // With io "input", objects allow additional properties: a client that validates must not break when a field is added.
  const { schemas } = z.toJSONSchema(registry, { io: "input", uri: schemaAt });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [
      name,
      withFormats(schema),
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
    const { description, ...schema } = withFormats(property as Schema);
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

/** Formats by field. They are not in the zod schemas, to keep the tool list short. */
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
};

/** Schema with the formats of its fields, and without the bounds of JavaScript's safe integers. */
function withFormats(schema: Schema, field = ""): Schema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    switch (keyword) {
      case "properties":
        return [
          [
            keyword,
            Object.fromEntries(
              Object.entries(value as Record<string, Schema>).map(([name, property]) => [
                name,
                withFormats(property, name),
              ]),
            ),
          ],
        ];
      case "items":
        return [[keyword, withFormats(value as Schema, field)]];
      case "anyOf":
        return [[keyword, (value as Schema[]).map((one) => withFormats(one, field))]];
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
