import type { MiddlewareHandler } from "hono";
import { Fault } from "../core/fault.ts";
import { callerBucket } from "../core/limit.ts";
import type { HttpEnv } from "./caller.ts";

/** Forms with pictures that are read at once: each is held in memory several times over, however slowly it comes. */
const AT_ONCE = { caller: 6, all: 24 } as const;
const RETRY_SECONDS = 10;

/** Refuses a form with pictures while too many are under way. Throws `unavailable`. */
export function uploadsAtOnce(): MiddlewareHandler<HttpEnv> {
  const underWay = new Map<string, number>();
  let all = 0;
  return async (c, next) => {
    const who = callerBucket(c.get("caller").address);
    const own = underWay.get(who) ?? 0;
    if (own >= AT_ONCE.caller || all >= AT_ONCE.all)
      throw new Fault(
        "unavailable",
        { reason: "photos_wait" },
        { retryAfterSeconds: RETRY_SECONDS },
      );
    underWay.set(who, own + 1);
    all += 1;
    try {
      await next();
    } finally {
      const left = (underWay.get(who) ?? 1) - 1;
      if (left === 0) underWay.delete(who);
      else underWay.set(who, left);
      all -= 1;
    }
  };
}
