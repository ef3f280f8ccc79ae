import {
  CallToolResultSchema,
  CompleteResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  InitializeResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  ResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { FuzzResponse, FuzzRequest } from "./request.ts";
import { field, parsed, type Schemas } from "./schemas.ts";

/** What results of each method must look like, in the words of the protocol's own SDK. */
const RESULTS = {
  initialize: InitializeResultSchema,
  "server/discover": ResultSchema,
  ping: EmptyResultSchema,
  "tools/list": ListToolsResultSchema,
  "tools/call": CallToolResultSchema,
  "resources/list": ListResourcesResultSchema,
  "resources/templates/list": ListResourceTemplatesResultSchema,
  "resources/read": ReadResourceResultSchema,
  "prompts/list": ListPromptsResultSchema,
  "prompts/get": GetPromptResultSchema,
  "completion/complete": CompleteResultSchema,
  "logging/setLevel": EmptyResultSchema,
} as const;

/** What is wrong with what a POST to the tool server was answered with. */
export function rpcErrors(
  schemas: Schemas,
  request: FuzzRequest,
  answer: FuzzResponse,
  mediaType: string,
): string[] {
  const sent = parsed(new TextDecoder().decode(Buffer.from(request.body ?? "", "latin1")));
  const messages: unknown[] = Array.isArray(sent) ? sent : [sent];
  // A notification, or an answer to something we never asked, is not answered; one with odd metadata may be refused.
  const awaited = messages.filter((one) => !isOneWay(one)).length;
  const refusable = messages.filter(
    (one) => isOneWay(one) && field(field(one, "params"), "_meta") !== undefined,
  ).length;
  if (answer.status === 202) return awaited === 0 ? [] : ["nothing for a request"];

  const event = mediaType === "text/event-stream";
  const text = event ? answer.body.replace(/^event: message\ndata: /, "").trimEnd() : answer.body;
  const body = parsed(text);
  if (Array.isArray(body) !== Array.isArray(sent))
    return ["a batch that is answered as none, or the other way round"];
  const answers: unknown[] = Array.isArray(body) ? body : [body];
  return [
    ...(answers.length >= awaited && answers.length <= awaited + refusable
      ? []
      : [`${answers.length} answers for ${awaited} requests`]),
    ...answers.flatMap((one) => messageFaults(schemas, one, messages)),
  ];
}

function isOneWay(message: unknown): boolean {
  if (typeof message !== "object" || message === null || field(message, "jsonrpc") !== "2.0")
    return false;
  if ("method" in message)
    return (
      !("id" in message) && typeof message.method === "string" && isParams(field(message, "params"))
    );
  return isId(field(message, "id")) && ("result" in message || "error" in message);
}

function isParams(params: unknown): boolean {
  return (
    params === undefined ||
    (typeof params === "object" && params !== null && !Array.isArray(params))
  );
}

function isId(id: unknown): boolean {
  return typeof id === "string" || (typeof id === "number" && Number.isInteger(id));
}

function messageFaults(schemas: Schemas, message: unknown, sent: readonly unknown[]): string[] {
  const wrong = schemas.errors("JsonRpcAnswer", message);
  if (wrong.length > 0) return wrong;
  const id = field(message, "id");
  const request = sent.find((one) => field(one, "id") === id && field(one, "method") !== undefined);
  if (id !== null && request === undefined && !sent.some((one) => field(one, "id") === id))
    return [`an answer to nobody: ${String(id)}`];
  const result = field(message, "result");
  if (result === undefined) return [];
  // Ids may come twice in a batch; then it is not told which of the two this answers.
  if (sent.filter((one) => field(one, "id") === id).length > 1) return [];
  const method = String(field(request, "method"));
  const schema = Object.hasOwn(RESULTS, method)
    ? RESULTS[method as keyof typeof RESULTS]
    : undefined;
  if (schema === undefined) return [`a result for ${method}`];
  const fits = schema.safeParse(result);
  if (!fits.success)
    return [`a result that does not fit ${method}: ${fits.error.message.slice(0, 200)}`];
  return method === "tools/call"
    ? toolFaults(schemas, String(field(field(request, "params"), "name")), result)
    : [];
}

function toolFaults(schemas: Schemas, name: string, result: unknown): string[] {
  const text = String(field((field(result, "content") as unknown[])[0], "text"));
  const structured = field(result, "structuredContent");
  if (field(result, "isError") === true)
    return structured === undefined && text.length > 0 && !/went wrong/.test(text)
      ? []
      : [`an error result that says: ${text.slice(0, 200)}`];
  return [
    ...schemas.errors(`tool ${name}`, structured),
    ...(JSON.stringify(structured) === text ? [] : ["a text that is not the structured content"]),
    ...positionErrors(text),
  ];
}

/** What is wrong with the positions in a JSON text: all are on the public grid. */
export function positionErrors(body: string): string[] {
  return coordinates(body).flatMap((one) =>
    isOnGrid(one) ? [] : [`a position that is not on the grid: ${one}`],
  );
}

function coordinates(body: string): number[] {
  const positions = [...body.matchAll(/"(?:latitude|longitude)":(-?[\d.e+-]+)/g)];
  const inGeo = [...body.matchAll(/"coordinates":\[(-?[\d.e+-]+),(-?[\d.e+-]+)\]/g)];
  return [
    ...positions.map(([, one]) => Number(one)),
    ...inGeo.flatMap(([, lng, lat]) => [Number(lng), Number(lat)]),
  ];
}

function isOnGrid(degrees: number): boolean {
  return Math.abs(degrees * 100 - Math.round(degrees * 100)) < 1e-6;
}
