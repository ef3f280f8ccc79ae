import { z } from "zod";
import { toWireSchema } from "../middleware/field-names.ts";
import { TOOLS } from "./tools.ts";

/** View that hosts with MCP Apps show beside the answers of the tools that read; others show the text. */
export const CARDS = {
  uri: "ui://pet-alert/cards",
  name: "cards",
  title: "Cards of alerts",
  description: "Alerts with their photos side by side",
  mimeType: "text/html;profile=mcp-app",
};

/** True for a keyword that is left out. The bounds of degrees are known to everybody. */
type IsLeftOut = (keyword: string, value: unknown) => boolean;
const LIMITS = new Set(["maxLength", "minLength", "minimum", "exclusiveMinimum"]);
const isLimit: IsLeftOut = (keyword, value) =>
  LIMITS.has(keyword) || (keyword === "maximum" && (value === 90 || value === 180));
/** A field may be called description, too: its value is a schema. */
const isDetail: IsLeftOut = (keyword, value) =>
  keyword === "enum" ||
  keyword === "required" ||
  keyword === "additionalProperties" ||
  (keyword === "properties" && Object.keys(value as object).length === 0) ||
  (keyword === "description" && typeof value === "string");

/** Result of `tools/list`: fixed order, computed once. */
export const TOOL_LIST = TOOLS.map(({ name, title, description, input, output, hints }) => ({
  name,
  title,
  description,
  inputSchema: inputOf(input),
  outputSchema: outputOf(output.extend({ now: z.string() })),
  annotations: hints,
  ...(hints.readOnlyHint ? { _meta: { ui: { resourceUri: CARDS.uri } } } : {}),
}));

type Property = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
};

/**
 * Schemas for a model, which reads the whole list in every conversation: inputs without limits that an error names,
 * results with a description of each field but not of the fields inside it, which explain themselves. Some clients check
 * arguments by them, so they allow what the server accepts: numbers as text, and an empty text for a choice that is absent.
 */
function inputOf(schema: z.ZodObject) {
  const { properties, ...rest } = toWireSchema(schema);
  const required: readonly string[] = rest.required ?? [];
  const lenient = Object.entries(without(properties, isLimit)).map(
    ([name, property]: [string, Property]) => {
      const { type, enum: choices, description, ...more } = property;
      if (type === "number" || type === "integer")
        return [name, { ...more, ...either([type, "string"]), description }];
      if (choices === undefined || required.includes(name)) return [name, property];
      return [name, { type, description: `${description}: ${choices.join(", ")}` }];
    },
  );
  return { ...rest, properties: Object.fromEntries(lenient) as Record<string, object> };
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
  const portable = (_key: string, value: unknown) => {
    if (typeof value !== "object" || value === null || !("type" in value)) return value;
    const { type, ...rest } = value;
    return Array.isArray(type) ? { ...rest, ...either(type) } : value;
  };
  return JSON.parse(short, portable) as Record<string, object>;
}

/** Schema of a value of one of several types: clients that pass it on to Gemini read no list of types. */
function either(types: readonly string[]) {
  return { anyOf: types.map((type) => ({ type })) };
}
