import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";

/** Error for the client. Both SDKs send its code and message as they are; they prefix those of their own errors. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

export function invalidParams(method: string): RpcError {
  return new RpcError(ErrorCode.InvalidParams, `Invalid parameters for ${method}.`);
}

export type RpcId = string | number | null;

/** JSON-RPC error response; its id is null if the request had none that can be returned. */
export function errorResponse(id: RpcId, code: number, message: string, data?: unknown) {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: "2.0", id, error };
}
