import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../core/fault.ts";
import { NEWEST_REVISION } from "./discovery.ts";
import { errorResponse } from "./rpc-error.ts";

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
  const answer = refusal(request, fault, c.req.header("MCP-Protocol-Version") === NEWEST_REVISION);
  const headers = new Headers(c.res.headers);
  headers.set("Content-Type", "application/json");
  c.res = undefined;
  const status = "result" in answer ? 200 : 429;
  c.res = new Response(JSON.stringify(answer), { status, headers });
};

/** JSON-RPC response to a request beyond the limit of reads. */
export function refusal({ id, method }: JSONRPCRequest, { message }: Fault, isNewest = false) {
  if (method !== "tools/call") return errorResponse(id, ErrorCode.InternalError, message);
  const content = [{ type: "text", text: message }];
  const result = { content, isError: true, ...(isNewest ? { resultType: "complete" } : {}) };
  return { jsonrpc: "2.0", id, result };
}

/** Request in a body; null for a batch, anything else, and a body that is long or was read before. */
async function requestIn(request: Request) {
  const length = request.headers.get("Content-Length") ?? "";
  if (request.bodyUsed || !/^\d+$/.test(length) || Number(length) > BODY_MAX) return null;
  const body: unknown = await request.json().catch(() => null);
  return isJSONRPCRequest(body) ? body : null;
}
