import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { type Context, Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import type { Caller } from "../../core/limits.ts";
import { withTimeout } from "../../core/timeout.ts";
import { encodeBody, respond, type ResponseVariables } from "../middleware/response-headers.ts";
import { codingFor, compress } from "../middleware/compress.ts";
import type { ReadCounter } from "../middleware/rate-limit.ts";
import { NEWEST_REVISION, REVISIONS } from "./discovery.ts";
import type { NewestRevision } from "./newest-revision.ts";
import type { OriginVariables } from "./origins.ts";
import { errorJson, type RpcId } from "./rpc-message.ts";
import { answerOlder } from "./server.ts";
import type { ToolServer } from "./tool-call.ts";

type McpEnv = {
  Variables: { caller: Caller; requestId: string } & OriginVariables & ResponseVariables;
};

/** Revision with batches; also assumed if the header is missing. */
const BATCH_REVISION = "2025-03-26";
const BATCH_MAX = 20;
/** Far longer than any call takes, so that no client waits forever. */
const CALL_TIMEOUT_MS = 20_000;

/** Streamable HTTP without sessions, to be mounted at /api/mcp: each POST stands for itself. */
export function createEndpoint(server: ToolServer, reads: ReadCounter): Hono<McpEnv> {
  const endpoint = new Hono<McpEnv>();
  // Its SDK takes some 10 MB of memory, so it is loaded with the first request that needs it.
  let newest: Promise<NewestRevision> | undefined;
  const loadNewest = () =>
    (newest ??= import("./newest-revision.ts").then((it) => it.createNewestRevision(server)));

  endpoint.post("/", async (c) => {
    const format = responseFormat(c.req.header("Accept"));
    if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? ""))
      throw new Fault("bad_type", "The Content-Type must be application/json.");
    const revision = c.req.header("MCP-Protocol-Version")?.trim() ?? BATCH_REVISION;
    const body = await readBody(c, revision);
    const caller = c.get("caller");
    const count = (calls: number) => {
      try {
        reads.count(caller, calls);
      } finally {
        c.set("rateLimit", reads.headers(caller));
      }
    };
    if ("error" in body) {
      count(1);
      return send(c, "json", body.error, 400);
    }
    const { messages, isBatch } = body;
    const requests = messages.filter((message) => isJSONRPCRequest(message));
    const [request] = requests;
    try {
      count(Math.max(1, requests.length));
    } catch (error) {
      if (!(error instanceof Fault) || isBatch || request === undefined) throw error;
      const status = request.method === "tools/call" ? 200 : 429;
      const headers = { "Retry-After": String(error.retryAfterSeconds) };
      return send(c, format, refusal(request, error, revision), status, headers);
    }
    const context = {
      caller,
      requestId: c.get("requestId"),
      mayWrite: c.get("mayWrite"),
      noteRefused: () => reads.noteRefused(caller),
    };
    const id = request?.id ?? null;
    const sent = isBatch ? messages : messages[0];
    const modern = isPlainlyOlder(c, revision, messages) ? null : await loadNewest();
    if (
      modern !== null &&
      (revision === NEWEST_REVISION || !(await modern.isOlder(c.req.raw, sent)))
    ) {
      const { status, json } = await withTimeout(
        modern.answer(c.req.raw, sent, context),
        CALL_TIMEOUT_MS,
        () => ({ status: 200, json: timedOut(id) }),
      );
      return json === null ? respond(c, status, {}, null) : send(c, format, json, status);
    }
    if (!REVISIONS.includes(revision)) return send(c, "json", unsupported(id, revision), 400);

    const responses = body.invalidIds.map(invalidMessage);
    for (const one of requests) {
      responses.push(
        refusedNow(reads, caller, one, revision) ??
          (await withTimeout(answerOlder(server, one, context), CALL_TIMEOUT_MS, () =>
            timedOut(one.id),
          )),
      );
      // Lets other requests run between the calls of a batch.
      if (requests.length > 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const [first] = responses;
    if (first === undefined) return respond(c, 202, {}, null);
    return send(c, format, isBatch ? `[${responses.join(",")}]` : first, 200);
  });
  return endpoint;
}

/** Refusal of a call if those refused before it in its batch have used up the client's reads; else null. */
function refusedNow(
  reads: ReadCounter,
  caller: Caller,
  request: JSONRPCRequest,
  revision: string,
): string | null {
  try {
    reads.count(caller, 0);
    return null;
  } catch (error) {
    if (error instanceof Fault) return refusal(request, error, revision);
    throw error;
  }
}

/**
 * Response to a request beyond the limit of reads. A tool call gets a result with an error text: clients show the body of
 * a 429 to nobody, and the model would not learn when to try again.
 */
function refusal({ id, method }: JSONRPCRequest, { message }: Fault, revision: string) {
  if (method !== "tools/call") return errorJson(id, ErrorCode.InternalError, message);
  const content = [{ type: "text", text: message }];
  const resultType = revision === NEWEST_REVISION ? "complete" : undefined;
  return JSON.stringify({ jsonrpc: "2.0", id, result: { content, isError: true, resultType } });
}

/** True if neither header nor envelope hint at the newest revision; only its SDK can tell for the others. */
function isPlainlyOlder(
  c: Context<McpEnv>,
  revision: string,
  messages: readonly JSONRPCMessage[],
): boolean {
  const isNamed = ["Mcp-Method", "Mcp-Name"].some((name) => c.req.header(name) !== undefined);
  const isWrapped = messages.some(
    (message) => "params" in message && message.params?.["_meta"] !== undefined,
  );
  return revision !== NEWEST_REVISION && REVISIONS.includes(revision) && !isNamed && !isWrapped;
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

type RequestBody =
  | {
      readonly isBatch: boolean;
      readonly messages: readonly JSONRPCMessage[];
      /** Ids of entries that are not valid messages. */
      readonly invalidIds: readonly RpcId[];
    }
  /** Response to a body that cannot be read at all. */
  | { readonly error: string };

async function readBody(c: Context<McpEnv>, revision: string): Promise<RequestBody> {
  const body = await readJson(c);
  if (body === undefined) {
    const message = "The request body is not valid JSON.";
    return { error: errorJson(null, ErrorCode.ParseError, message) };
  }
  const isBatch = Array.isArray(body);
  const problem = isBatch ? batchProblem(body, revision) : null;
  if (problem !== null) return { error: errorJson(null, ErrorCode.InvalidRequest, problem) };

  const messages: JSONRPCMessage[] = [];
  const invalidIds: RpcId[] = [];
  for (const entry of isBatch ? (body as unknown[]) : [body]) {
    const parsed = JSONRPCMessageSchema.safeParse(entry);
    if (parsed.success) messages.push(parsed.data);
    else invalidIds.push(idOf(entry));
  }
  const [invalidId] = invalidIds;
  if (!isBatch && invalidId !== undefined) return { error: invalidMessage(invalidId) };
  return { isBatch, messages, invalidIds };
}

function invalidMessage(id: RpcId): string {
  return errorJson(id, ErrorCode.InvalidRequest, "This is not a valid JSON-RPC 2.0 message.");
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

/** Null if the id cannot be returned exactly: parsing rounds long numbers. */
function idOf(value: unknown): RpcId {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

/** Error code of 2026-07-28 for a revision that is not supported; its data lets clients choose another. */
const UNSUPPORTED_REVISION = -32_022;

function unsupported(id: RpcId, requested: string): string {
  const message = `Unsupported protocol version. Supported versions: ${REVISIONS.join(", ")}.`;
  return errorJson(id, UNSUPPORTED_REVISION, message, { supported: REVISIONS, requested });
}

function timedOut(id: RpcId): string {
  return errorJson(id, ErrorCode.RequestTimeout, "The server took too long.");
}

function send(
  c: Context<McpEnv>,
  accepted: "json" | "event",
  json: string,
  status: number,
  more: Readonly<Record<string, string>> = {},
): Response {
  const format = status === 200 ? accepted : "json";
  const body = encodeBody(format === "json" ? json : `event: message\ndata: ${json}\n\n`);
  const headers = {
    ...more,
    ...(status === 200 ? { "Cache-Control": "no-store" } : {}),
    "Content-Type": format === "json" ? "application/json" : "text/event-stream",
  };
  const coding = format === "json" ? codingFor(c, body.length) : null;
  if (coding === null) return respond(c, status, headers, body);
  return respond(c, status, { ...headers, "Content-Encoding": coding }, compress(body, coding));
}
