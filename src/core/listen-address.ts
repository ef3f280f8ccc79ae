import { isLoopback } from "./ip-address.ts";

/**
 * Default address to listen on. Behind a proxy only this machine may connect: a client that connects directly could forge
 * the X-Forwarded-For header.
 */
export function defaultHost(trustProxy: number): string {
  return trustProxy > 0 ? "127.0.0.1" : "0.0.0.0";
}

/** True if, judging by HOST, clients can bypass the proxy and forge the address that rate limits count. */
export function canForgeClientIp(config: { readonly host: string; readonly trustProxy: number }) {
  return config.trustProxy > 0 && !isLoopback(config.host);
}

export function forgedClientIpWarning(config: { readonly host: string; readonly port: number }) {
  return {
    text: `TRUST_PROXY is set and HOST is ${config.host}: clients that reach port ${config.port} without the proxy can forge their address`,
    advice:
      "Close the port to all but the proxy. Where the proxy runs on this machine, leave HOST unset.",
  };
}
