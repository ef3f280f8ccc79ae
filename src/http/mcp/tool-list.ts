import type { z } from "zod";
import { toWireSchema } from "../api/field-names.ts";
import { SHOWN_AS_CARDS } from "./cards.ts";
import { TOOLS } from "./tools.ts";

/** True for a keyword that is left out. The bounds of degrees are known to everybody. */
type IsLeftOut = (keyword: string, value: unknown) => boolean;
const LIMITS = new Set(["maxLength", "minLength", "minimum", "exclusiveMinimum"]);
const isLimit: IsLeftOut = (keyword, value) =>
  LIMITS.has(keyword) || (keyword === "maximum" && (value === 90 || value === 180));
/** A field may be called description, too: its value is a schema. */
const isDetail: IsLeftOut = (keyword, value) =>
  keyword === "enum" ||
  keyword === "required" ||
  (keyword === "description" && typeof value === "string");

/** Result of `tools/list`: fixed order, computed once. */
export const TOOL_LIST = TOOLS.map(({ name, title, description, input, output, hints }) => ({
  name,
  title,
  description,
  inputSchema: inputOf(input),
  outputSchema: outputOf(output),
  annotations: hints,
  ...(hints.readOnlyHint ? { _meta: SHOWN_AS_CARDS } : {}),
}));

/**
 * Schemas for a model, which reads the whole list in every conversation: inputs without limits that an error names,
 * results with a description of each field but not of the fields inside it, which explain themselves.
 */
function inputOf(schema: z.ZodObject) {
  const { properties, ...rest } = toWireSchema(schema);
  return { ...rest, properties: without(properties, isLimit) };
}

function outputOf(schema: z.ZodObject) {
  const { properties, ...rest } = toWireSchema(schema);
  const short = Object.entries(without(properties, isDetail)).map(([name, property]) => {
    const { description } = properties[name] as { readonly description?: string };
    return [name, description === undefined ? property : { ...property, description }];
  });
  return { ...rest, properties: Object.fromEntries(short) as Record<string, object> };
}

function without(properties: Record<string, object>, isLeftOut: IsLeftOut) {
  const short = JSON.stringify(properties, (key, value) =>
    isLeftOut(key, value) ? undefined : value,
  );
  return JSON.parse(short) as Record<string, object>;
}
