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
import type { Caller } from "../../core/limit.ts";
import { codingFor, packed } from "../packed.ts";
import { bytesOf, respond, saying } from "../said.ts";
import type { Pieces } from "../written.ts";
import { answer, rpcError, type ToolServer } from "./server.ts";

type McpEnv = {
  Variables: { caller: Caller; request: string; countReads: (reads: number) => void };
};

/** The only revision with batches, and what is meant where a client names none. */
const BATCH_REVISION = "2025-03-26";
const BATCH_MAX = 20;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Streamable HTTP without sessions, to be mounted at /api/mcp: every POST is answered by itself. */
export function createEndpoint(tools: ToolServer, allowedOrigins: readonly string[]): Hono<McpEnv> {
  const endpoint = new Hono<McpEnv>();
  const admit = createAdmission(tools.identity.baseUrl, allowedOrigins);
  endpoint.use("/", (c, next) => {
    admit(c);
    return next();
  });
  endpoint.options("/", (c) => c.body(null, 204));
  endpoint.post("/", async (c) => {
    const form = answerForm(c.req.header("Accept"));
    const revision = revisionOf(c.req.header("MCP-Protocol-Version"));
    if (!/^application\/json\b/i.test(c.req.header("Content-Type") ?? "")) {
      throw new Fault("bad_type", "Send JSON-RPC as application/json.");
    }
    const read = await readMessages(c, revision);
    if ("refused" in read) return send(c, "json", read.refused, 400);

    const requests = read.messages.filter((message) => "method" in message && "id" in message);
    if (requests.length > 1) c.get("countReads")(requests.length - 1);
    const answers = read.broken.map(noMessage);
    const visit = { caller: c.get("caller"), request: c.get("request") };
    for (const request of requests) {
      answers.push(await answer(tools, request, visit));
      // Between the calls of a batch others have their turn.
      if (requests.length > 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    const [only] = answers;
    if (only === undefined) return respond(c, 202, {}, null);
    return send(c, form, read.isBatch ? batchOf(answers) : only);
  });
  return endpoint;
}

/**
 * Who may come in from a browser: our own pages, other origins the operator listed, and on a loopback address every
 * loopback page. There the Host is checked too, against DNS rebinding.
 */
function createAdmission(baseUrl: string, allowedOrigins: readonly string[]) {
  const own = new URL(baseUrl);
  const local = LOOPBACK.test(own.hostname);
  const sayVary = saying({ Vary: "Origin, Accept-Encoding" });
  return (c: Context<McpEnv>): void => {
    const host = c.req.header("Host") ?? own.host;
    if (local && !isLoopback(`http://${host}`))
      throw new Fault("forbidden", "This host name is not served here.");

    const origin = c.req.header("Origin");
    sayVary(c);
    if (origin === undefined) return;
    const isOurs = origin === own.origin || allowedOrigins.includes(origin);
    if (!isOurs && !(local && isLoopback(origin)))
      throw new Fault("forbidden", "Pages of this origin may not call the tool server.");
    saying({
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers":
        "Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID",
    })(c);
  };
}

function isLoopback(address: string): boolean {
  return LOOPBACK.test(URL.parse(address)?.hostname ?? "");
}

/** Lenient: real clients send all sorts, and the answer is one JSON value in any case. */
function answerForm(accept: string | undefined): "json" | "event" {
  if (accept === undefined || accept.trim() === "") return "json";
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "");
  if (types.some((type) => ["application/json", "application/*", "*/*"].includes(type)))
    return "json";
  if (types.some((type) => ["text/event-stream", "text/*"].includes(type))) return "event";
  throw new Fault("not_acceptable", "Answers come as application/json or text/event-stream.");
}

function revisionOf(header: string | undefined): string {
  const revision = header?.trim() ?? BATCH_REVISION;
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    throw new Fault(
      "bad_input",
      `This protocol version is not spoken here; these are: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`,
    );
  }
  return revision;
}

type Read =
  | {
      readonly isBatch: boolean;
      readonly messages: readonly JSONRPCMessage[];
      /** Ids of what is no message. */
      readonly broken: readonly (string | number | null)[];
    }
  /** The answer to what cannot be read at all. */
  | { readonly refused: Pieces };

async function readMessages(c: Context<McpEnv>, revision: string): Promise<Read> {
  const body = await readJson(c);
  if (body === undefined)
    return { refused: rpcError(null, ErrorCode.ParseError, "This is no JSON.") };
  const isBatch = Array.isArray(body);
  const refusal = isBatch ? batchRefusal(body, revision) : null;
  if (refusal !== null) return { refused: rpcError(null, ErrorCode.InvalidRequest, refusal) };

  const messages: JSONRPCMessage[] = [];
  const broken: (string | number | null)[] = [];
  for (const one of isBatch ? (body as unknown[]) : [body]) {
    if (isMessage(one)) messages.push(one);
    else broken.push(idOf(one));
  }
  const [first] = broken;
  if (!isBatch && first !== undefined) return { refused: noMessage(first) };
  return { isBatch, messages, broken };
}

function noMessage(id: string | number | null): Pieces {
  return rpcError(id, ErrorCode.InvalidRequest, "This is no JSON-RPC 2.0 message.");
}

async function readJson(c: Context<McpEnv>): Promise<unknown> {
  try {
    return await c.req.json();
  } catch (error) {
    if (error instanceof Fault) throw error;
    return undefined;
  }
}

function batchRefusal(batch: readonly unknown[], revision: string): string | null {
  if (revision !== BATCH_REVISION)
    return `Batches exist in protocol version ${BATCH_REVISION} only.`;
  if (batch.length === 0) return "An empty batch asks nothing.";
  if (batch.length > BATCH_MAX) return `A batch holds ${BATCH_MAX} messages at most.`;
  const initializes = batch.some(
    (message) => isJSONRPCRequest(message) && message.method === "initialize",
  );
  return initializes ? "initialize comes alone, not in a batch." : null;
}

function isMessage(value: unknown): value is JSONRPCMessage {
  const kinds = [
    isJSONRPCRequest,
    isJSONRPCNotification,
    isJSONRPCResultResponse,
    isJSONRPCErrorResponse,
  ];
  return kinds.some((isKind) => isKind(value));
}

/** Null where it cannot be given back as it came: a long number was rounded when it was read. */
function idOf(value: unknown): string | number | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}

function batchOf(answers: readonly Pieces[]): Pieces {
  return ["[", ...answers.flatMap((one, nth) => (nth === 0 ? one : [",", ...one])), "]"];
}

function send(c: Context<McpEnv>, form: "json" | "event", body: Pieces, status?: 400): Response {
  const type = form === "json" ? "application/json" : "text/event-stream";
  const fresh = status === undefined ? { "Cache-Control": "no-store" } : {};
  const sent = bytesOf(form === "json" ? body : ["event: message\ndata: ", ...body, "\n\n"]);
  const about = { ...fresh, "Content-Type": type };
  const coding = form === "json" ? codingFor(c, sent.length) : null;
  if (coding === null) return respond(c, status ?? 200, about, sent);
  return respond(c, status ?? 200, { ...about, "Content-Encoding": coding }, packed(sent, coding));
}
