import type { z } from "zod";
import { toWireSchema } from "../api/field-names.ts";
import { TOOLS } from "./tools.ts";

const LEFT_OUT = {
  input: new Set(["maxLength", "minLength"]),
  output: new Set(["enum", "required"]),
};

/** Result of `tools/list`: fixed order, computed once. */
export const TOOL_LIST = TOOLS.map(({ name, title, description, input, output, hints }) => ({
  name,
  title,
  description,
  inputSchema: shortSchema(input, LEFT_OUT.input),
  outputSchema: shortSchema(output, LEFT_OUT.output),
  annotations: hints,
}));

/**
 * JSON Schema for a model, which reads the whole list in every conversation: without lengths of texts, which the error
 * for a longer one names, and without the choices and required fields inside results.
 */
function shortSchema(schema: z.ZodObject, leftOut: ReadonlySet<string>) {
  const { properties, ...rest } = toWireSchema(schema);
  const short = JSON.stringify(properties, (key, value) => (leftOut.has(key) ? undefined : value));
  return { ...rest, properties: JSON.parse(short) as Record<string, object> };
}
