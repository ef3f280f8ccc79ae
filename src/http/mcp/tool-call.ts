import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { Fault } from "../../core/fault.ts";
import { isoTime } from "../api/alert-json.ts";
import { detailOf } from "../middleware/faults.ts";
import type { Caller } from "../../core/limits.ts";
import type { Service } from "../../core/service/service.ts";
import type { Site } from "../middleware/site.ts";
import { RpcError } from "./rpc-message.ts";
import { readArguments, type ToolArguments, unknownParameters } from "./arguments.ts";
import { TOOLS } from "./tools.ts";

/** Everything the tool server depends on. */
export type ToolServer = {
  readonly service: Service;
  readonly site: Site;
  /** HTML document that shows alerts as cards. */
  readonly cards: string;
  readonly log: (event: string, details: Readonly<Record<string, unknown>>) => void;
};

/** Client, and id of the HTTP request in the log. */
export type RequestContext = {
  readonly caller: Caller;
  readonly requestId: string;
  /** False for pages of origins that are neither ours nor listed by the operator. */
  readonly mayWrite: boolean;
  /** Notes a call that would have written and was refused. */
  readonly noteRefused: () => void;
};

const NAME_LENGTH_SHOWN = 60;

/**
 * Calls a tool; returns the JSON of its result. Errors become a result with a text of ours; the message of an unexpected
 * error is never sent.
 */
export async function callTool(
  server: ToolServer,
  name: string,
  rawArguments: Record<string, unknown> | undefined,
  { caller, requestId, mayWrite, noteRefused }: RequestContext,
): Promise<string> {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) {
    const names = TOOLS.map((known) => known.name).join(", ");
    throw new RpcError(
      ErrorCode.InvalidParams,
      `Unknown tool: ${name.slice(0, NAME_LENGTH_SHOWN)}. Available tools: ${names}.`,
    );
  }
  if (!mayWrite && !tool.hints.readOnlyHint) return errorResult(foreignOrigin(server));
  let args: ToolArguments = { args: {}, unknown: [] };
  try {
    args = readArguments(tool, rawArguments);
    const answer = await tool.call(server.service, args, caller);
    const now = JSON.stringify(isoTime(server.service.now()));
    const json = `${answer.slice(0, -1)},"now":${now}}`;
    return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
  } catch (error) {
    if (!tool.hints.readOnlyHint) noteRefused();
    if (!(error instanceof Fault)) server.log("bug", { request: requestId, tool: name, error });
    return errorResult(errorText(error, requestId, args, server.service.now()));
  }
}

function errorResult(text: string): string {
  return JSON.stringify({ content: [{ type: "text", text }], isError: true });
}

function foreignOrigin({ site: { links } }: ToolServer): string {
  return `Web pages of other sites may only read here: this call came from an origin that the operator has not listed. A person can do the same on ${links.home}, and clients that are not web pages may call this tool.`;
}

/** Description of an error with the next step. */
function errorText(error: unknown, requestId: string, args: ToolArguments, now: number): string {
  if (!(error instanceof Fault))
    return `Something went wrong on the server. It was logged as ${requestId}. Trying again may help.`;
  switch (error.code) {
    case "bad_input":
      return [detailOf(error), ...timeNow(error, now), ...unknownParameters(args)].join(" ");
    case "not_found":
      return `${error.message} ${missingAlert(error)}`;
    case "gone":
      return `${error.message} search_alerts finds others.`;
    case "too_many":
      return `${error.message} Retry after ${error.retryAfterSeconds ?? 0} seconds.`;
    default:
      return error.why?.reason === "not_at_large"
        ? `${error.message} Without seen_place, seen_lat, seen_lng and seen_at, send_message writes to its owner.`
        : error.message;
  }
}

/** The present time, after an error about a time. */
function timeNow({ fields }: Fault, now: number): string[] {
  const isAboutTime = fields.some(({ reason }) => TIME_REASONS.includes(reason.kind));
  return isAboutTime ? [`It is now ${isoTime(now)}.`] : [];
}
const TIME_REASONS: readonly string[] = ["future", "too_early", "before_loss"];

function missingAlert({ why }: Fault): string {
  switch (why?.reason) {
    case "alert_waiting":
      return "It needs no second publish_alert: the link works for 48 hours from the call that made it. If no email arrived, it may be in the spam folder.";
    case "alert_unconfirmed":
      return "publish_alert prepares it anew.";
    default:
      return "Use search_alerts to find alerts near a place.";
  }
}
