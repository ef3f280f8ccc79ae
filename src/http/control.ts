import { type Context, Hono } from "hono";
import { z } from "zod";
import { MINUTE_MS } from "../core/duration.ts";
import { Fault } from "../core/fault.ts";
import { emailField, parse } from "../core/input.ts";
import { OPERATOR_ACTS } from "../core/operating.ts";
import type { Operator } from "../core/service.ts";
import { problem, statusOf } from "./faults.ts";
import { figuresTo, type MetricsDoor } from "./metrics.ts";

/** The socket's name in the data folder. Whoever may write to it is the operator. */
export const CONTROL_SOCKET = "control.sock";

const ofMailbox = z.object({ email: emailField });
/** Anything: a name that names nothing is told so. */
const ofAlert = z.object({ alert: z.string().max(300) });
const ofDeed = ofAlert.extend({ act: z.enum(OPERATOR_ACTS) });

/**
 * The door for the operator: every verb a POST of its input as JSON, and /metrics. To be opened on a Unix socket and
 * nowhere else, for it asks nobody who they are.
 */
export function createControl(
  operator: Operator,
  gather: MetricsDoor["gather"],
  log: (event: string, details: Readonly<Record<string, unknown>>) => void,
): Hono {
  const control = new Hono();
  control.get("/metrics", async (c) => figuresTo(c, await gather()));
  control.post("/holdings", async (c) =>
    c.json(await operator.holdings(parse(ofMailbox, await inputOf(c)).email)),
  );
  control.post("/erasePerson", async (c) =>
    c.json(await operator.erasePerson(parse(ofMailbox, await inputOf(c)).email)),
  );
  control.post("/desk", async (c) => c.json(await operator.desk()));
  control.post("/standingOf", async (c) =>
    c.json(await operator.standingOf(parse(ofAlert, await inputOf(c)).alert)),
  );
  control.post("/operate", async (c) => {
    const { act, alert } = parse(ofDeed, await inputOf(c));
    return c.json(await operator.operate(act, alert));
  });
  control.onError((error, c) => {
    if (error instanceof Fault) return c.json({ fault: carried(error) }, statusOf(error.code));
    log("bug", { route: c.req.routePath, error });
    return problem(c, error);
  });
  return control;
}

/**
 * The same over the socket of a service that runs. Throws `Fault` as the service does; `unavailable` also where it has
 * stopped, stops answering or has a bug.
 */
export function controlOver(socket: string): Operator {
  async function ask<Result>(verb: keyof Operator, input: object = {}): Promise<Result> {
    const body = JSON.stringify(input);
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${BASE}/${verb}`, { method: "POST", body, unix: socket, signal })
      // Whole, so that a service that ends meanwhile is told of here too.
      .then(async (answer) => ({ ok: answer.ok, told: (await answer.json()) as unknown }))
      .catch((error: unknown) => {
        throw new Fault("unavailable", isNobodyThere(error) ? STOPPED : SILENT);
      });
    if (answer.ok) return answer.told as Result;
    const told = carriedFault.safeParse(answer.told);
    if (!told.success)
      throw new Fault("unavailable", "Something went wrong in the service. Its log says what.");
    const { code, why, message, fields, retryAfterSeconds } = told.data.fault;
    throw new Fault(code, why ?? message, {
      fields,
      ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    });
  }
  return {
    holdings: (email) => ask("holdings", { email }),
    erasePerson: (email) => ask("erasePerson", { email }),
    desk: () => ask("desk"),
    standingOf: (alert) => ask("standingOf", { alert }),
    operate: (act, alert) => ask("operate", { act, alert }),
  };
}

/** Whether a service listens at a socket. Throws `unavailable` where one may, and cannot be spoken to. */
export async function isListening(socket: string, waitMs = GREETING_MS): Promise<boolean> {
  try {
    await fetch(BASE, { unix: socket, signal: AbortSignal.timeout(waitMs) });
    return true;
  } catch (error) {
    if (isNobodyThere(error)) return false;
    const why = codeOf(error) || "it does not answer";
    throw new Fault(
      "unavailable",
      `The service cannot be spoken to at ${socket} (${why}). Do this as its own user, or stop it first.`,
    );
  }
}

const GREETING_MS = 10_000;
/** Longer than the service takes for anything. */
const ANSWER_MS = 5 * MINUTE_MS;
const STOPPED = "The service has stopped. Nothing was done.";
const SILENT = "The service stopped answering. Whether it was done is unknown.";

/** No such file or folder, one that was left behind, or one that no socket can have the name of. */
const NOBODY_THERE = ["ENOENT", "ENOTDIR", "ECONNREFUSED", "ENAMETOOLONG"];

function isNobodyThere(error: unknown): boolean {
  return NOBODY_THERE.includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/** A fault as it goes through the socket: as it is. */
function carried({ code, why, message, fields, retryAfterSeconds }: Fault): CarriedFault {
  return { code, why, message, fields, retryAfterSeconds };
}
type CarriedFault = Pick<Fault, "code" | "why" | "message" | "fields" | "retryAfterSeconds">;
const carriedFault = z.object({
  fault: z.custom<CarriedFault>((told) => typeof told === "object" && told !== null),
});

/** Goes nowhere: the socket says where. */
const BASE = "http://control";

async function inputOf(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const input: unknown = await c.req.json().catch(() => null);
  if (typeof input !== "object" || input === null)
    throw new Fault("bad_input", "The input must be a JSON object.");
  return input as Record<string, unknown>;
}
