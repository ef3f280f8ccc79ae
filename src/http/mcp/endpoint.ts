import { type Context, Hono } from "hono";
import {
  ErrorCode,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { Fault } from "../../core/fault.ts";
import { type Caller } from "../../core/limits.ts";
import type { JsonFragments } from "../api/alert-json.ts";
import { codingFor, compress } from "../middleware/compress.ts";
import { encodeBody, respond, defaultHeaders } from "../middleware/response-headers.ts";
import { errorResponse, handleRequest, type ToolServer } from "./server.ts";
import { isLoopback } from "../../core/ip-address.ts";

type McpEnv = { Variables: { caller: Caller; requestId: string } };

/** Revision with batches; also assumed if the header is missing. */
const BATCH_REVISION = "2025-03-26";
const BATCH_MAX = 20;

/**
 * Streamable HTTP without sessions, to be mounted at /api/mcp: each POST stands for itself. `countReads` counts the
 * further calls of a batch against the client's limit and throws `too_many`.
 */
export function createEndpoint(
  server: ToolServer,
  allowedOrigins: readonly string[],
  countReads: (caller: Caller, reads: number) => void,
): Hono<McpEnv> {
  const endpoint = new Hono<McpEnv>();
  const checkOrigin = createOriginCheck(server.identity.baseUrl, allowedOrigins);
  endpoint.use("/", (c, next) => {
    checkOrigin(c);
    return next();
  });
  endpoint.options("/", (c) => c.body(null, 204));
  endpoint.post("/", async (c) => {
    const format = responseFormat(c.req.header("Accept"));
    const revision = revisionOf(c.req.header("MCP-Protocol-Version"));
    if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? ""))
      throw new Fault("bad_type", "The Content-Type must be application/json.");
    const body = await readBody(c, revision);
    if ("error" in body) return send(c, "json", body.error, 400);

    const requests = body.messages.filter((message) => "method" in message && "id" in message);
    const context = { caller: c.get("caller"), requestId: c.get("requestId") };
    if (requests.length > 1) countReads(context.caller, requests.length - 1);
    const responses = body.invalidIds.map(invalidMessage);
    for (const request of requests) {
      responses.push(await handleRequest(server, request, context));
      // Lets other requests run between the calls of a batch.
      if (requests.length > 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const [first] = responses;
    if (first === undefined) return respond(c, 202, {}, null);
    return send(c, format, body.isBatch ? jsonArray(responses) : first);
  });
  return endpoint;
}

/**
 * Refuses browser requests from other origins than our own and those the operator allows. On a loopback address all
 * loopback origins may call, and the Host must be a loopback one (DNS rebinding).
 */
function createOriginCheck(baseUrl: string, allowedOrigins: readonly string[]) {
  const own = new URL(baseUrl);
  const isLocal = isLoopback(own.hostname);
  const setVary = defaultHeaders({ Vary: "Origin, Accept-Encoding" });
  return (c: Context<McpEnv>): void => {
    const host = c.req.header("Host") ?? own.host;
    if (isLocal && !isLoopbackUrl(`http://${host}`))
      throw new Fault("forbidden", "This server does not answer to that host name.");

    const origin = c.req.header("Origin");
    setVary(c);
    if (origin === undefined) return;
    const isAllowed = origin === own.origin || allowedOrigins.includes(origin);
    if (!isAllowed && !(isLocal && isLoopbackUrl(origin)))
      throw new Fault("forbidden", "Pages of this origin may not use the tool server.");
    defaultHeaders({
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers":
        "Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID",
    })(c);
  };
}

function isLoopbackUrl(url: string): boolean {
  return isLoopback(URL.parse(url)?.hostname ?? "");
}

/** Format for an Accept header. Lenient, as real clients send all sorts, and the response is one JSON value anyway. */
function responseFormat(accept: string | undefined): "json" | "event" {
  if (accept === undefined || accept.trim() === "") return "json";
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (types.some((type) => ["application/json", "application/*", "*/*"].includes(type)))
    return "json";
  if (types.some((type) => ["text/event-stream", "text/*"].includes(type))) return "event";
  throw new Fault(
    "not_acceptable",
    "Responses are available as application/json or text/event-stream.",
  );
}

function revisionOf(header: string | undefined): string {
  const revision = header?.trim() ?? BATCH_REVISION;
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(revision))
    throw new Fault(
      "bad_input",
      `Unsupported protocol version. Supported versions: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`,
    );
  return revision;
}

type RequestBody =
  | {
      readonly isBatch: boolean;
      readonly messages: readonly JSONRPCMessage[];
      /** Ids of entries that are not valid messages. */
      readonly invalidIds: readonly MessageId[];
    }
  /** Response to a body that cannot be read at all. */
  | { readonly error: JsonFragments };
type MessageId = string | number | null;

async function readBody(c: Context<McpEnv>, revision: string): Promise<RequestBody> {
  const body = await readJson(c);
  if (body === undefined) {
    const message = "The request body is not valid JSON.";
    return { error: errorResponse(null, ErrorCode.ParseError, message) };
  }
  const isBatch = Array.isArray(body);
  const problem = isBatch ? batchProblem(body, revision) : null;
  if (problem !== null) return { error: errorResponse(null, ErrorCode.InvalidRequest, problem) };

  const messages: JSONRPCMessage[] = [];
  const invalidIds: MessageId[] = [];
  for (const entry of isBatch ? (body as unknown[]) : [body]) {
    if (isMessage(entry)) messages.push(entry);
    else invalidIds.push(idOf(entry));
  }
  const [invalidId] = invalidIds;
  if (!isBatch && invalidId !== undefined) return { error: invalidMessage(invalidId) };
  return { isBatch, messages, invalidIds };
}

function invalidMessage(id: MessageId): JsonFragments {
  return errorResponse(id, ErrorCode.InvalidRequest, "This is not a valid JSON-RPC 2.0 message.");
}

/** Undefined if the body is not valid JSON. */
async function readJson(c: Context<McpEnv>): Promise<unknown> {
  try {
    return await c.req.json();
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}

function batchProblem(batch: readonly unknown[], revision: string): string | null {
  if (revision !== BATCH_REVISION)
    return `Batches are supported in protocol version ${BATCH_REVISION} only.`;
  if (batch.length === 0) return "A batch must not be empty.";
  if (batch.length > BATCH_MAX) return `A batch may contain at most ${BATCH_MAX} messages.`;
  const initializes = batch.some(
    (message) => isJSONRPCRequest(message) && message.method === "initialize",
  );
  return initializes ? "initialize must not be part of a batch." : null;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResultResponse(value) ||
    isJSONRPCErrorResponse(value)
  );
}

/** Null if the id cannot be returned exactly: parsing rounds long numbers. */
function idOf(value: unknown): MessageId {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

function jsonArray(values: readonly JsonFragments[]): JsonFragments {
  return ["[", ...values.flatMap((json, index) => (index === 0 ? json : [",", ...json])), "]"];
}

function send(
  c: Context<McpEnv>,
  format: "json" | "event",
  json: JsonFragments,
  status: 200 | 400 = 200,
): Response {
  const body = encodeBody(format === "json" ? json : ["event: message\ndata: ", ...json, "\n\n"]);
  const headers = {
    ...(status === 200 ? { "Cache-Control": "no-store" } : {}),
    "Content-Type": format === "json" ? "application/json" : "text/event-stream",
  };
  const coding = format === "json" ? codingFor(c, body.length) : null;
  if (coding === null) return respond(c, status, headers, body);
  return respond(c, status, { ...headers, "Content-Encoding": coding }, compress(body, coding));
}
