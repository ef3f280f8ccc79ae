import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "../env.ts";
import { addressBytes } from "../../core/ip-address.ts";

/**
 * Sets `caller` to the address of the client. Behind `trustProxy` reverse proxies it is the entry that many steps from
 * the right of X-Forwarded-For; entries further left are written by the client and prove nothing.
 */
export function clientIp({
  trustProxy,
}: {
  readonly trustProxy: number;
}): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    const forwarded = trustProxy === 0 ? null : forwardedAddress(c.req.header("X-Forwarded-For"));
    c.set("caller", { address: forwarded ?? c.env.address });
    return next();
  };

  /** Null if there is no valid address at that position. */
  function forwardedAddress(forwarded = ""): string | null {
    const address = forwarded.split(",").at(-trustProxy)?.trim() ?? "";
    return addressBytes(address) === null ? null : address;
  }
}
