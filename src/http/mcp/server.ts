import {
  ErrorCode,
  isTaskAugmentedRequestParams,
  type JSONRPCRequest,
} from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../../core/limit.ts";
import type { Service } from "../../core/service.ts";
import type { Pieces } from "../written.ts";
import type { ServerIdentity } from "./discovery.ts";
import { METHODS, Misfit, Refusal } from "./methods.ts";

/** What one answer needs. */
export type ToolServer = {
  readonly service: Service;
  readonly identity: ServerIdentity;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** Who asks, and what the log calls the HTTP request it came in. */
export type Visit = { readonly caller: Caller; readonly request: string };

/** No call takes this long; a client must not wait for ever if one does. */
const CALL_DEADLINE_MS = 20_000;

/**
 * Answers one JSON-RPC request; gives JSON. The SDK knows what fits the protocol, but its `Server` is not used: it
 * takes one for each request, which reads the request and its result several times over, and lets a batch hang in which
 * a call is cancelled.
 */
export async function answer(
  tools: ToolServer,
  request: JSONRPCRequest,
  visit: Visit,
): Promise<Pieces> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<Pieces>();
  const deadline = setTimeout(() => giveUp(tookTooLong(request)), CALL_DEADLINE_MS);
  try {
    return await Promise.race([answered(tools, request, visit), late]);
  } finally {
    clearTimeout(deadline);
  }
}

function tookTooLong({ id }: JSONRPCRequest): Pieces {
  return rpcError(id, ErrorCode.RequestTimeout, "This took too long and was given up.");
}

async function answered(tools: ToolServer, request: JSONRPCRequest, visit: Visit): Promise<Pieces> {
  const { id, method, params } = request;
  const answerTo = METHODS.get(method);
  if (answerTo === undefined) return rpcError(id, ErrorCode.MethodNotFound, "Method not found");
  try {
    // A task would be asked for later, and nothing is kept between requests.
    if (params?.["task"] !== undefined && isTaskAugmentedRequestParams(params))
      return rpcError(id, ErrorCode.InternalError, noTasks(method));
    const result = await answerTo(request, tools, visit);
    return ['{"result":', ...result, `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`];
  } catch (error) {
    if (error instanceof Refusal) return rpcError(id, error.code, error.message);
    if (error instanceof Misfit)
      return rpcError(id, ErrorCode.InvalidParams, `The parameters do not fit ${method}.`);
    tools.log("bug", { request: visit.request, method, error });
    return rpcError(id, ErrorCode.InternalError, "Something went wrong on the server.");
  }
}

function noTasks(method: string): string {
  return `Server does not support task creation (required for ${method})`;
}

/** A JSON-RPC error answer, as JSON. */
export function rpcError(id: string | number | null, code: number, message: string): Pieces {
  return [JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })];
}
