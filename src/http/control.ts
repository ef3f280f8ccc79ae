import { Hono } from "hono";
import { z } from "zod";
import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import type { Operator } from "../core/service/service.ts";
import { type MetricsOptions, sendMetrics } from "./api/metrics.ts";
import { problem, statusOf } from "./middleware/faults.ts";

/** File name of the control socket in the data folder. Anyone who may write to it is the operator. */
export const CONTROL_SOCKET = "control.sock";

const argumentsInput = z.array(z.unknown()).max(5);

/**
 * API for the operator: each use case is a POST with its arguments as a JSON array, and /metrics. To be served on a Unix
 * socket only, as it checks no credentials. The commands of this program are its clients, and check what was typed.
 */
export function createControl(
  operator: Operator,
  gather: MetricsOptions["gather"],
  log: (event: string, details: Readonly<Record<string, unknown>>) => void,
): Hono {
  const control = new Hono();
  control.get("/metrics", async (c) => sendMetrics(c, await gather()));
  for (const [name, useCase] of Object.entries(operator))
    control.post(`/${name}`, async (c) => {
      const { data: args } = argumentsInput.safeParse(await c.req.json().catch(() => null));
      if (args === undefined) throw new Fault("bad_input", "The arguments must be a JSON array.");
      return c.json(await (useCase as (...args: unknown[]) => Promise<unknown>)(...args));
    });
  control.onError((error, c) => {
    if (error instanceof Fault) return c.json({ fault: faultToJson(error) }, statusOf(error.code));
    log("bug", { route: c.req.routePath, error });
    return problem(c, error, null);
  });
  return control;
}

/**
 * Client for the control socket of a running service. Throws `Fault` as the service does; `unavailable` also if the
 * service has stopped, stops answering or has a bug.
 */
export function createControlClient(socket: string): Operator {
  async function call(name: string, args: readonly unknown[]): Promise<unknown> {
    const response = await fetch(`${BASE_URL}/${name}`, {
      method: "POST",
      body: JSON.stringify(args),
      unix: socket,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
      // Reads the whole body here, so that a service that stops halfway is reported, too.
      .then(async (answer) => ({ ok: answer.ok, body: (await answer.json()) as unknown }))
      .catch((error: unknown) => {
        throw new Fault("unavailable", isNoListener(error) ? STOPPED : NO_RESPONSE);
      });
    if (response.ok) return response.body;
    const parsed = faultBody.safeParse(response.body);
    if (!parsed.success)
      throw new Fault("unavailable", "Something went wrong in the service. See its log.");
    const { code, why, message, fields, retryAfterSeconds } = parsed.data.fault;
    throw new Fault(code, why ?? message, {
      fields,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  }
  return new Proxy({} as Operator, {
    // A promise of the client must not take it for a promise.
    get: (_, name) =>
      name === "then" ? undefined : (...args: unknown[]) => call(String(name), args),
  });
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
