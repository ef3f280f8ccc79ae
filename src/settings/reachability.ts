import { isLoopback } from "../core/ip-address.ts";

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

export function forgedClientIpWarning(config: {
  readonly host: string;
  readonly port: number;
  readonly cluster: object | null;
}) {
  return {
    text: `TRUST_PROXY is set and HOST is ${config.host}: clients that reach port ${config.port} without the proxy can forge their address`,
    advice:
      config.cluster === null
        ? "Close the port to all but the proxy. Where the proxy runs on this machine, leave HOST unset."
        : "Close the port to all but the balancers.",
  };
}

/** Warning about a node that balancers on other machines cannot reach; null when they can. */
export function unreachableNodeWarning(config: {
  readonly host: string;
  readonly port: number;
  readonly cluster: object | null;
}) {
  if (config.cluster === null || !isLoopback(config.host)) return null;
  return {
    text: `HOST is ${config.host}: a balancer on another machine cannot reach port ${config.port} of this node`,
    advice:
      "Set HOST to the node's own address in the network of the balancers, and close the port to everybody else.",
  };
}

/** URL of a service with these settings, from its own machine. */
export function localAddress({ host, port }: { host: string; port: number }): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
