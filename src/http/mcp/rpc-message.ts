import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";

/** Error for the client, whose code and message are sent as they are. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

/** Parameters named in an error, and characters of each. */
const NAMED_MAX = 3;
const NAME_LENGTH_SHOWN = 60;

/** Error for a request that does not fit the schema of its method; names the parameters, without words of a library. */
export function invalidParams(method: string, { issues }: z.ZodError): RpcError {
  const names = issues.slice(0, NAMED_MAX).map(({ path }) => path.map(String).join("."));
  const shown = names.map((name) => name.slice(0, NAME_LENGTH_SHOWN)).join(", ");
  const message = `Invalid parameters for ${method}. Missing or invalid: ${shown}.`;
  return new RpcError(ErrorCode.InvalidParams, message);
}

export type RpcId = string | number | null;

/** JSON of an error response; its id is null if the request had none that can be returned. */
export function errorJson(id: RpcId, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}
