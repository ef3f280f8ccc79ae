import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isTaskAugmentedRequestParams,
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
import type { Caller } from "../../core/limits.ts";
import type { Service } from "../../core/service.ts";
import { alertToWire, type JsonFragments } from "../api/alert-json.ts";
import { detailOf } from "../faults.ts";
import { CAPABILITIES, instructions, type ServerIdentity, serverInfo } from "./discovery.ts";
import { completions, PROMPTS } from "./prompts.ts";
import { TOOL_LIST } from "./tool-list.ts";
import { readArguments, type ToolArguments, TOOLS, unknownParameters } from "./tools.ts";

/** Everything the tool server depends on. */
export type ToolServer = {
  readonly service: Service;
  readonly identity: ServerIdentity;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** Client, and id of the HTTP request in the log. */
export type RequestContext = { readonly caller: Caller; readonly requestId: string };

/** Far longer than any call takes, so that no client waits forever. */
const CALL_TIMEOUT_MS = 20_000;

/**
 * Answers one JSON-RPC request. The types and schemas are the SDK's, but its `Server` is not used: it needs an instance
 * per request, parses requests and results several times, and never answers a batch that contains a call and its
 * cancellation.
 */
export async function handleRequest(
  server: ToolServer,
  request: JSONRPCRequest,
  context: RequestContext,
): Promise<JsonFragments> {
  const { promise: timeout, resolve: timeOut } = Promise.withResolvers<JsonFragments>();
  const timer = setTimeout(
    () => timeOut(errorResponse(request.id, ErrorCode.RequestTimeout, "The server took too long.")),
    CALL_TIMEOUT_MS,
  );
  try {
    return await Promise.race([respondTo(server, request, context), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function respondTo(
  server: ToolServer,
  request: JSONRPCRequest,
  context: RequestContext,
): Promise<JsonFragments> {
  const { id, method, params } = request;
  const run = METHODS.get(method);
  if (run === undefined) return errorResponse(id, ErrorCode.MethodNotFound, "Method not found");
  try {
    // A task's result is fetched by a later request, and this server keeps nothing between requests.
    if (params?.["task"] !== undefined && isTaskAugmentedRequestParams(params))
      throw new RpcError(
        ErrorCode.InternalError,
        `Server does not support task creation (required for ${method})`,
      );
    const result = await run(request, server, context);
    return ['{"result":', ...result, `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`];
  } catch (error) {
    if (error instanceof RpcError) return errorResponse(id, error.code, error.message);
    server.log("bug", { request: context.requestId, method, error });
    return errorResponse(id, ErrorCode.InternalError, "Something went wrong on the server.");
  }
}

/** JSON-RPC error response. */
export function errorResponse(
  id: string | number | null,
  code: number,
  message: string,
): JsonFragments {
  return [JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })];
}

/** JSON-RPC method; returns the result as JSON. Throws `RpcError`. */
type Method = (
  request: JSONRPCRequest,
  server: ToolServer,
  context: RequestContext,
) => JsonFragments | Promise<JsonFragments>;

/** Error for the client. The SDK's `McpError` prefixes the message with its name, and its client does so again. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
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

const PROMPT_LIST = PROMPTS.map(({ text: _text, ...prompt }) => ({
  ...prompt,
  arguments: prompt.arguments.map(({ values: _values, ...argument }) => argument),
}));

/** Supported methods by name. */
const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    initialize: method(InitializeRequestSchema, ({ params }, { identity }) =>
      initialize(params.protocolVersion, identity),
    ),
    ping: constant(PingRequestSchema, {}),
    "tools/list": constant(ListToolsRequestSchema, { tools: TOOL_LIST }),
    "tools/call": method(CallToolRequestSchema, ({ params }, server, context) =>
      callTool(server, params.name, params.arguments, context),
    ),
    "resources/list": constant(ListResourcesRequestSchema, { resources: [] }),
    "resources/templates/list": constant(ListResourceTemplatesRequestSchema, {
      resourceTemplates: [ALERT_TEMPLATE],
    }),
    "resources/read": method(ReadResourceRequestSchema, ({ params }, server) =>
      readResource(server, params.uri),
    ),
    "prompts/list": constant(ListPromptsRequestSchema, { prompts: PROMPT_LIST }),
    "prompts/get": method(GetPromptRequestSchema, ({ params }) =>
      getPrompt(params.name, params.arguments ?? {}),
    ),
    "completion/complete": method(CompleteRequestSchema, ({ params }) => complete(params)),
    // Accepted because clients send it; nothing is ever logged to a client.
    "logging/setLevel": constant(SetLevelRequestSchema, {}),
  }),
);

