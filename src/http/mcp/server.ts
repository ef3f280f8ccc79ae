import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { Fault } from "../../core/fault.ts";
import type { Caller } from "../../core/limit.ts";
import type { Service } from "../../core/service.ts";
import { alertToWire, snakeCase } from "../wire.ts";
import { CAPABILITIES, instructions, type ServerIdentity, serverInfo } from "./discovery.ts";
import { completions, PROMPTS } from "./prompts.ts";
import { argumentsFrom, TOOL_LIST, TOOLS } from "./tools.ts";

/** What one answer needs. */
export type ToolServer = {
  readonly service: Service;
  readonly identity: ServerIdentity;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** No call takes this long; a client must not wait for ever if one does. */
const CALL_DEADLINE_MS = 20_000;

/**
 * Answers one JSON-RPC request with a protocol server of its own, so that no request can hold up, cancel or see
 * another. The SDK's HTTP transport is not used: it refuses `Accept: application/json`, answers a batch of one as an
 * object, and lets a cancelled call in a batch hang.
 */
export async function answer(
  tools: ToolServer,
  request: JSONRPCRequest,
  caller: Caller,
): Promise<JSONRPCMessage> {
  if (!fitsItsMethod(request))
    return rpcError(
      request.id,
      ErrorCode.InvalidParams,
      `The parameters do not fit ${request.method}.`,
    );
  const server = protocolServer(tools, caller);
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
  const transport: Transport = {
    start: async () => {},
    send: async (message) => resolve(message),
    close: async () => {},
  };
  await server.connect(transport);
  const deadline = setTimeout(
    () =>
      resolve(
        rpcError(request.id, ErrorCode.RequestTimeout, "This took too long and was given up."),
      ),
    CALL_DEADLINE_MS,
  );
  transport.onmessage?.(request);
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    await server.close();
  }
}

/** The SDK answers misfit parameters with an internal error in its validator's words; so they never reach it. */
function fitsItsMethod(request: JSONRPCRequest): boolean {
  const schema = METHODS.find((known) => known.shape.method.value === request.method);
  return schema === undefined || schema.safeParse(request).success;
}
const METHODS = [
  InitializeRequestSchema,
  PingRequestSchema,
  ListToolsRequestSchema,
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  ListPromptsRequestSchema,
  GetPromptRequestSchema,
  CompleteRequestSchema,
  SetLevelRequestSchema,
];

/** A JSON-RPC error answer. */
export function rpcError(
  id: string | number | null,
  code: number,
  message: string,
): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage;
}

function protocolServer(tools: ToolServer, caller: Caller): Server {
  const { service } = tools;
  const server = new Server(serverInfo(tools.identity), {
    capabilities: CAPABILITIES,
    instructions: instructions(tools.identity),
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOL_LIST }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    call(tools, params.name, params.arguments, caller),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [ALERT_TEMPLATE],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    readAlert(service, params.uri),
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPT_LIST }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    prompt(params.name, params.arguments ?? {}),
  );
  // Nothing is ever logged to a client, so every level is as good; clients ask all the same.
  server.setRequestHandler(SetLevelRequestSchema, () => ({}));
  server.setRequestHandler(CompleteRequestSchema, ({ params }) => {
    const values =
      params.ref.type === "ref/prompt"
        ? completions(params.ref.name, params.argument.name, params.argument.value)
        : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}

const NAME_SHOWN_MAX = 60;

/** A tool's result; whatever goes wrong inside is told in words of ours, never in those of what was thrown. */
async function call(
  tools: ToolServer,
  name: string,
  args: Record<string, unknown> | undefined,
  caller: Caller,
) {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((known) => known.name).join(", ");
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no tool ${name.slice(0, NAME_SHOWN_MAX)}. Tools: ${names}.`,
    );
  }
  try {
    const structuredContent = {
      ...(await tool.call(tools.service, argumentsFrom(args), caller)),
    };
    return {
      content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
      structuredContent,
    };
  } catch (error) {
    if (!(error instanceof Fault)) tools.log("bug", { tool: name, error });
    return { content: [{ type: "text" as const, text: inWords(error) }], isError: true };
  }
}

/** What went wrong and the next step. */
function inWords(error: unknown): string {
  if (!(error instanceof Fault))
    return "Something went wrong on the server. It has been noted; trying again may help.";
  switch (error.code) {
    case "bad_input":
      return error.fields.length === 0
        ? error.message
        : `Please mend: ${error.fields.map(({ field, message }) => `${snakeCase(field)} ${message}`).join("; ")}.`;
    case "not_found":
      return `${error.message} search_alerts finds alerts near a place.`;
    case "too_many":
      return `${error.message} (${error.retryAfterSeconds ?? 0} seconds)`;
    default:
      return error.message;
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
/** Resource not found (MCP 2025-03-26, Resources, Error Handling). */
const RESOURCE_NOT_FOUND = -32_002;

async function readAlert(service: Service, uri: string) {
  try {
    if (!uri.startsWith(ALERT_SCHEME)) throw new Fault("not_found", "There is no such resource.");
    const alert = alertToWire(await service.get(uri.slice(ALERT_SCHEME.length)));
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(alert) }] };
  } catch (error) {
    if (error instanceof Fault) throw new McpError(RESOURCE_NOT_FOUND, error.message);
    throw new McpError(ErrorCode.InternalError, "Something went wrong on the server.");
  }
}

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

function prompt(name: string, given: Record<string, string>) {
  const known = PROMPTS.find((one) => one.name === name);
  if (known === undefined)
    throw new McpError(
      ErrorCode.InvalidParams,
      `There is no prompt ${name.slice(0, NAME_SHOWN_MAX)}.`,
    );
  const missing = known.arguments.filter((argument) => argument.required && !given[argument.name]);
  if (missing.length > 0) {
    throw new McpError(
      ErrorCode.InvalidParams,
      `Missing: ${missing.map((argument) => argument.name).join(", ")}.`,
    );
  }
  const text = known.words(given).replace(/\s+/g, " ").trim();
  return {
    description: known.description,
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}
