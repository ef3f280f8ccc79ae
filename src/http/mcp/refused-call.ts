import { ErrorCode, isJSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../core/fault.ts";
import { NEWEST_REVISION } from "./discovery.ts";

/** Longer bodies are not read once their sender is over its limit. */
const BODY_MAX = 16 * 1024;

/**
 * Answers a POST beyond the limit of reads in JSON-RPC. A tool call gets a result with an error text and status 200: clients
 * show the body of a 429 to nobody, and the model would not learn when to try again. To be mounted before what counts.
 */
export const refusedCalls: MiddlewareHandler = async (c, next) => {
  await next();
  const fault = c.error;
  if (!(fault instanceof Fault) || fault.code !== "too_many" || c.req.method !== "POST") return;
  const request = await requestIn(c.req.raw);
  if (request === null) return;
  const { id, method } = request;
  const isToolCall = method === "tools/call";
  const isNewest = c.req.header("MCP-Protocol-Version") === NEWEST_REVISION;
  const content = [{ type: "text", text: fault.message }];
  const answer = isToolCall
    ? { result: { content, isError: true, ...(isNewest ? { resultType: "complete" } : {}) } }
    : { error: { code: ErrorCode.InternalError, message: fault.message } };
  const headers = new Headers(c.res.headers);
  headers.set("Content-Type", "application/json");
  c.res = undefined;
  c.res = new Response(JSON.stringify({ ...answer, jsonrpc: "2.0", id }), {
    status: isToolCall ? 200 : 429,
    headers,
  });
};

/** Request in a body; null for a batch, anything else, and a body that is long or was read before. */
async function requestIn(request: Request) {
  const length = request.headers.get("Content-Length") ?? "";
  if (request.bodyUsed || !/^\d+$/.test(length) || Number(length) > BODY_MAX) return null;
  const body: unknown = await request.json().catch(() => null);
  return isJSONRPCRequest(body) ? body : null;
}
