import {
  ErrorCode,
  isTaskAugmentedRequestParams,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../../core/limits.ts";
import type { Service } from "../../core/service.ts";
import type { JsonFragments } from "../api/alert-json.ts";
import type { ServerIdentity } from "./discovery.ts";
import { InvalidParams, METHODS, RpcError } from "./methods.ts";

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
    if (error instanceof InvalidParams)
      return errorResponse(id, ErrorCode.InvalidParams, `Invalid parameters for ${method}.`);
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
