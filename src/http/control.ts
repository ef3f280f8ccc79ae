import { type Context, Hono } from "hono";
import { z } from "zod";
import { Fault } from "../core/fault.ts";
import { emailField, parse } from "../core/input.ts";
import { OPERATOR_ACTS } from "../core/moderating.ts";
import type { Service } from "../core/service.ts";
import { problem } from "./faults.ts";

/** What commands of the machine's own shell can ask of a running service. Results are plain values. */
export type Control = Pick<Service, "holdings" | "erasePerson" | "desk" | "standingOf" | "operate">;

/** The socket's name in the data folder. Whoever may write to it is the operator. */
export const CONTROL_SOCKET = "control.sock";

const ofMailbox = z.object({ email: emailField });
/** Anything: a name that names nothing is told so. */
const ofAlert = z.object({ alert: z.string().max(300) });
const ofDeed = ofAlert.extend({ act: z.enum(OPERATOR_ACTS) });

/**
 * The door for the operator: every verb a POST of its input as JSON. To be opened on a Unix socket and nowhere else,
 * for it asks nobody who they are.
 */
export function createControl(
  service: Control,
  log: (event: string, details: Readonly<Record<string, unknown>>) => void,
): Hono {
  const control = new Hono();
  control.post("/holdings", async (c) =>
    c.json(await service.holdings(parse(ofMailbox, await inputOf(c)).email)),
  );
  control.post("/erasePerson", async (c) =>
    c.json(await service.erasePerson(parse(ofMailbox, await inputOf(c)).email)),
  );
  control.post("/desk", async (c) => c.json(await service.desk()));
  control.post("/standingOf", async (c) =>
    c.json(await service.standingOf(parse(ofAlert, await inputOf(c)).alert)),
  );
  control.post("/operate", async (c) => {
    const { act, alert } = parse(ofDeed, await inputOf(c));
    return c.json(await service.operate(act, alert));
  });
  control.onError((error, c) => {
    if (!(error instanceof Fault)) log("bug", { path: c.req.routePath, error });
    return problem(c, error);
  });
  return control;
}

/** The same over the socket of a service that runs. Throws `Fault` as the service does, and when it stops answering. */
export function controlOver(socket: string): Control {
  async function ask<Result>(verb: keyof Control, input: object = {}): Promise<Result> {
    const init = { method: "POST", body: JSON.stringify(input), unix: socket };
    const answer = await fetch(`${BASE}/${verb}`, init).catch(() => {
      throw new Fault(
        "unavailable",
        "The service stopped answering. Whether it was done is unknown.",
      );
    });
    if (answer.ok) return (await answer.json()) as Result;
    const told = problemSchema.safeParse(await answer.json().catch(() => null));
    throw new Fault("unavailable", told.data?.detail ?? `The service answered ${answer.status}.`);
  }
  return {
    holdings: (email) => ask("holdings", { email }),
    erasePerson: (email) => ask("erasePerson", { email }),
    desk: () => ask("desk"),
    standingOf: (alert) => ask("standingOf", { alert }),
    operate: (act, alert) => ask("operate", { act, alert }),
  };
}

/** Whether a service listens at a socket. */
export async function isListening(socket: string): Promise<boolean> {
  try {
    await fetch(BASE, { unix: socket });
    return true;
  } catch {
    return false;
  }
}

/** Goes nowhere: the socket says where. */
const BASE = "http://control";
const problemSchema = z.object({ detail: z.string() });

async function inputOf(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const input: unknown = await c.req.json().catch(() => null);
  if (typeof input !== "object" || input === null)
    throw new Fault("bad_input", "The input must be a JSON object.");
  return input as Record<string, unknown>;
}
