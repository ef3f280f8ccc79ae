import { type Context, Hono } from "hono";
import { z } from "zod";
import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { emailField, parse } from "../core/input.ts";
import { alertSearchInput } from "../core/moderation/alert-search.ts";
import { tableReadInput } from "../core/tables/table-read.ts";
import { OPERATOR_ACTS } from "../core/moderation/operator-acts.ts";
import { TABLE_PROBLEMS } from "../core/tables/source.ts";
import { namedOrganisationInput, saveOrganisationInput } from "../core/organisations/register.ts";
import type { Operator } from "../core/service.ts";
import { type MetricsOptions, sendMetrics } from "./api/metrics.ts";
import { problem, statusOf } from "./middleware/faults.ts";

/** File name of the control socket in the data folder. Anyone who may write to it is the operator. */
export const CONTROL_SOCKET = "control.sock";

const mailboxInput = z.object({ email: emailField });
/** Accepts any text: an unknown alert gets its own error. */
const alertInput = z.object({ alert: z.string().max(300) });
const nameInput = z.object({ name: z.string().max(100) });
const problemInput = nameInput.extend({ kind: z.enum(TABLE_PROBLEMS), text: z.string().max(500) });
const pullInput = nameInput.extend({ acceptMissing: z.boolean(), dryRun: z.boolean() });
const actInput = alertInput.extend({ act: z.enum(OPERATOR_ACTS) });

type Input = Readonly<Record<string, unknown>>;

/** Parses the input of each use case and calls it. */
const USE_CASES: {
  readonly [Name in keyof Operator]: (operator: Operator, input: Input) => Promise<unknown>;
} = {
  dataInventory: (operator, input) => operator.dataInventory(parse(mailboxInput, input).email),
  erasePerson: (operator, input) => operator.erasePerson(parse(mailboxInput, input).email),
  allow: (operator, input) => operator.allow(parse(mailboxInput, input).email),
  syncTable: (operator, input) => operator.syncTable(parse(tableReadInput, input)),
  noteTableProblem(operator, input) {
    const { name, ...problem } = parse(problemInput, input);
    return operator.noteTableProblem(name, problem);
  },
  listSources: (operator) => operator.listSources(),
  pullSource(operator, input) {
    const { name, acceptMissing, dryRun } = parse(pullInput, input);
    return operator.pullSource(name, { acceptMissing, dryRun });
  },
  removeSource: (operator, input) => operator.removeSource(parse(nameInput, input).name),
  restoreSource: (operator, input) => operator.restoreSource(parse(nameInput, input).name),
  reloadSources: (operator) => operator.reloadSources(),
  moderationQueue: (operator) => operator.moderationQueue(),
  searchAnyAlert: (operator, input) => operator.searchAnyAlert(parse(alertSearchInput, input)),
  moderatedAlert: (operator, input) => operator.moderatedAlert(parse(alertInput, input).alert),
  organisations: (operator) => operator.organisations(),
  saveOrganisation: (operator, input) =>
    operator.saveOrganisation(parse(saveOrganisationInput, input)),
  removeOrganisation: (operator, input) =>
    operator.removeOrganisation(parse(namedOrganisationInput, input).slug),
  moderate(operator, input) {
    const { act, alert } = parse(actInput, input);
    return operator.moderate(act, alert);
  },
};

/**
 * API for the operator: each use case is a POST with its input as JSON, and /metrics. To be served on a Unix socket
 * only, as it checks no credentials.
 */
export function createControl(
  operator: Operator,
  gather: MetricsOptions["gather"],
  log: (event: string, details: Readonly<Record<string, unknown>>) => void,
): Hono {
  const control = new Hono();
  control.get("/metrics", async (c) => sendMetrics(c, await gather()));
  for (const [name, run] of Object.entries(USE_CASES))
    control.post(`/${name}`, async (c) => c.json(await run(operator, await inputOf(c))));
  control.onError((error, c) => {
    if (error instanceof Fault) return c.json({ fault: faultToJson(error) }, statusOf(error.code));
    log("bug", { route: c.req.routePath, error });
    return problem(c, error, null);
  });
  return control;
}

