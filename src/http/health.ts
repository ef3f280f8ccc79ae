import { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";
import { respond } from "./said.ts";

export const aliveSchema = z.object({ status: z.literal("ok"), version: z.string() });
export const readySchema = z.object({
  status: z.enum(["ready", "not ready"]),
  active_alerts: z.number().int(),
  zones: z.number().int().describe("Circles that people subscribed to"),
});

const JSON_TYPE = { "Content-Type": "application/json" };

/** For those who watch over the process: /healthz answers while it runs, /readyz while store and index answer too. */
export function createHealth(service: Service, version: string): Hono<HttpEnv> {
  const health = new Hono<HttpEnv>();
  const alive = JSON.stringify({ status: "ok", version });
  health.get("/healthz", (c) => respond(c, 200, JSON_TYPE, alive));
  health.get("/readyz", async (c) => {
    const { activeAlerts, zones, storeAnswers } = await service.state();
    const status = storeAnswers ? "ready" : "not ready";
    const ready = JSON.stringify({ status, active_alerts: activeAlerts, zones });
    return respond(c, storeAnswers ? 200 : 503, JSON_TYPE, ready);
  });
  return health;
}
