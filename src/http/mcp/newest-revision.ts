import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server";
import { ErrorCode, isJSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { CAPABILITIES, instructions, serverInfo } from "./discovery.ts";
import { errorJson } from "./rpc-message.ts";
import type { RequestContext, ToolServer } from "./tool-call.ts";
import { answer, METHODS } from "./server.ts";

const HOUR_MS = 3_600_000;
/** The same for all clients, for as long as the program runs. */
const CONSTANT = { ttlMs: HOUR_MS, cacheScope: "public" } as const;
/** Time for which clients may keep a result (SEP-2549). An alert can end at any moment. */
const CACHE_HINTS: ReadonlyMap<string, object> = new Map([
  ["tools/list", CONSTANT],
  ["prompts/list", CONSTANT],
  ["resources/list", CONSTANT],
  ["resources/templates/list", CONSTANT],
  ["resources/read", { ttlMs: 0, cacheScope: "public" }],
]);

/** Opens a stream of changes, of which this server announces none: it would only hold a connection. */
const STREAM_METHOD = "subscriptions/listen";

/** HTTP status and JSON of a response; no JSON for a notification. */
export type Answered = { readonly status: number; readonly json: string | null };
export type NewestRevision = ReturnType<typeof createNewestRevision>;

/** Revision 2026-07-28, which the second SDK speaks: no `initialize`, an envelope in every request. */
export function createNewestRevision(server: ToolServer) {
  const info = serverInfo(server.site);
  const options = {
    capabilities: CAPABILITIES,
    instructions: instructions(server.site),
    cacheHints: { "server/discover": CONSTANT },
    jsonSchemaValidator: NO_VALIDATOR,
  };
  const exchanges = new WeakMap<Request, { context: RequestContext; result: string | null }>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo);
      if (exchange === undefined) throw new Error("A request has lost its context.");
      const sdk = new Server(info, options);
      // The SDK has compared the header with the body. Without a handler it answers 404.
      if (METHODS.has(requestInfo?.headers.get("Mcp-Method")?.trim() ?? ""))
        sdk.fallbackRequestHandler = async (request) => {
          exchange.result = await answer(server, request, exchange.context);
          return { ...STAND_IN, ...CACHE_HINTS.get(request.method) };
        };
      return sdk;
    },
    { legacy: "reject" },
  );

  /** Answers a parsed body of this revision, or one that its headers contradict. */
  async function answerNewest(
    request: Request,
    body: unknown,
    context: RequestContext,
  ): Promise<Answered> {
    if (isJSONRPCRequest(body) && body.method === STREAM_METHOD) {
      const json = errorJson(body.id, ErrorCode.MethodNotFound, "Method not found");
      return { status: 404, json };
    }
    const exchange = { context, result: null };
    exchanges.set(request, exchange);
    const response = await handler.fetch(request, { parsedBody: body });
    const json = await response.text();
    return { status: response.status, json: json === "" ? null : fillIn(json, exchange.result) };
  }

  return { isOlder: isLegacyRequest, answer: answerNewest };
}

/** Replaces the SDK's validator of forms, which takes long to create: this server sends no forms. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error("There are no forms.");
  },
};

/** Member that the SDK checks and prints in place of those of the result, with which that would take far longer. */
const STAND_IN = { members: null };
const STAND_IN_JSON = JSON.stringify(STAND_IN).slice(1, -1);

/** JSON of a response, with a result in the place of the stand-in. No text in JSON can contain its quotes. */
function fillIn(json: string, result: string | null): string {
  return result === null ? json : json.replace(STAND_IN_JSON, () => result.slice(1, -1));
}
