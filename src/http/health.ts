import { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../core/service.ts";
import type { HttpEnv } from "./caller.ts";

export const aliveSchema = z.object({ status: z.literal("ok"), version: z.string() });
export const readySchema = z.object({
  status: z.enum(["ready", "not ready"]),
  active_alerts: z.number().int(),
  zones: z.number().int().describe("Circles that people subscribed to"),
});

/** For those who watch over the process: /healthz answers while it runs, /readyz while store and index answer too. */
export function createHealth(service: Service, version: string): Hono<HttpEnv> {
  const health = new Hono<HttpEnv>();
  health.get("/healthz", (c) => c.json({ status: "ok", version }));
  health.get("/readyz", async (c) => {
    const { activeAlerts, zones, storeAnswers } = await service.state();
    const status = storeAnswers ? "ready" : "not ready";
    return c.json({ status, active_alerts: activeAlerts, zones }, storeAnswers ? 200 : 503);
  });
  return health;
}
