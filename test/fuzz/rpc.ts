import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";
import { PROMPTS } from "../../src/http/mcp/prompts.ts";
import { TOOLS } from "../../src/http/mcp/tools.ts";
import { newest } from "../support/mcp.ts";
import { type Header, placeholder, utf8 } from "./request.ts";
import { oddText } from "./text.ts";
import { type Values, wireValues } from "./values.ts";

/** Bodies for the tool server: a character for each byte. */
export type RpcBodies = {
  /** One well-formed call of one tool, its arguments mostly valid. */
  readonly toolCall: Readonly<Record<string, fc.Arbitrary<string>>>;
  /** Any other method. */
  readonly method: fc.Arbitrary<string>;
  /** A tool call or another method in the envelope of 2026-07-28, with the headers that revision requires. */
  readonly newest: fc.Arbitrary<{ readonly body: string; readonly headers: readonly Header[] }>;
  /** Several messages at once, whole and broken ones. */
  readonly batch: fc.Arbitrary<string>;
  /** What is no JSON-RPC, or no JSON. */
  readonly broken: fc.Arbitrary<string>;
};

const id: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.nat() },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, "", "\ud800", "__proto__", 2 ** 53) },
);

const toolCalls = Object.fromEntries(
  TOOLS.map((tool) => {
    const { any } = wireValues(tool.input);
    return [tool.name, fc.tuple(any, id).map(([args, callId]) => callOf(tool.name, args, callId))];
  }),
);

function callOf(name: string, args: Values, callId: unknown): Values {
  return request("tools/call", { name, arguments: args }, callId);
}

function request(method: unknown, params: unknown, requestId: unknown): Values {
  return { jsonrpc: "2.0", id: requestId, method, ...(params === undefined ? {} : { params }) };
}

const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
  fc.constantFrom<unknown[]>(
    null,
    [],
    {},
    "",
    0,
    { name: null },
    { uri: {} },
    { _meta: { progressToken: [] } },
  ),
);

/** Parameters that suit each method; anything else is drawn for it, too. */
const METHODS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  initialize: fc.record({
    protocolVersion: fc.constantFrom("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1.0"),
    capabilities: fc.constantFrom({}, { roots: { listChanged: true } }),
    clientInfo: fc.record({ name: oddText, version: fc.constant("1") }),
  }),
  ping: fc.constant(undefined),
  "tools/list": fc.constantFrom(undefined, {}, { cursor: "x" }),
  "resources/list": fc.constant(undefined),
  "resources/templates/list": fc.constant({}),
  "resources/read": fc.record({
    uri: fc.oneof(
      fc.nat(60).map((nth) => `alert://${placeholder("slug", nth)}`),
      oddText.map((text) => `alert://${text}`),
      fc.constantFrom("plan://lost/cat", "plan://found/other", "plan://lost/unicorn"),
      oddText,
    ),
  }),
  "prompts/list": fc.constant(undefined),
  "prompts/get": fc.record({
    name: fc.constantFrom(...PROMPTS.map(({ name }) => name), "nothing"),
    arguments: fc.record({ species: oddText, place: oddText }, { requiredKeys: [] }),
  }),
  "completion/complete": fc.record({
    ref: fc.constantFrom(...PROMPTS.map(({ name }) => ({ type: "ref/prompt", name })), {
      type: "ref/resource",
      uri: "alert://{slug}",
    }),
    argument: fc.record({
      name: fc.constantFrom("species", "place", "x"),
      value: fc.oneof(fc.constant("d"), oddText),
    }),
  }),
  "logging/setLevel": fc.record({ level: fc.constantFrom("debug", "error", "loud") }),
  "tools/call": fc.record({ name: oddText, arguments: anything }),
  "tasks/list": anything,
  "server/discover": fc.constant({}),
  "subscriptions/listen": fc.constantFrom({}, { notifications: { toolsListChanged: true } }),
  __proto__: anything,
  "": anything,
};
const NOTIFICATIONS = [
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "x",
];

const methodCall: fc.Arbitrary<Values> = fc.oneof(
  ...Object.entries(METHODS).map(([method, params]) =>
    fc
      .tuple(fc.oneof({ weight: 4, arbitrary: params }, { weight: 1, arbitrary: anything }), id)
      .map(([given, requestId]) => request(method, given, requestId)),
  ),
);

const notification: fc.Arbitrary<Values> = fc
  .tuple(fc.constantFrom(...NOTIFICATIONS), fc.oneof(fc.constant({ requestId: 1 }), anything))
  .map(([method, params]) => ({ jsonrpc: "2.0", method, params }));

/** JSON, but no JSON-RPC; or one that only answers. */
const stray: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown[]>(
    { jsonrpc: "1.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: null, method: "ping" },
    { jsonrpc: "2.0", id: 1.5, method: "ping" },
    { jsonrpc: "2.0", id: {}, method: "ping" },
    { jsonrpc: "2.0", id: 1, method: 5 },
    { jsonrpc: "2.0", id: 1 },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    { id: 1, method: "tools/list" },
    [],
    [[]],
  ),
);

const asBytes = (message: unknown) => utf8(JSON.stringify(message));

/** Text that a header may hold. */
const HEADER_TEXT = /^[!-~]*$/;

function inEnvelope(message: Values): { body: string; headers: Header[] } {
  const { params } = message;
  const { headers, body } = newest(
    String(message["method"]),
    typeof params === "object" && !Array.isArray(params) ? { ...params } : {},
  );
  return {
    body: asBytes({ ...message, params: body.params }),
    headers: Object.entries(headers).filter(([, value]) => HEADER_TEXT.test(value)),
  };
}

export const rpcBodies: RpcBodies = {
  toolCall: Object.fromEntries(
    Object.entries(toolCalls).map(([name, call]) => [name, call.map(asBytes)]),
  ),
  method: fc
    .oneof({ weight: 6, arbitrary: methodCall }, { weight: 1, arbitrary: notification })
    .map(asBytes),
  newest: fc.oneof(...Object.values(toolCalls), methodCall).map(inEnvelope),
  batch: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.oneof(...Object.values(toolCalls)) },
        { weight: 3, arbitrary: methodCall },
        { weight: 2, arbitrary: notification },
        { weight: 1, arbitrary: stray },
      ),
      { maxLength: 21, size: "small" },
    )
    .map(asBytes),
  broken: fc.oneof(
    stray.map(asBytes),
    fc.constantFrom(
      "",
      " ",
      "{",
      "[",
      '{"jsonrpc":"2.0","id":1,"method":"ping"',
      '{"jsonrpc":"2.0","id":1,"method":"ping"}{}',
      '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","method":"tools/list"}',
      '\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}',
      "\xff\xfe[\0]\0",
      "\xc0\x80",
      "[".repeat(100_000),
      '{"a":'.repeat(20_000),
      `{"jsonrpc":"2.0","id":1e999,"method":"ping"}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${"[".repeat(3_000)}${"]".repeat(3_000)}}`,
    ),
    fc.string({ unit: anyCharacter }).map(utf8),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  ),
};
