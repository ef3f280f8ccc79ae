import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  type JSONRPCRequest,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import { Fault } from "../../core/fault.ts";
import { alertToWire } from "../api/alert-json.ts";
import { CAPABILITIES, instructions, OLDER_REVISIONS, serverInfo } from "./discovery.ts";
import { PLAN_TEMPLATE, planOf } from "./plan.ts";
import { completions, PROMPTS } from "./prompts.ts";
import { errorJson, invalidParams, RpcError } from "./rpc-message.ts";
import { callTool, type RequestContext, type ToolServer } from "./tool-call.ts";
import { CARDS, TOOL_LIST } from "./tool-schemas.ts";

/** Answers a request of a revision from 2024-11-05 to 2025-11-25 with the JSON of a response. */
export async function answerOlder(
  server: ToolServer,
  request: JSONRPCRequest,
  context: RequestContext,
): Promise<string> {
  const { id } = request;
  try {
    const result = await answer(server, request, context, OLDER_METHODS);
    return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return errorJson(id, error.code, error.message, error.data);
  }
}

/** Answers one request with the JSON of its result. Throws nothing but `RpcError`. */
export async function answer(
  server: ToolServer,
  request: JSONRPCRequest,
  context: RequestContext,
  methods = METHODS,
): Promise<string> {
  const { method } = request;
  try {
    const run = methods.get(method);
    if (run === undefined) throw new RpcError(ErrorCode.MethodNotFound, "Method not found");
    const result = await run(request, server, context);
    return typeof result === "string" ? result : JSON.stringify(result);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    server.log("bug", { request: context.requestId, method, error });
    throw new RpcError(ErrorCode.InternalError, "Something went wrong on the server.");
  }
}

/** Result of a request, or its JSON. */
type Result = object | string;
type Method = (
  request: JSONRPCRequest,
  server: ToolServer,
  context: RequestContext,
) => Result | Promise<Result>;

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

/** Methods of every revision. */
export const METHODS: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    "tools/list": constant(ListToolsRequestSchema, { tools: TOOL_LIST }),
    "tools/call": method(CallToolRequestSchema, ({ params }, server, context) =>
      callTool(server, params.name, params.arguments, context),
    ),
    "resources/list": constant(ListResourcesRequestSchema, { resources: [CARDS] }),
    "resources/templates/list": constant(ListResourceTemplatesRequestSchema, {
      resourceTemplates: [ALERT_TEMPLATE, PLAN_TEMPLATE],
    }),
    "resources/read": method(ReadResourceRequestSchema, ({ params }, server) =>
      readResource(server, params.uri),
    ),
    "prompts/list": constant(ListPromptsRequestSchema, { prompts: PROMPT_LIST }),
    "prompts/get": method(GetPromptRequestSchema, ({ params }) =>
      getPrompt(params.name, params.arguments ?? {}),
    ),
    "completion/complete": method(CompleteRequestSchema, ({ params }) => complete(params)),
  }),
);

/** With those of the older revisions, which begin with a handshake. */
const OLDER_METHODS: ReadonlyMap<string, Method> = new Map([
  ...METHODS,
  ["initialize", method(InitializeRequestSchema, initialize)],
  ["ping", constant(PingRequestSchema, {})],
  ["logging/setLevel", constant(SetLevelRequestSchema, {})],
]);

function initialize({ params }: z.infer<typeof InitializeRequestSchema>, { site }: ToolServer) {
  const [newest, ...others] = OLDER_REVISIONS;
  return {
    protocolVersion: others.find((revision) => revision === params.protocolVersion) ?? newest,
    // With logging, as clients set its level; nothing is ever logged to a client.
    capabilities: { ...CAPABILITIES, logging: {} },
    serverInfo: serverInfo(site),
    instructions: instructions(site),
  };
}

/** Method whose requests are parsed by a schema of the SDK. */
function method<Schema extends z.ZodType>(
  schema: Schema,
  run: (
    request: z.infer<Schema>,
    server: ToolServer,
    context: RequestContext,
  ) => Result | Promise<Result>,
): Method {
  return (request, server, context) => {
    const parsed = schema.safeParse(withoutNulls(request));
    if (!parsed.success) throw invalidParams(request.method, parsed.error);
    return run(parsed.data, server, context);
  };
}

/** A null counts as absent, as it does in arguments: some clients send one for every parameter that they do not use. */
function withoutNulls({ params = {}, ...request }: JSONRPCRequest) {
  const present = Object.entries(params).filter(([, value]) => value !== null);
  return { ...request, params: Object.fromEntries(present) };
}

/** Method that always returns the same result. */
function constant(schema: z.ZodType, result: object): Method {
  const json = JSON.stringify(result);
  return method(schema, () => json);
}

/** Resource not found (MCP 2025-03-26, Resources, Error Handling). For 2026-07-28 the SDK sends -32602 instead. */
const RESOURCE_NOT_FOUND = -32_002;

async function readResource(server: ToolServer, uri: string): Promise<object> {
  const { service } = server;
  try {
    if (uri === CARDS.uri) return { contents: [cardsOf(server)] };
    const plan = planOf(uri);
    if (plan !== null) return { contents: [{ uri, mimeType: PLAN_TEMPLATE.mimeType, text: plan }] };
    if (!uri.startsWith(ALERT_SCHEME)) throw new Fault("not_found", "No resource with that URI.");
    const text = JSON.stringify(
      alertToWire(await service.alerts.get(uri.slice(ALERT_SCHEME.length))),
    );
    return { contents: [{ uri, mimeType: "application/json", text }] };
  } catch (error) {
    throw error instanceof Fault ? new RpcError(RESOURCE_NOT_FOUND, error.message, { uri }) : error;
  }
}

/** Content of the cards: the frame may load photos from this server, and nothing else from anywhere. */
function cardsOf({ cards, site }: ToolServer) {
  const { origin } = new URL(site.baseUrl);
  const ui = { csp: { resourceDomains: [origin] }, prefersBorder: false };
  return { uri: CARDS.uri, mimeType: CARDS.mimeType, text: cards, _meta: { ui } };
}

function complete({ ref, argument }: z.infer<typeof CompleteRequestSchema>["params"]) {
  const values =
    ref.type === "ref/prompt" ? completions(ref.name, argument.name, argument.value) : [];
  return { completion: { values, total: values.length, hasMore: false } };
}

const NAME_LENGTH_SHOWN = 60;

function getPrompt(name: string, args: Record<string, string>) {
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
  return {
    description: prompt.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
