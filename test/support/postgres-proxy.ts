import type { Socket } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/**
 * Fault at a statement that a client sends. `before`: the connection is cut, and the server never gets the statement.
 * `after`: it is cut once the server has answered. `late`: it is cut at once, and the server gets the statement a moment
 * later. `silent`: the server gets nothing more, and the connection stays.
 */
export type ProxyFault = "before" | "after" | "late" | "silent";

const LATE_MS = 200;

/** Relay in front of the socket of a server. */
export function startProxy(socket: string) {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-proxy-"));
  let next: { readonly statement: string; readonly fault: ProxyFault } | null = null;
  let happened = 0;
  let isCutOff = false;
  const relays = new Set<Relay>();

  const listener = Bun.listen<Relay>({
    unix: join(folder, basename(socket)),
    socket: {
      open(client) {
        client.data = createRelay(client, socket);
        relays.add(client.data);
        if (isCutOff) client.data.fault = "silent";
      },
      data(client, bytes) {
        const relay = client.data;
        const copy = Buffer.from(bytes);
        if (next !== null && copy.includes(next.statement)) {
          relay.fault = next.fault;
          next = null;
          happened += 1;
        }
        switch (relay.fault) {
          case null:
            return relay.forward(copy);
          case "after":
            return relay.forward(copy);
          case "before":
            return relay.cut();
          case "late":
            client.end();
            setTimeout(() => {
              relay.forward(copy);
              setTimeout(() => relay.cut(), LATE_MS);
            }, LATE_MS);
            return undefined;
          case "silent":
            return undefined;
        }
      },
      close(client) {
        relays.delete(client.data);
        if (client.data.fault !== "late") client.data.cut();
      },
    },
  });

  return {
    folder,
    /** Lets a fault happen at the next statement that has this text. */
    failAt(statement: string, fault: ProxyFault): void {
      next = { statement, fault };
    },
    /** Lets nothing through any more, on connections that are open and on new ones, as a network that is divided. */
    cutOff(): void {
      isCutOff = true;
      for (const relay of relays) relay.fault = "silent";
    },
    /** Lets new connections through. The old ones end. */
    joinAgain(): void {
      isCutOff = false;
      for (const relay of relays) relay.cut();
    },
    /** Number of faults that happened. */
    happened: () => happened,
    stop(): void {
      listener.stop(true);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Relay = {
  fault: ProxyFault | null;
  forward(bytes: Buffer): void;
  cut(): void;
};

/** Connection to the server for that of a client. */
function createRelay(client: Socket<Relay>, unix: string): Relay {
  let server: Socket | null = null;
  const early: Buffer[] = [];
  const relay: Relay = {
    fault: null,
    forward(bytes) {
      if (server === null) early.push(bytes);
      else server.write(bytes);
    },
    cut() {
      server?.end();
      client.end();
    },
  };
  void Bun.connect({
    unix,
    socket: {
      open(opened) {
        server = opened;
        for (const bytes of early) opened.write(bytes);
      },
      data(_server, bytes) {
        if (relay.fault === "after") relay.cut();
        else if (relay.fault === null) client.write(bytes);
      },
      close: () => relay.cut(),
    },
  });
  return relay;
}