/** Method whose requests are parsed by a schema of the SDK. */
function method<Schema extends z.ZodType>(
  schema: Schema,
  run: (
    request: z.infer<Schema>,
    server: ToolServer,
    context: RequestContext,
  ) => JsonFragments | Promise<JsonFragments>,
): Method {
  return (request, server, context) => {
    const parsed = schema.safeParse(request);
    if (!parsed.success)
      throw new RpcError(ErrorCode.InvalidParams, `Invalid parameters for ${request.method}.`);
    return run(parsed.data, server, context);
  };
}

/** Method that always returns the same result. */
function constant(schema: z.ZodType, result: object): Method {
  const json = toJson(result);
  return method(schema, () => json);
}

function toJson(result: object): JsonFragments {
  return [JSON.stringify(result)];
}

/** Agrees on the client's revision if it is supported, else proposes our newest. */
function initialize(requested: string, identity: ToolServer["identity"]): JsonFragments {
  return toJson({
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(requested)
      ? requested
      : LATEST_PROTOCOL_VERSION,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(identity),
    instructions: instructions(identity),
  });
}

const NAME_LENGTH_SHOWN = 60;

/** Calls a tool. Errors become a result with a text of ours; the message of an unexpected error is never sent. */
async function callTool(
  server: ToolServer,
  name: string,
  rawArguments: Record<string, unknown> | undefined,
  { caller, requestId }: RequestContext,
): Promise<JsonFragments> {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((known) => known.name).join(", ");
    throw new RpcError(
      ErrorCode.InvalidParams,
      `Unknown tool: ${name.slice(0, NAME_LENGTH_SHOWN)}. Available tools: ${names}.`,
    );
  }
  const args = readArguments(tool, rawArguments);
  try {
    const { json, escaped } = await tool.call(server.service, args, caller);
    return [TEXT_START, ...escaped, `"}],"structuredContent":`, ...json, "}"];
  } catch (error) {
    if (!(error instanceof Fault)) server.log("bug", { request: requestId, tool: name, error });
    const content = [{ type: "text", text: errorText(error, requestId, args) }];
    return toJson({ content, isError: true });
  }
}

const TEXT_START = '{"content":[{"type":"text","text":"';

/** Description of an error with the next step. */
function errorText(error: unknown, requestId: string, args: ToolArguments): string {
  if (!(error instanceof Fault))
    return `Something went wrong on the server. It was logged as ${requestId}. Trying again may help.`;
  switch (error.code) {
    case "bad_input":
      return [detailOf(error), ...unknownParameters(args)].join(" ");
    case "not_found":
      return `${error.message} ${missingAlert(error)}`;
    case "too_many":
      return `${error.message} Retry after ${error.retryAfterSeconds ?? 0} seconds.`;
    default:
      return error.why?.reason === "not_at_large"
        ? `${error.message} Without seen_place, seen_lat, seen_lng and seen_at, send_message writes to its owner.`
        : error.message;
  }
}

function missingAlert({ why }: Fault): string {
  switch (why?.reason) {
    case "alert_waiting":
      return "It needs no second publish_alert: the link works for 48 hours from the call that made it. If no email arrived, it may be in the spam folder.";
    case "alert_unconfirmed":
      return "publish_alert prepares it anew.";
    default:
      return "Use search_alerts to find alerts near a place.";
  }
}

/** Resource not found (MCP 2025-03-26, Resources, Error Handling). */
const RESOURCE_NOT_FOUND = -32_002;

async function readResource({ service }: ToolServer, uri: string): Promise<JsonFragments> {
  try {
    if (!uri.startsWith(ALERT_SCHEME)) throw new Fault("not_found", "No resource with that URI.");
    const text = JSON.stringify(alertToWire(await service.get(uri.slice(ALERT_SCHEME.length))));
    return toJson({ contents: [{ uri, mimeType: "application/json", text }] });
  } catch (error) {
    throw error instanceof Fault ? new RpcError(RESOURCE_NOT_FOUND, error.message) : error;
  }
}

function complete({ ref, argument }: z.infer<typeof CompleteRequestSchema>["params"]) {
  const values =
    ref.type === "ref/prompt" ? completions(ref.name, argument.name, argument.value) : [];
  return toJson({ completion: { values, total: values.length, hasMore: false } });
}

function getPrompt(name: string, args: Record<string, string>): JsonFragments {
  const prompt = PROMPTS.find((known) => known.name === name);
  if (prompt === undefined)
    throw new RpcError(
      ErrorCode.InvalidParams,
      `Unknown prompt: ${name.slice(0, NAME_LENGTH_SHOWN)}.`,
    );
  const missing = prompt.arguments.filter((argument) => argument.required && !args[argument.name]);
  if (missing.length > 0)
    throw new RpcError(
      ErrorCode.InvalidParams,
      `Missing arguments: ${missing.map((argument) => argument.name).join(", ")}.`,
    );
  const text = prompt.text(args).replace(/\s+/g, " ").trim();
  return toJson({
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  });
}
