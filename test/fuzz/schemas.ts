import Ajv2020, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { TOOL_LIST } from "../../src/http/mcp/tool-schemas.ts";

/** The description of the API as the service gives it. */
export type ApiDocument = {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly responses: Readonly<Record<string, DescribedResponse>> } }
    >
  >;
  readonly components: {
    readonly schemas: object;
    readonly headers: Readonly<Record<string, { readonly required: boolean }>>;
    readonly responses: Readonly<Record<string, DescribedResponse>>;
  };
};
export type DescribedResponse = {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
};

/** Holds values against schemas by their names; gives what does not fit. */
export type Schemas = { readonly errors: (name: string, value: unknown) => string[] };

/** Every schema that answers are held against, objects taken for closed but in tools, which list a few fields of alerts. */
export function createSchemas(api: ApiDocument): Schemas {
  const named: Record<string, object> = {
    ...Object.fromEntries(
      Object.keys(api.components.schemas).map((name) => [name, { $ref: `#/$defs/${name}` }]),
    ),
    JsonRpcAnswer: JSON_RPC_ANSWER,
  };
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats(ajv);
  const checks = new Map<string, ValidateFunction>();
  for (const [name, schema] of Object.entries(named))
    checks.set(name, ajv.compile(closed({ ...schema, $defs: api.components.schemas })));
  for (const { name, outputSchema } of TOOL_LIST)
    checks.set(`tool ${name}`, ajv.compile(outputSchema));
  return {
    errors(name, value) {
      const check = checks.get(name);
      if (check === undefined) return [`there is no schema ${name}`];
      return check(value)
        ? []
        : [`does not fit ${name}: ${ajv.errorsText(check.errors).slice(0, 300)}`];
    },
  };
}

const JSON_RPC_ID = { type: ["string", "number", "null"] };
const JSON_RPC_ANSWER = {
  oneOf: [
    {
      type: "object",
      properties: { jsonrpc: { const: "2.0" }, id: JSON_RPC_ID, result: { type: "object" } },
      required: ["jsonrpc", "id", "result"],
    },
    {
      type: "object",
      properties: {
        jsonrpc: { const: "2.0" },
        id: JSON_RPC_ID,
        error: {
          type: "object",
          properties: {
            code: { type: "integer" },
            message: { type: "string", minLength: 1 },
            data: { type: "object" },
          },
          required: ["code", "message"],
        },
      },
      required: ["jsonrpc", "id", "error"],
    },
  ],
};

function closed(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/"),
    (_, value) =>
      value?.type === "object" && value.properties !== undefined
        ? { ...value, additionalProperties: false }
        : value,
  );
}

/** A text as JSON; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A field of what may be an object; else undefined. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
