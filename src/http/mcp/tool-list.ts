import type { z } from "zod";
import { toWireSchema } from "../api/field-names.ts";
import { TOOLS } from "./tools.ts";

type LeftOut = Readonly<Record<string, true | readonly number[]>>;

/** Keywords left out, all or only with some values. The bounds of degrees are known to everybody. */
const LEFT_OUT: Readonly<Record<"input" | "output", LeftOut>> = {
  input: {
    maxLength: true,
    minLength: true,
    minimum: true,
    exclusiveMinimum: true,
    maximum: [90, 180],
  },
  output: { enum: true, required: true },
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
 * JSON Schema for a model, which reads the whole list in every conversation: without limits that an error names, and
 * without the choices and required fields inside results.
 */
function shortSchema(schema: z.ZodObject, leftOut: LeftOut) {
  const { properties, ...rest } = toWireSchema(schema);
  const short = JSON.stringify(properties, (key, value) => {
    const values = leftOut[key];
    return values === true || values?.includes(value) ? undefined : value;
  });
  return { ...rest, properties: JSON.parse(short) as Record<string, object> };
}
