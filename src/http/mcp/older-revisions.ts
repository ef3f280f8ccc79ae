import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  InitializeRequestSchema,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { JsonFragments } from "../middleware/response-headers.ts";
import { instructions, OLDER_CAPABILITIES, serverInfo } from "./discovery.ts";
import { errorResponse, invalidParams } from "./rpc-error.ts";
import { fillIn, type Members, STAND_IN } from "./result.ts";
import { answer, NO_VALIDATOR, type RequestContext, type ToolServer } from "./server.ts";

/** Answers a request with the JSON of a response. */
export type OlderRevisions = (
  request: JSONRPCRequest,
  context: RequestContext,
) => Promise<JsonFragments>;

/** The revisions from 2024-11-05 to 2025-11-25, which the first SDK speaks. */
export function createOlderRevisions(server: ToolServer): OlderRevisions {
  const info = serverInfo(server.identity);
  const options = {
    capabilities: OLDER_CAPABILITIES,
    instructions: instructions(server.identity),
    jsonSchemaValidator: NO_VALIDATOR,
  };
  return async ({ id, method, params }, context) => {
    // A server without tasks must ignore that one is wanted; the SDK would refuse the request.
    const { task: _task, ...rest } = params ?? {};
    const request = { jsonrpc: "2.0" as const, id, method, params: rest };
    const parsed = PARSED_BY_SDK.get(method)?.safeParse(request);
    if (parsed?.success === false) {
      const { code, message } = invalidParams(method, parsed.error);
      return [JSON.stringify(errorResponse(id, code, message))];
    }
    const sdk = new Server(info, options);
    let members: Members | null = null;
    // For all methods, as handlers of single methods would parse requests and results once more.
    sdk.fallbackRequestHandler = async (known) => {
      members = await answer(server, known, context);
      return STAND_IN;
    };
    const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
    const transport: Transport = {
      start: async () => {},
      send: async (message) => resolve(message),
      close: async () => {},
    };
    await sdk.connect(transport);
    transport.onmessage?.(request);
    return fillIn(JSON.stringify(await promise), members);
  };
}

/** Parameters that the SDK would refuse in its own words. */
const PARSED_BY_SDK: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ["initialize", InitializeRequestSchema],
  ["logging/setLevel", SetLevelRequestSchema],
]);
