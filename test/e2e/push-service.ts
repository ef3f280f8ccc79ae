import type { PushRequest } from "../../src/push/push-service.ts";

type Said = {
  readonly messageType?: "hello" | "register" | "ack" | "unregister";
  readonly uaid?: string;
  readonly channelID?: string;
  readonly updates?: readonly { readonly version: string; readonly code: number }[];
};

/**
 * Push service of a Firefox on this machine, by the protocol of Mozilla's own (autopush). `host`: that of the addresses it
 * gives. A Firefox that connects again, as it does when a network interface changes, keeps its subscriptions and gets what
 * it has not acknowledged. https://mozilla-push-service.readthedocs.io/en/latest/design/
 */
export function servePushes(host: string) {
  let browser: Bun.ServerWebSocket<undefined> | null = null;
  const ready = Promise.withResolvers<void>();
  const acknowledged: Said[] = [];
  /** Notifications as JSON, by their version. */
  const unacknowledged = new Map<string, string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, socket) => (socket.upgrade(request) ? undefined : new Response(null)),
    websocket: {
      message(socket, text) {
        const said: Said = JSON.parse(String(text));
        const answer = (more: object) =>
          void socket.send(JSON.stringify({ ...said, status: 200, ...more }));
        switch (said.messageType) {
          case "hello":
            browser = socket;
            answer({ uaid: said.uaid || crypto.randomUUID().replaceAll("-", ""), broadcasts: {} });
            for (const notification of unacknowledged.values()) socket.send(notification);
            return ready.resolve();
          case "register":
            return answer({ pushEndpoint: `https://${host}/${said.channelID}` });
          case "unregister":
            return answer({});
          case "ack":
            for (const { version } of said.updates ?? []) unacknowledged.delete(version);
            return void acknowledged.push(said);
          case undefined:
            return void socket.send("{}");
        }
      },
    },
  });
  return {
    address: `ws://127.0.0.1:${server.port}/`,
    /** Resolves once the browser has connected; before that, Firefox may wait for ever to subscribe. */
    ready: ready.promise,
    acknowledged: acknowledged as readonly Said[],
    /** Hands a push to the browser. */
    async deliver({ endpoint, body, ttlSeconds }: PushRequest) {
      const version = crypto.randomUUID();
      const notification = JSON.stringify({
        messageType: "notification",
        channelID: endpoint.split("/").at(-1),
        version,
        ttl: ttlSeconds,
        data: Buffer.from(body).toString("base64url"),
        headers: { encoding: "aes128gcm" },
      });
      unacknowledged.set(version, notification);
      browser?.send(notification);
      return { kind: "sent" } as const;
    },
    end: () => server.stop(true),
  };
}
