import type { PushRequest } from "../../src/push/push-service.ts";

type Said = {
  readonly messageType?: "hello" | "register" | "ack" | "unregister";
  readonly channelID?: string;
  readonly updates?: readonly { readonly code: number }[];
};

/**
 * Push service of a Firefox on this machine, by the protocol of Mozilla's own (autopush). `host`: that of the addresses it
 * gives. https://mozilla-push-service.readthedocs.io/en/latest/design/
 */
export function servePushes(host: string) {
  let browser: Bun.ServerWebSocket<undefined> | null = null;
  const ready = Promise.withResolvers<void>();
  const acknowledged: Said[] = [];
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
            answer({ uaid: crypto.randomUUID().replaceAll("-", ""), broadcasts: {} });
            return ready.resolve();
          case "register":
            return answer({ pushEndpoint: `https://${host}/${said.channelID}` });
          case "unregister":
            return answer({});
          case "ack":
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
      const notification = {
        messageType: "notification",
        channelID: endpoint.split("/").at(-1),
        version: crypto.randomUUID(),
        ttl: ttlSeconds,
        data: Buffer.from(body).toString("base64url"),
        headers: { encoding: "aes128gcm" },
      };
      browser?.send(JSON.stringify(notification));
      return { kind: "sent" } as const;
    },
    end: () => server.stop(true),
  };
}