async function inputOf(c: Context): Promise<Input> {
  const input: unknown = await c.req.json().catch(() => null);
  if (typeof input !== "object" || input === null)
    throw new Fault("bad_input", "The input must be a JSON object.");
  return input as Input;
}

/**
 * Client for the control socket of a running service. Throws `Fault` as the service does; `unavailable` also if the
 * service has stopped, stops answering or has a bug.
 */
export function createControlClient(socket: string): Operator {
  async function call<Result>(name: keyof Operator, input: object = {}): Promise<Result> {
    const response = await fetch(`${BASE_URL}/${name}`, {
      method: "POST",
      body: JSON.stringify(input),
      unix: socket,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
      // Reads the whole body here, so that a service that stops halfway is reported, too.
      .then(async (answer) => ({ ok: answer.ok, body: (await answer.json()) as unknown }))
      .catch((error: unknown) => {
        throw new Fault("unavailable", isNoListener(error) ? STOPPED : NO_RESPONSE);
      });
    if (response.ok) return response.body as Result;
    const parsed = faultBody.safeParse(response.body);
    if (!parsed.success)
      throw new Fault("unavailable", "Something went wrong in the service. See its log.");
    const { code, why, message, fields, retryAfterSeconds } = parsed.data.fault;
    throw new Fault(code, why ?? message, {
      fields,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  }
  return {
    dataInventory: (email) => call("dataInventory", { email }),
    erasePerson: (email) => call("erasePerson", { email }),
    allow: (email) => call("allow", { email }),
    syncTable: (read) => call("syncTable", read),
    noteTableProblem: (name, problem) => call("noteTableProblem", { name, ...problem }),
    listSources: () => call("listSources"),
    pullSource: (name, options) => call("pullSource", { name, ...options }),
    removeSource: (name) => call("removeSource", { name }),
    restoreSource: (name) => call("restoreSource", { name }),
    reloadSources: () => call("reloadSources"),
    moderationQueue: () => call("moderationQueue"),
    searchAnyAlert: (input) => call("searchAnyAlert", input),
    moderatedAlert: (alert) => call("moderatedAlert", { alert }),
    moderate: (act, alert) => call("moderate", { act, alert }),
    organisations: () => call("organisations"),
    saveOrganisation: (input) => call("saveOrganisation", input),
    removeOrganisation: (slug) => call("removeOrganisation", { slug }),
  };
}

/** Base URL of requests through the socket; the host name has no meaning. */
const BASE_URL = "http://control";
/** Longer than any use case takes. */
const RESPONSE_TIMEOUT_MS = 5 * MINUTE_MS;
const STOPPED = "The service has stopped. Nothing was done.";
const NO_RESPONSE = "The service stopped answering. It is unknown if the action was done.";

/** Fault in the JSON of the control socket, with all its members. */
type FaultJson = Pick<Fault, "code" | "why" | "message" | "fields" | "retryAfterSeconds">;
const faultBody = z.object({
  fault: z.custom<FaultJson>((value) => typeof value === "object" && value !== null),
});

function faultToJson({ code, why, message, fields, retryAfterSeconds }: Fault): FaultJson {
  return { code, why, message, fields, retryAfterSeconds };
}

/** True if a service listens on a socket. Throws `unavailable` if one may, but cannot be reached. */
export async function isListening(socket: string, timeoutMs = 10_000): Promise<boolean> {
  try {
    await fetch(BASE_URL, { unix: socket, signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch (error) {
    if (isNoListener(error)) return false;
    const reason = errorCode(error) || "it does not answer";
    throw new Fault(
      "unavailable",
      `The service cannot be reached at ${socket} (${reason}). Run this command as the service's user, or stop the service first.`,
    );
  }
}

/** No such file or folder, a socket without a process, or a path too long for a socket. */
const NO_LISTENER = ["ENOENT", "ENOTDIR", "ECONNREFUSED", "ENAMETOOLONG"];

function isNoListener(error: unknown): boolean {
  return NO_LISTENER.includes(errorCode(error));
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
