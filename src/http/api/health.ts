import { Hono } from "hono";
import { z } from "zod";
import type { Service } from "../../core/service/service.ts";
import type { HttpEnv } from "../middleware/env.ts";
import { respond } from "../middleware/response-headers.ts";

export const aliveSchema = z.object({ status: z.literal("ok"), version: z.string() });
export const readySchema = z.object({ status: z.enum(["ready", "not ready"]) });

const JSON_TYPE = { "Content-Type": "application/json" };

/** Liveness (/healthz: the process runs) and readiness (/readyz: 503 if the store does not answer, or `isReady` is false). */
export function createHealth(
  service: Service,
  version: string,
  isReady: () => boolean,
): Hono<HttpEnv> {
  const health = new Hono<HttpEnv>();
  const alive = JSON.stringify({ status: "ok", version });
  health.get("/healthz", (c) => respond(c, 200, JSON_TYPE, alive));
  health.get("/readyz", async (c) => {
    const { storeAnswers } = await service.state();
    const ready = storeAnswers && isReady();
    const body = JSON.stringify({ status: ready ? "ready" : "not ready" });
    return respond(c, ready ? 200 : 503, JSON_TYPE, body);
  });
  return health;
}
