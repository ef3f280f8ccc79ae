import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { Fault } from "../../core/fault.ts";
import type { Pieces } from "../written.ts";
import { alertToWire, snakeCase } from "../wire.ts";
import { CAPABILITIES, instructions, serverInfo } from "./discovery.ts";
import { completions, PROMPTS } from "./prompts.ts";
import type { ToolServer, Visit } from "./server.ts";
import { argumentsFor, type Arguments, TOOL_LIST, TOOLS, unknownInWords } from "./tools.ts";

/** Gives a result as JSON. Throws `Refusal` and `Misfit`. */
export type Method = (
  request: JSONRPCRequest,
  tools: ToolServer,
  visit: Visit,
) => Pieces | Promise<Pieces>;

/** The parameters are not what the method takes. */
export class Misfit extends Error {}

/** Words for the client. The SDK's own error puts its name before them, and so does its client once more. */
export class Refusal extends Error {
  constructor(
    readonly code: number,
    words: string,
  ) {
    super(words);
  }
}

const ALERT_SCHEME = "alert://";
const ALERT_TEMPLATE = {
  uriTemplate: `${ALERT_SCHEME}{slug}`,
  name: "alert",
  title: "One alert",
  description: "All public details of one lost or found pet alert, by slug, UUID or short code",
  mimeType: "application/json",
};

const PROMPT_LIST = PROMPTS.map(({ name, title, description, arguments: needed }) => ({
  name,
  title,
  description,
  arguments: needed.map(({ name: argument, description: meaning, required }) => ({
    name: argument,
    description: meaning,
    required,
  })),
}));

/** Every method that is answered, by its name. */
export const METHODS: ReadonlyMap<string, Method> = new Map([
  [
    "initialize",
    method(InitializeRequestSchema, ({ params }, { identity }) =>
      initialized(params.protocolVersion, identity),
    ),
  ],
  ["ping", constant(PingRequestSchema, {})],
  ["tools/list", constant(ListToolsRequestSchema, { tools: TOOL_LIST })],
  [
    "tools/call",
    method(CallToolRequestSchema, ({ params }, tools, visit) =>
      call(tools, params.name, params.arguments, visit),
    ),
  ],
  ["resources/list", constant(ListResourcesRequestSchema, { resources: [] })],
  [
    "resources/templates/list",
    constant(ListResourceTemplatesRequestSchema, { resourceTemplates: [ALERT_TEMPLATE] }),
  ],
  [
    "resources/read",
    method(ReadResourceRequestSchema, ({ params }, tools) => readAlert(tools, params.uri)),
  ],
  ["prompts/list", constant(ListPromptsRequestSchema, { prompts: PROMPT_LIST })],
  [
    "prompts/get",
    method(GetPromptRequestSchema, ({ params }) => prompt(params.name, params.arguments ?? {})),
  ],
  ["completion/complete", method(CompleteRequestSchema, ({ params }) => completed(params))],
  // Nothing is ever logged to a client, so every level is as good; clients ask all the same.
  ["logging/setLevel", constant(SetLevelRequestSchema, {})],
]);

/** A method that takes what fits the SDK's schema of it. */
function method<Schema extends z.ZodType>(
  schema: Schema,
  result: (asked: z.infer<Schema>, tools: ToolServer, visit: Visit) => Pieces | Promise<Pieces>,
): Method {
  return (request, tools, visit) => {
    const read = schema.safeParse(request);
    if (!read.success) throw new Misfit();
    return result(read.data, tools, visit);
  };
}

/** A method that always gives the same. */
function constant(schema: z.ZodType, result: object): Method {
  const text = json(result);
  return method(schema, () => text);
}

/** What both will speak: the client's revision, or the newest of ours where it is not known here. */
function initialized(asked: string, identity: ToolServer["identity"]): Pieces {
  return json({
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(identity),
    instructions: instructions(identity),
  });
}

function json(result: object): Pieces {
  return [JSON.stringify(result)];
}

const NAME_SHOWN_MAX = 60;

/** A tool's result; whatever goes wrong inside is told in words of ours, never in those of what was thrown. */
async function call(
  tools: ToolServer,
  name: string,
  args: Record<string, unknown> | undefined,
  { caller, request }: Visit,
): Promise<Pieces> {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((known) => known.name).join(", ");
    throw new Refusal(
      ErrorCode.InvalidParams,
      `There is no tool ${name.slice(0, NAME_SHOWN_MAX)}. Tools: ${names}.`,
    );
  }
  const read = argumentsFor(tool, args);
  try {
    const { plain, quoted } = await tool.call(tools.service, read, caller);
    return [TEXT_START, ...quoted, `"}],"structuredContent":`, ...plain, "}"];
  } catch (error) {
    if (!(error instanceof Fault)) tools.log("bug", { request, tool: name, error });
    const content = [{ type: "text", text: inWords(error, request, read) }];
    return json({ content, isError: true });
  }
}

const TEXT_START = '{"content":[{"type":"text","text":"';

/** What went wrong and the next step. */
function inWords(error: unknown, request: string, args: Arguments): string {
  if (!(error instanceof Fault))
    return `Something went wrong on the server. It has been noted under ${request}; trying again may help.`;
  switch (error.code) {
    case "bad_input": {
      const wrong = error.fields.map(({ field, message }) => `${snakeCase(field)} ${message}`);
      const unknown = unknownInWords(args);
      if (wrong.length === 0)
        return unknown === null ? error.message : `${error.message} ${unknown}.`;
      return `Please mend: ${[...wrong, ...(unknown === null ? [] : [unknown])].join("; ")}.`;
    }
    case "not_found":
      return `${error.message} search_alerts finds alerts near a place.`;
    case "too_many":
      return `${error.message} (${error.retryAfterSeconds ?? 0} seconds)`;
    default:
      return error.message;
  }
}

/** Resource not found (MCP 2025-03-26, Resources, Error Handling). */
const RESOURCE_NOT_FOUND = -32_002;

async function readAlert({ service }: ToolServer, uri: string): Promise<Pieces> {
  try {
    if (!uri.startsWith(ALERT_SCHEME)) throw new Fault("not_found", "There is no such resource.");
    const text = JSON.stringify(alertToWire(await service.get(uri.slice(ALERT_SCHEME.length))));
    return json({ contents: [{ uri, mimeType: "application/json", text }] });
  } catch (error) {
    throw error instanceof Fault ? new Refusal(RESOURCE_NOT_FOUND, error.message) : error;
  }
}

function completed({ ref, argument }: z.infer<typeof CompleteRequestSchema>["params"]): Pieces {
  const values =
    ref.type === "ref/prompt" ? completions(ref.name, argument.name, argument.value) : [];
  return json({ completion: { values, total: values.length, hasMore: false } });
}

function prompt(name: string, given: Record<string, string>): Pieces {
  const known = PROMPTS.find((one) => one.name === name);
  if (known === undefined)
    throw new Refusal(
      ErrorCode.InvalidParams,
      `There is no prompt ${name.slice(0, NAME_SHOWN_MAX)}.`,
    );
  const missing = known.arguments.filter((argument) => argument.required && !given[argument.name]);
  if (missing.length > 0) {
    throw new Refusal(
      ErrorCode.InvalidParams,
      `Missing: ${missing.map((argument) => argument.name).join(", ")}.`,
    );
  }
  const text = known.words(given).replace(/\s+/g, " ").trim();
  return json({
    description: known.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  });
}
